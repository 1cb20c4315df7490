/** The command line: `kith start`, `kith openapi`. */
import { ConfigError, loadConfig } from './config.ts'

const command = process.argv[2] ?? 'start'
const commands: Record<string, () => Promise<void>> = { start, openapi }

const run = commands[command]
if (!run) {
  console.error(`Kith does not know the command "${command}"; it knows ${Object.keys(commands).join(', ')}.`)
  process.exit(2)
}
run().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : `Kith could not start: ${reason(error)}`)
  process.exit(1)
})

const reason = (error: unknown) =>
  error instanceof Error ? error.message || ((error as { code?: string }).code ?? error.name) : String(error)

async function start(): Promise<void> {
  const config = loadConfig()
  const { createService } = await import('./service.ts')
  const service = await createService(config)
  const address = await service.app.listen({ port: config.port, host: config.host })
  greet(address, service.first?.newKey)

  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    service.services.log.info({ signal }, 'stopping: finishing the requests in flight')
    await service.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
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

async function openapi(): Promise<void> {
  const { allEndpoints } = await import('./service.ts')
  const { openApi } = await import('./http/openapi.ts')
  console.log(JSON.stringify(openApi(allEndpoints()), null, 2))
}
