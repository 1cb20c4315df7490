/** Reads server-sent events from the body of an answer. */
export interface ServerEvent {
  /** the id of this event or the last one before it */
  id: string
  event: string
  /** empty if only the id was sent */
  data: string
}

/** The service sends a comment every 15 seconds: a connection that is silent for longer is lost. */
const SILENCE_MS = 60_000

export async function* serverEvents(response: Response): AsyncGenerator<ServerEvent> {
  let id = ''
  let block: string[] = []
  for await (const line of lines(response)) {
    if (line !== '') {
      block.push(line)
      continue
    }
    const fields = fieldsOf(block)
    block = []
    id = fields.get('id') ?? id
    const data = fields.get('data')
    if (data !== undefined || fields.has('id'))
      yield { id, event: fields.get('event') ?? 'message', data: data ?? '' }
  }
}

function fieldsOf(block: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of block) {
    const [, name, value] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === undefined) continue
    const before = name === 'data' ? fields.get(name) : undefined
    fields.set(name, before === undefined ? (value ?? '') : `${before}\n${value ?? ''}`)
  }
  return fields
}

async function* lines(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await within(SILENCE_MS, reader.read())
      if (done) return
      const parts = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = parts.pop() ?? ''
      yield* parts
    }
  } finally {
    // Also when the caller leaves its loop: the connection must not stay open.
    await reader.cancel().catch(() => {})
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the stream was silent for too long')), ms)
  })
  return Promise.race([work, silence]).finally(() => clearTimeout(timer))
}
