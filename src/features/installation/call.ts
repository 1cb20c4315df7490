/** Calls the service that has the data folder open. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { codeOf } from '../../lib/thrown.ts'
import { property } from '../../lib/values.ts'
import { socketPath } from './socket-path.ts'

/** The answer of the running service; undefined if none runs on this folder. */
export async function callRunning(
  dataDir: string,
  name: string,
  input: unknown = {},
): Promise<IncomingMessage | undefined> {
  const socket = socketPath(dataDir)
  if (socket === undefined) return undefined
  const body = JSON.stringify(input)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const sent = request({ socketPath: socket, path: `/${name}`, method: 'POST', headers })
  sent.end(body)
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    if (response.statusCode === 200) return response
    throw new Error(String(property(await json(response), 'detail')))
  } catch (error) {
    // A socket without a listener was left by a process that died.
    if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}
