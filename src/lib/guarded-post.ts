/**
 * POST to an address that a client has chosen. It connects only to public addresses and allowed networks. It checks the
 * address of the connection itself, because a name can resolve to another address the next time (DNS rebinding).
 */
import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { type BlockList, isIP, type LookupFunction } from 'node:net'
import { isIn, isPublic } from './addresses.ts'
import { codeOf, messageOf } from './thrown.ts'

export const MAX_RESPONSE_BYTES = 64 * 1024

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  /** up to MAX_RESPONSE_BYTES of it */
  body: Buffer
}

export interface GuardedClient {
  /** Redirects are not followed but returned like any response. Throws `Unreachable` if there is no response. */
  post(url: URL, headers: Record<string, string>, body: string): Promise<Answer>
  close(): void
}

/** There was no response; the message says why. */
export class Unreachable extends Error {}

export interface GuardOptions {
  allowed: BlockList
  timeoutMs: number
  /** the addresses of a name */
  resolve?: (name: string) => Promise<string[]>
}

export function guardedClient({
  allowed,
  timeoutMs,
  resolve = resolverFor(allowed, timeoutMs),
}: GuardOptions): GuardedClient {
  // Plain HTTP is possible only within an allowed network.
  const mayConnect = {
    'http:': (address: string) => isIn(allowed, address),
    'https:': (address: string) => isPublic(address) || isIn(allowed, address),
  }
  const agentOptions = { keepAlive: true, timeout: timeoutMs, maxFreeSockets: 16 }
  const agents = {
    'http:': new http.Agent({ ...agentOptions, lookup: guardedLookup(resolve, mayConnect['http:']) }),
    'https:': new https.Agent({ ...agentOptions, lookup: guardedLookup(resolve, mayConnect['https:']) }),
  }

  function send(url: URL, headers: Record<string, string>, body: string): Promise<Answer> {
    const protocol = url.protocol === 'http:' ? 'http:' : 'https:'
    // An IP address instead of a name is connected to without a lookup, so it is checked here.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !mayConnect[protocol](literal)) throw refused()
    const { request } = protocol === 'http:' ? http : https
    return new Promise((resolve, reject) => {
      const call = request(url, {
        method: 'POST',
        agent: agents[protocol],
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal: AbortSignal.timeout(timeoutMs),
      })
      const fail = (error: unknown) =>
        reject(error instanceof Unreachable ? error : new Unreachable(sentenceOf(error, timeoutMs)))
      call.on('error', error => {
        if (call.reusedSocket && codeOf(error) === 'ECONNRESET') reject(new StaleConnection())
        else fail(error)
      })
      call.on('response', response => {
        const chunks: Buffer[] = []
        let bytes = 0
        const done = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES),
          })
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes < MAX_RESPONSE_BYTES) return
          done()
          response.destroy()
        })
        response.on('end', done)
        response.on('error', fail)
      })
      call.end(body)
    })
  }

  return {
    async post(url, headers, body) {
      try {
        return await send(url, headers, body)
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
        return send(url, headers, body)
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** The server had closed a kept-alive connection; the request is retried at once on a new one. */
class StaleConnection extends Unreachable {}

const refused = () =>
  new Unreachable('The address is not on the public internet, and its network is not allowed')

/** A DNS lookup that returns only allowed addresses. */
const guardedLookup =
  (resolve: (name: string) => Promise<string[]>, mayConnect: (address: string) => boolean): LookupFunction =>
  (name, options, callback) => {
    resolve(name)
      .then(addresses => {
        if (addresses.length === 0) throw new Unreachable('The host name was not found')
        const usable = addresses.filter(mayConnect).map(address => ({ address, family: isIP(address) }))
        const [first] = usable
        if (!first) throw refused()
        if (options.all) callback(null, usable)
        else callback(null, first.address, first.family)
      })
      .catch(error => callback(error, []))
  }

/**
 * Names are not resolved by the operating system by default: its resolver blocks one of four threads that file access
 * needs too, so unresponsive name servers could block all of them. Where networks are allowed it is used, because their
 * names may exist only in the hosts file or in search domains.
 */
const resolverFor =
  (allowed: BlockList, timeoutMs: number) =>
  async (name: string): Promise<string[]> => {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 5), tries: 2 })
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    return addresses.length > 0 || allowed.rules.length === 0 ? addresses : bySystem(name)
  }

const bySystem = (name: string): Promise<string[]> =>
  new Promise(resolve => {
    systemLookup(name, { all: true }, (error, addresses) => {
      resolve(error ? [] : addresses.map(({ address }) => address))
    })
  })

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before an answer came',
  ETIMEDOUT: 'The connection could not be opened in time',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too large',
}

function sentenceOf(error: unknown, timeoutMs: number): string {
  const code = codeOf(error)
  if (code === 'ABORT_ERR') return `No answer within ${timeoutMs / 1000} seconds`
  return SENTENCES[code ?? ''] ?? messageOf(error).slice(0, 300)
}
