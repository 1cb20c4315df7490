/** A closed loop of requests: so many at a time, for so long; what came back and how fast. */
import http from 'node:http'

export interface Load {
  method?: string
  /** the path of the n-th request */
  path: (n: number) => string
  body?: (n: number) => string
  headers?: Record<string, string>
}

export interface Measured {
  perSecond: number
  median: number
  p99: number
}

export async function load(port: number, work: Load, connections: number, ms: number): Promise<Measured> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const end = performance.now() + ms
  let n = 0
  const worker = async () => {
    while (performance.now() < end) {
      const began = performance.now()
      await once(port, work, n++, agent)
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / seconds, median: at(0.5), p99: at(0.99) }
}

function once(port: number, work: Load, n: number, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const body = work.body?.(n)
    const request = http.request(
      {
        port,
        host: '127.0.0.1',
        agent,
        method: work.method ?? 'GET',
        path: work.path(n),
        headers: {
          ...work.headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      response => {
        response.resume()
        response.on('end', () =>
          response.statusCode! < 300
            ? resolve()
            : reject(new Error(`${work.path(n)} answered ${response.statusCode}`)),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
