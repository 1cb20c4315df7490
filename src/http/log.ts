/** The log: JSON lines on standard output, without secrets and without what people keep in their records. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { isUnstorable } from '../db/sqlstate.ts'
import { property } from '../lib/values.ts'

export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: describeError },
    // The last gate, whatever is logged: our keys, and tokens signed by anybody.
    hooks: { streamWrite: (line: string) => line.replace(SECRETS, '[secret]') },
  }
  return destination ? pino(options, destination) : pino(options)
}

const SECRETS = /\bsk_[\w-]{16,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*/g

/**
 * What helps to find a fault, named one by one: errors of the database carry whole rows in their details, those
 * about tokens the claims.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  // `invalid input syntax for type uuid: "…"`: the value is the caller's
  const message = isUnstorable(error) ? error.message.replace(/: ".*/s, '') : error.message
  return {
    type: error.name,
    message,
    code: property(error, 'code'),
    constraint: property(error, 'constraint'),
    table: property(error, 'table'),
    stack: error.stack?.replace(error.message, message),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
