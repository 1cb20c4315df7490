/** Any error → what the client is told. Nothing of the inside gets out. */
import { ResultTooLarge } from '../db/bounded-query.ts'
import { TooManyParameters } from '../db/dialect.ts'
import {
  isForeignKeyViolation,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
  isUnstorable,
} from '../db/sqlstate.ts'
import { errors, HttpError } from '../kernel/errors.ts'

export interface ErrorAnswer {
  status: number
  body: { detail: unknown }
  headers: Record<string, string>
}

const plain = (status: number, detail: string): ErrorAnswer => ({ status, body: { detail }, headers: {} })

/** Fastify's own refusals, by code. */
const FASTIFY: Record<string, ErrorAnswer> = {
  FST_ERR_CTP_BODY_TOO_LARGE: plain(413, 'The request body is too large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: plain(415, 'Unsupported Media Type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: plain(
    400,
    'The request body does not have the length it was said to have',
  ),
  FST_INVALID_MULTIPART_CONTENT_TYPE: plain(415, 'This endpoint takes multipart/form-data'),
  FST_REQ_FILE_TOO_LARGE: plain(413, 'The upload is too large'),
  FST_FILES_LIMIT: plain(413, 'Too many files in one upload'),
  FST_PARTS_LIMIT: plain(413, 'Too many parts in one upload'),
  FST_FIELDS_LIMIT: plain(413, 'Too many fields in one upload'),
  FST_ERR_BAD_URL: plain(404, 'Not Found'),
  FST_ERR_MAX_PARAM_LENGTH: plain(404, 'Not Found'),
}

export function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof HttpError) {
    return { status: error.status, body: { detail: error.detail }, headers: error.headers }
  }
  const known = FASTIFY[(error as { code?: string }).code ?? '']
  if (known) return known
  // Behind the checks of a resource: two requests raced for the same thing, and this one came second.
  if (isUniqueViolation(error)) return plain(409, 'Another record has taken a value that must be unique')
  if (isForeignKeyViolation(error))
    return plain(409, 'A record that this one refers to has just been removed')
  if (isUnstorable(error)) {
    return answerOf(errors.invalidValue(['body'], 'a value cannot be stored', null))
  }
  if (error instanceof ResultTooLarge) {
    return plain(
      413,
      'The answer would be too large: ask for less at once, for example with a smaller page_size',
    )
  }
  if (error instanceof TooManyParameters) {
    return answerOf(errors.invalidValue(['body'], 'the request has too many values at once: split it', null))
  }
  if (isStatementTimeout(error)) return plain(503, 'The request took too long: narrow it down and try again')
  if (isUnavailable(error)) return answerOf(errors.unavailable())
  const status = (error as { statusCode?: number }).statusCode
  if (status !== undefined && status >= 400 && status < 500) return plain(status, (error as Error).message)
  return plain(500, 'Internal Server Error')
}
