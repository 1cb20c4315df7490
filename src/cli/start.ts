/** `kith start`: the service. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Config, loadConfig } from '../config.ts'
import { isUnavailable } from '../db/sqlstate.ts'
import { codeOf } from '../lib/thrown.ts'
import type { Service } from '../service.ts'
import { command } from './command.ts'
import { offerDemo } from './demo.ts'
import { explain } from './failure.ts'
import { starting, stopOnSignals } from './process.ts'

export const start = command({
  summary: 'runs the service; also when no command is given',
  examples: ['kith start', 'PORT=9000 KITH_DATA_DIR=/srv/kith kith start'],
  run: () => starting(run),
})

async function run(): Promise<void> {
  const config = loadConfig()
  await checkAddress(config)
  const { createService } = await import('../service.ts')
  const service = await createService(config).catch(error => {
    if (config.databaseUrl === undefined || !isUnavailable(error)) throw error
    throw new Error(`The database cannot be reached; check DATABASE_URL. (${explain(error)})`)
  })
  const address = await listen(service, config)
  stopOnSignals(service, config)
  greet(config.publicUrl ?? address, service.first?.newKey, await service.setupToken())
  const problem = await service.web.problem()
  if (problem) console.log(`${problem.sentence}\n`)
  if (service.first && !config.demo) await offerDemo(service)
}

/** Before the database is opened, which takes longer: is this address free? */
async function checkAddress(config: Config): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen(config.port, config.host), 'listening')
  } catch (error) {
    throw addressProblem(error, config)
  }
  await once(probe.close(), 'close')
}

async function listen(service: Service, config: Config): Promise<string> {
  const { host, port } = config
  try {
    await service.app.listen({ port, host })
  } catch (error) {
    await service.close()
    throw addressProblem(error, config)
  }
  // The port actually bound (PORT=0 picks one); 0.0.0.0 is shown as localhost.
  const address = service.app.server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${actual}`
}

function addressProblem(error: unknown, { host, port }: Config): Error {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') return new Error(`${host}:${port} is in use; stop what runs there or set PORT.`)
  if (code === 'EACCES') return new Error(`${host}:${port} is not open to this user; set PORT to another.`)
  return new Error(`HOST "${host}" is not an address of this machine. (${explain(error)})`)
}

function greet(address: string, key: string | undefined, setupToken: string | undefined): void {
  const lines = [`Kith is running at ${address}`, `Reference: ${address}/docs`]
  // after the #, so that no server's log has it
  if (setupToken !== undefined)
    lines.push(
      '',
      'Create the owner, with this link, once and within 24 hours:',
      `  ${address}/setup#token=${setupToken}`,
    )
  if (key !== undefined) {
    lines.push(
      '',
      'Your API key, shown this once:',
      `  ${key}`,
      '',
      'Try it:',
      `  curl -H 'X-API-Key: ${key}' ${address}/api/companies`,
    )
  }
  console.log(`\n${lines.join('\n')}\n`)
}
