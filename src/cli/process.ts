/** A command that runs until it is stopped: errors at the start, and the graceful stop. */
import { type Config, ConfigError } from '../config.ts'
import type { Service } from '../service.ts'
import { explain } from './failure.ts'

/** Says that an error prevented the start; the message of a wrong setting is complete. */
export async function starting(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new Error(`Kith could not start: ${explain(error)}`, { cause: error })
  }
}

/** Under npm a Ctrl-C arrives twice at once, from the terminal and from npm: that is one signal. */
const SAME_SIGNAL_MS = 200
/** How long the database may take to close when the last request has ended. */
const CLOSING_MS = 5000

export function stopOnSignals(service: Pick<Service, 'services' | 'close'>, { limits }: Config): void {
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
