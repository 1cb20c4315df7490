/**
 * A closed loop of requests: so many connections at a time, for so long. It writes to sockets and reads only the status
 * and the length of an answer: with `node:http` as the client, half of the processor time went to the client.
 */
import { connect, type Socket } from 'node:net'

export interface Load {
  method?: string
  /** the path of the n-th request */
  path: (n: number) => string
  body?: (n: number) => string
  headers?: Record<string, string>
}

export interface Measured {
  perSecond: number
  /** milliseconds */
  median: number
  p99: number
}

export async function load(port: number, work: Load, connections: number, ms: number): Promise<Measured> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)))
  const times: number[] = []
  const began = performance.now()
  const end = began + ms
  let n = 0
  const worker = async (socket: Socket) => {
    const answer = answersOf(socket)
    for (let now = performance.now(); now < end; ) {
      const number = n++
      socket.write(requestOf(work, number))
      const status = await answer()
      if (status >= 300) throw new Error(`${work.path(number)} answered ${status}`)
      const then = performance.now()
      times.push(then - now)
      now = then
    }
  }
  await Promise.all(sockets.map(worker)).finally(() => {
    for (const socket of sockets) socket.destroy()
  })
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / seconds, median: at(0.5), p99: at(0.99) }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true).once('error', reject)
  })
}

function requestOf(work: Load, n: number): string {
  const body = work.body?.(n)
  const headers = Object.entries({
    host: '127.0.0.1',
    ...work.headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${work.method ?? 'GET'} ${work.path(n)} HTTP/1.1\r\n${lines}\r\n${body ?? ''}`
}

/** Waits for the next answer and returns its status. Answers must state their length. */
function answersOf(socket: Socket): () => Promise<number> {
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  let head = ''
  let status = 0
  let missing = 0
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail).on('close', () => fail(new Error('the connection was closed')))
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk.length
    if (missing === 0) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end + 2))?.[1]
      if (length === undefined) return fail(new Error(`an answer without a length: ${head.slice(0, end)}`))
      missing = Number(length)
      rest = head.length - end - 4
      head = ''
    }
    missing -= rest
    if (missing > 0) return
    missing = 0
    waiting?.resolve(status)
  })
  return () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
    })
}
