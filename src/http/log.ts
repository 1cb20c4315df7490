/** The log: JSON lines on standard output, without secrets and without contents of records. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { isUnstorable } from '../db/sqlstate.ts'
import { property } from '../lib/values.ts'

export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: describeError },
    // Removes API keys and tokens of any issuer from every line, as a last check.
    hooks: { streamWrite: (line: string) => line.replace(SECRETS, '[secret]') },
  }
  return destination ? pino(options, destination) : pino(options)
}

const SECRETS = /\bsk_[\w-]{16,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*/g

/**
 * The properties of an error that are logged. Only these, because details of database errors contain whole rows, and
 * errors about tokens contain the claims.
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
