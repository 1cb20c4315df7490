/**
 * A socket in the data folder of the embedded engine, by which commands of the same operating-system user reach the
 * service that has the database open: `kith backup`, `kith keys`, `kith users`.
 */
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Services } from '../../kernel/context.ts'
import { HttpError } from '../../kernel/errors.ts'
import { messageOf } from '../../lib/thrown.ts'
import { socketPath } from './socket-path.ts'

/** Runs the action that a command names and returns JSON or a stream. */
export type LocalCommand = (services: Services, input: unknown) => Promise<unknown>
export type LocalCommands = Readonly<Record<string, LocalCommand>>

const MAX_BODY = 64 * 1024

export interface Channel {
  close(): Promise<void>
}

/** The caller has the lock on the data folder, so a socket that is there was left by a process that died. */
export async function openChannel(services: Services, commands: LocalCommands): Promise<Channel | undefined> {
  const { engine, config, log } = services
  const path = engine.kind === 'embedded' ? socketPath(config.dataDir) : undefined
  if (path === undefined) return undefined
  rmSync(path, { force: true })
  const server = createServer((request, response) => {
    answer(services, commands, request, response).catch(error => {
      log.warn({ reason: messageOf(error) }, 'a local command failed')
      response.destroy()
    })
  })
  await once(server.listen(path), 'listening')
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  services: Services,
  commands: LocalCommands,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = (request.url ?? '').slice(1)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return refuse(response, 404, `The running service does not know the command "${name}".`)
  if (Number(request.headers['content-length'] ?? Number.NaN) > MAX_BODY)
    return refuse(response, 413, 'The command is too long.')
  try {
    const result = await command(services, await json(request))
    if (result instanceof Readable) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      await pipeline(result, response)
    } else send(response, 200, result)
  } catch (error) {
    if (response.headersSent) throw error
    refuse(response, error instanceof HttpError ? error.status : 500, messageOf(error))
  }
}

const refuse = (response: ServerResponse, status: number, detail: string) =>
  send(response, status, { detail })

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? null))
}
