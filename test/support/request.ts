/** The HTTP client of the tests. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind
  body: any
  text: string
}

/** `fetch` takes three times the processor time of a request over a kept connection. */
const agent = new Agent({ keepAlive: true })

/** Any request, with a JSON body unless it is text, bytes or a form already. Redirects are not followed. */
export async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { type, payload } = await encoded(body)
  const hasType = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
  const incoming = await answerTo(url, method, payload, {
    ...(type === undefined || hasType ? {} : { 'content-type': type }),
    ...headers,
  })
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = decoder.decode(Buffer.concat(chunks))
  const isJson = incoming.headers['content-type']?.startsWith('application/json')
  return {
    status: incoming.statusCode ?? 0,
    headers: headersOf(incoming),
    text,
    body: isJson ? JSON.parse(text) : text,
  }
}

const decoder = new TextDecoder()

interface Encoded {
  type?: string
  payload?: string | Uint8Array
}

async function encoded(body: unknown): Promise<Encoded> {
  if (body === undefined) return {}
  if (typeof body === 'string') return { type: 'text/plain;charset=UTF-8', payload: body }
  if (body instanceof Uint8Array) return { payload: body }
  if (!(body instanceof FormData)) return { type: 'application/json', payload: JSON.stringify(body) }
  const form = new Response(body)
  return { type: form.headers.get('content-type') ?? '', payload: await form.bytes() }
}

const answerTo = (
  url: string,
  method: string,
  payload: string | Uint8Array | undefined,
  headers: Record<string, string>,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
    const call = httpRequest(url, { agent, method, headers: { ...headers, ...length } }, resolve)
      .on('error', (error: NodeJS.ErrnoException) => {
        // The service closed an idle connection at the moment at which it was used again, and has read nothing.
        const isStale = call.reusedSocket && error.code === 'ECONNRESET'
        if (isStale) answerTo(url, method, payload, headers).then(resolve, reject)
        else reject(error)
      })
      .end(payload)
  })

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  return headers
}
