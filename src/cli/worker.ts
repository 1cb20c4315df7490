import { ConfigError, loadConfig } from '../config.ts'
import { command } from './command.ts'
import { starting, stopOnSignals } from './process.ts'

export const worker = command({
  summary: 'runs background jobs alone, beside servers with KITH_WORKER=false',
  run: () =>
    starting(async () => {
      const config = loadConfig()
      if (config.databaseUrl === undefined) {
        throw new ConfigError(
          'kith worker needs DATABASE_URL: the embedded database runs its jobs in the server.',
        )
      }
      const { createWorker } = await import('../service.ts')
      const running = await createWorker(config)
      stopOnSignals(running, config)
      console.log('Kith is running its jobs.')
      // Its timers do not keep the process alive.
      setInterval(() => {}, 2 ** 30)
    }),
})
