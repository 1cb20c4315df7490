/**
 * An answer as a stream of events. The id of an event is the reader's position in the answer, so a client that
 * reconnects gets the rest from any process. Nothing is queued for a slow reader: its next event has all text since
 * its position.
 */
import type { EventSource, StreamEvent } from '../../kernel/event-stream.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Progress } from './answering.ts'
import type { Following } from './following.ts'

const MAX_DELTA = 16_384
/** The id of the last event: a client that has received it has everything. */
export const END = 'end'

/** Characters, tools, citations and errors that were sent. */
interface Position {
  text: number
  tools: number
  citations: number
  errors: number
}

const START: Position = { text: 0, tools: 0, citations: 0, errors: 0 }

export function positionIn(lastEventId: string | undefined): Position | undefined {
  const match = /^(\d{1,9})\.(\d{1,4})\.(\d{1,4})\.([01])$/.exec(lastEventId ?? '')
  if (!match) return undefined
  const [text = 0, tools = 0, citations = 0, errors = 0] = match.slice(1).map(Number)
  return { text, tools, citations, errors }
}

const idOf = ({ text, tools, citations, errors }: Position) => `${text}.${tools}.${citations}.${errors}`

/** The next event after a position, and the position after it; undefined when there is nothing new. */
function next(
  at: Position,
  { text, tools, citations }: Progress,
  isOver: boolean,
): [StreamEvent, Position] | undefined {
  const tool = tools[at.tools]
  if (tool && tool.at <= at.text) {
    const position = { ...at, tools: at.tools + 1 }
    return [{ event: 'tool', data: { name: tool.name, asked: tool.asked }, id: idOf(position) }, position]
  }
  const until = wholeCharacters(text, Math.min(tool?.at ?? text.length, at.text + MAX_DELTA), isOver)
  if (until > at.text) {
    const position = { ...at, text: until }
    return [
      { event: 'message_delta', data: { text: text.slice(at.text, until) }, id: idOf(position) },
      position,
    ]
  }
  const citation = citations[at.citations]
  if (!citation) return undefined
  const position = { ...at, citations: at.citations + 1 }
  return [{ event: 'citation', data: citation, id: idOf(position) }, position]
}

/** Does not split a surrogate pair, whose second half has not arrived yet. */
function wholeCharacters(text: string, until: number, isOver: boolean): number {
  const code = text.charCodeAt(until - 1)
  const isFirstHalf = code >= 0xd800 && code <= 0xdbff
  return isFirstHalf && !(isOver && until === text.length) ? until - 1 : until
}

/** An answer as events: `message_start`, text, tools and citations after `from`, `message_end`. */
export function answerEvents(
  message: ChatMessage,
  following: Following,
  from: Position | undefined,
): EventSource {
  let at = from ?? START
  let isStarted = from !== undefined
  const more = (...events: StreamEvent[]) => ({ events, isOver: false })
  return {
    async next() {
      if (!isStarted) {
        isStarted = true
        const { id, chat_id, metadata } = message
        const data = { message_id: id, chat_id, question_id: metadata.question_id ?? null }
        return more({ event: 'message_start', data, id: idOf(START) })
      }
      const { progress, ended } = await following.read()
      const [event, position] = next(at, progress, ended !== undefined) ?? []
      if (event && position) {
        at = position
        return more(event)
      }
      return ended ? { events: lastEvents(at, ended), isOver: true } : more()
    },
    changed: (ms, signal) => following.changed(ms, signal),
    close: () => following.leave(),
  }
}

function lastEvents(at: Position, ended: ChatMessage): StreamEvent[] {
  const { error, reason } = ended.metadata
  const id = idOf({ ...at, errors: 1 })
  const failure =
    error && at.errors === 0 ? [{ event: 'error', data: { detail: error, reason: reason ?? null }, id }] : []
  return [...failure, { event: 'message_end', data: { message: ended }, id: END }]
}
