/** The command line; `kith help` lists the commands. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { isUnavailable } from './db/sqlstate.ts'
import { codeOf } from './lib/thrown.ts'
import type { Service } from './service.ts'

const HELP = `kith start                the service; also when no command is given
kith worker               its background jobs alone, beside servers with KITH_WORKER=off
kith restore <archive>    reads an account's archive  [--account <id or slug>] [--add-members]
kith mcp                  MCP over standard input and output, for agents that start their servers themselves;
                          it calls the service at KITH_URL with KITH_API_KEY
kith openapi              prints the OpenAPI document
kith help, --help

Settings come from the environment or from a file .env; the README lists them.`

const command = (process.argv[2] ?? 'start').replace(/^(?:--help|-h)$/, 'help')
const commands: Record<string, () => Promise<void>> = { start, worker, restore, mcp, openapi, help }

const run = commands[command]
if (!run) {
  console.error(`Kith does not know the command "${command}"; it knows ${Object.keys(commands).join(', ')}.`)
  process.exit(2)
}
run().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : `Kith could not start: ${reason(error)}`)
  process.exit(1)
})

async function start(): Promise<void> {
  const config = loadConfig()
  await checkAddress(config)
  const { createService } = await import('./service.ts')
  const service = await createService(config).catch(error => {
    if (config.databaseUrl === undefined || !isUnavailable(error)) throw error
    throw new Error(`The database cannot be reached; check DATABASE_URL. (${reason(error)})`)
  })
  const address = await listen(service, config)
  stopOnSignals(service, config)
  greet(config.publicUrl ?? address, service.first?.newKey)
}

/** Checks that the address is free before the database is opened, which takes longer. */
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
  return new Error(`HOST "${host}" is not an address of this machine. (${reason(error)})`)
}

/** Under npm a Ctrl-C arrives twice, from the terminal and from npm. Signals within this time count as one. */
const SAME_SIGNAL_MS = 200
/** How long the database may take to close after the last request. */
const CLOSING_MS = 5000

function stopOnSignals(service: Pick<Service, 'services' | 'close'>, { limits }: Config): void {
  const { log } = service.services
  let stoppingSince: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince < SAME_SIGNAL_MS) return
      log.warn({ signal }, 'stopping at once')
      process.exit(1)
    }
    stoppingSince = Date.now()
    log.info({ signal }, 'stopping: finishing the requests in flight')
    setTimeout(
      () => {
        log.error({}, 'stopping: gave up')
        process.exit(1)
      },
      limits.drainMs + limits.stopTimeoutMs + CLOSING_MS,
    )
    await service.close()
    log.info({ ms: Date.now() - stoppingSince }, 'stopped')
    process.exit(0)
  }
  const stopOrFail = (signal: NodeJS.Signals) =>
    stop(signal).catch(error => {
      log.error({ err: error }, 'stopping failed')
      process.exit(1)
    })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopOrFail)
}

function greet(address: string, key: string | undefined): void {
  const lines = [`Kith is running at ${address}`, `Reference: ${address}/docs`]
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

/** Runs only jobs, in addition to servers that have KITH_WORKER=off or too much load. */
async function worker(): Promise<void> {
  const config = loadConfig()
  if (config.databaseUrl === undefined) {
    throw new ConfigError(
      'kith worker needs DATABASE_URL: the embedded database runs its jobs in the server.',
    )
  }
  const { createWorker } = await import('./service.ts')
  const running = await createWorker(config)
  stopOnSignals(running, config)
  console.log('Kith is running its jobs.')
  // The worker's timers are unref'd, so this one keeps the process alive.
  setInterval(() => {}, 2 ** 30)
}

async function restore(): Promise<void> {
  const { restoreCommand } = await import('./features/transfer/exports/restore.ts')
  console.log(await restoreCommand(loadConfig(), process.argv.slice(3)))
}

async function mcp(): Promise<void> {
  const { url = 'http://localhost:8000', apiKey } = loadConfig()
  if (apiKey === undefined) throw new ConfigError('kith mcp needs KITH_API_KEY, the key that it calls with.')
  const { bridge } = await import('./features/mcp/stdio.ts')
  await bridge({ url, key: apiKey, input: process.stdin, output: process.stdout })
}

async function help(): Promise<void> {
  console.log(HELP)
}

async function openapi(): Promise<void> {
  const { allEndpoints } = await import('./service.ts')
  const { openApi } = await import('./http/openapi/index.ts')
  console.log(JSON.stringify(openApi(allEndpoints()), null, 2))
}

/** The message of an error. For an error of several attempts (a name with several addresses), that of the first. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message || (codeOf(error) ?? error.name)
}
