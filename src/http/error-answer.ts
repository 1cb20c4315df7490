/** Any error → the response. Internal details never leave the service. */
import { ResultTooLarge } from '../db/bounded-query.ts'
import { TooManyParameters } from '../db/dialect.ts'
import { isDiskFull, isStatementTimeout, isUnavailable } from '../db/sqlstate.ts'
import { errors } from '../kernel/errors.ts'
import { refusalOf } from '../kernel/refusal.ts'
import { codeOf, messageOf } from '../lib/thrown.ts'
import { property } from '../lib/values.ts'

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
    'The length of the request body differs from Content-Length',
  ),
  FST_INVALID_MULTIPART_CONTENT_TYPE: plain(415, 'This endpoint takes multipart/form-data'),
  FST_REQ_FILE_TOO_LARGE: plain(413, 'The upload is too large'),
  FST_FILES_LIMIT: plain(413, 'Too many files in one upload'),
  FST_PARTS_LIMIT: plain(413, 'Too many parts in one upload'),
  FST_FIELDS_LIMIT: plain(413, 'Too many fields in one upload'),
  FST_ERR_BAD_URL: plain(404, 'Not Found'),
  FST_ERR_MAX_PARAM_LENGTH: plain(404, 'Not Found'),
}

/** Messages of the multipart parser for a truncated or malformed body; its errors have no code. */
const BROKEN_UPLOAD =
  /^(?:Unexpected end of multipart data|Part terminated early|Multipart: Boundary not found)/

export function answerOf(error: unknown): ErrorAnswer {
  const refusal = refusalOf(error)
  if (refusal) return { status: refusal.status, body: { detail: refusal.detail }, headers: refusal.headers }
  const fastifyAnswer = FASTIFY[codeOf(error) ?? '']
  if (fastifyAnswer) return fastifyAnswer
  if (error instanceof ResultTooLarge) {
    return plain(
      413,
      'The answer would be too large: ask for less at once, for example with a smaller page_size',
    )
  }
  if (error instanceof TooManyParameters) {
    return answerOf(errors.invalidValue(['body'], 'the request has too many values at once: split it', null))
  }
  if (error instanceof Error && BROKEN_UPLOAD.test(error.message)) {
    return plain(400, 'The multipart body is cut short or malformed')
  }
  if (isStatementTimeout(error)) return plain(503, 'The request took too long: narrow it down and try again')
  if (isDiskFull(error)) return answerOf(errors.diskFull())
  if (isUnavailable(error)) return answerOf(errors.unavailable())
  const status = property(error, 'statusCode')
  if (typeof status === 'number' && status >= 400 && status < 500) return plain(status, messageOf(error))
  return plain(500, 'Internal Server Error')
}
