/**
 * An answer as a stream of events. Each event's id says how much of the answer a reader has by then, so a reader who
 * comes back is given the rest, whichever process it comes back to. What a slow reader has not read is not kept for
 * it: the next event holds all that was said since.
 */
import { Readable } from 'node:stream'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Progress } from './answering.ts'
import type { Following } from './following.ts'

const MAX_DELTA = 16_384
/** The last event: whoever has it has everything. */
export const END = 'end'

/** Characters, tools, citations and errors that were told. */
interface Place {
  text: number
  tools: number
  citations: number
  errors: number
}

const START: Place = { text: 0, tools: 0, citations: 0, errors: 0 }

export function placeIn(lastEventId: string | undefined): Place | undefined {
  const match = /^(\d{1,9})\.(\d{1,4})\.(\d{1,4})\.([01])$/.exec(lastEventId ?? '')
  if (!match) return undefined
  const [text, tools, citations, errors] = match.slice(1).map(Number) as [number, number, number, number]
  return { text, tools, citations, errors }
}

const event = (name: string, data: unknown, id: string) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const idOf = ({ text, tools, citations, errors }: Place) => `${text}.${tools}.${citations}.${errors}`

/** The next event after a place, and the place after it; undefined when there is nothing new. */
function next(at: Place, { text, tools, citations }: Progress, over: boolean): [string, Place] | undefined {
  const tool = tools[at.tools]
  if (tool && tool.at <= at.text) {
    const place = { ...at, tools: at.tools + 1 }
    return [event('tool', { name: tool.name, asked: tool.asked }, idOf(place)), place]
  }
  const until = wholeCharacters(text, Math.min(tool?.at ?? text.length, at.text + MAX_DELTA), over)
  if (until > at.text) {
    const place = { ...at, text: until }
    return [event('message_delta', { text: text.slice(at.text, until) }, idOf(place)), place]
  }
  const citation = citations[at.citations]
  if (!citation) return undefined
  const place = { ...at, citations: at.citations + 1 }
  return [event('citation', citation, idOf(place)), place]
}

/** Half of a character cannot be sent; its other half is on the way. */
function wholeCharacters(text: string, until: number, over: boolean): number {
  const code = text.charCodeAt(until - 1)
  const isFirstHalf = code >= 0xd800 && code <= 0xdbff
  return isFirstHalf && !(over && until === text.length) ? until - 1 : until
}

export function eventStream(
  message: ChatMessage,
  following: Following,
  from: Place | undefined,
  signOfLifeMs: number,
  gone: AbortSignal,
): Readable {
  // a stream that nobody began to read never comes to its own end
  gone.addEventListener('abort', () => following.leave())
  return Readable.from(events(message, following, from, signOfLifeMs, gone), {
    objectMode: false,
    highWaterMark: MAX_DELTA,
  })
}

async function* events(
  message: ChatMessage,
  following: Following,
  from: Place | undefined,
  signOfLifeMs: number,
  gone: AbortSignal,
) {
  let at = from ?? START
  let heardAt = Date.now()
  try {
    yield 'retry: 1000\n\n'
    if (!from) {
      const { id, chat_id, metadata } = message
      const start = { message_id: id, chat_id, question_id: metadata.question_id ?? null }
      yield event('message_start', start, idOf(START))
    }
    while (!gone.aborted) {
      const { progress, ended } = await following.look()
      const [text, place] = next(at, progress, ended !== undefined) ?? []
      if (text !== undefined && place) {
        at = place
        yield text
      } else if (ended) {
        const { error, reason } = ended.metadata
        const place = { ...at, errors: 1 }
        if (error && at.errors === 0)
          yield event('error', { detail: error, reason: reason ?? null }, idOf(place))
        yield event('message_end', { message: ended }, END)
        return
      } else {
        await following.changed(signOfLifeMs, gone)
        if (Date.now() - heardAt < signOfLifeMs) continue
        yield ': still there\n\n'
      }
      heardAt = Date.now()
    }
  } finally {
    following.leave()
  }
}
