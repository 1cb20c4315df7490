/** The result of a tool as the protocol sends it, and errors as sentences that say what to do. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { HttpError } from '../../kernel/errors.ts'
import { sentenceOf } from '../assistant/proposals/check.ts'
import type { Json } from './call.ts'

/** The error that http/error-answer.ts returns to a client. */
export type Explain = (error: unknown) => { status: number; body: { detail: unknown } }

/** Characters of a result: more than a model reads with profit, and less than a client refuses. */
const MAX_RESULT = 400_000

export async function resultOf(run: () => Promise<Json>, explain: Explain): Promise<CallToolResult> {
  try {
    const structuredContent = await run()
    const text = JSON.stringify(structuredContent)
    if (text.length > MAX_RESULT) return failed(TOO_MUCH)
    return { structuredContent, content: [{ type: 'text', text }] }
  } catch (error) {
    const { status, sentence } = sentenceFor(error, explain)
    if (status === 500) throw error
    return failed(sentence)
  }
}

const TOO_MUCH = `The result has more than ${MAX_RESULT} characters. Ask for less: a smaller limit or page_size, groups instead of records, or one record by get.`

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

export function sentenceFor(error: unknown, explain: Explain): { status: number; sentence: string } {
  const { status, body } = explain(error)
  const message =
    error instanceof HttpError
      ? sentenceOf(error)
      : typeof body.detail === 'string'
        ? body.detail
        : 'The values cannot be stored'
  return { status, sentence: `${message}${ADVICE[status] ?? ''}` }
}

/** What to do about an error whose sentence does not say so. */
const ADVICE: Readonly<Record<number, string>> = {
  403: '. Ask the person for a key with this permission.',
  404: '. Use search or query to find the id.',
  409: '. Read the record again and decide.',
  422: '. describe_schema says what a kind of record takes.',
  429: '. Wait a moment and try again.',
}
