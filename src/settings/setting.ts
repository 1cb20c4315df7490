/** Kinds of setting. Each parses its value from the environment and has a description for the README. */
import { isNetwork } from '../lib/addresses.ts'

/** An invalid setting; the message is a sentence for the operator. */
export class ConfigError extends Error {}

export type Env = Readonly<Record<string, string | undefined>>

export interface Setting<T> {
  /** the environment variables it reads */
  names: readonly string[]
  /** the default as the README shows it; empty: none */
  shown: string
  /** what it means, for the README */
  about: string
  read(env: Env): T
}

/** Empty and blank values count as not set. */
const value = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined

const code = (text: string | number | boolean) => `\`${text}\``

export const text = <D extends string | undefined>(
  name: string,
  fallback: D,
  about: string,
): Setting<string | D> => ({
  names: [name],
  shown: fallback === undefined ? '' : code(fallback),
  about,
  read: env => value(env, name) ?? fallback,
})

/** A text that must match a pattern. The error does not repeat the value, which may be secret. */
export const secret = (
  name: string,
  isGood: (text: string) => boolean,
  mustBe: string,
  about: string,
  shown = '',
): Setting<string | undefined> => ({
  names: [name],
  shown,
  about,
  read(env) {
    const secret = value(env, name)
    if (secret !== undefined && !isGood(secret)) throw new ConfigError(`${name} must ${mustBe}.`)
    return secret
  },
})

/** A whole number; `scale` turns it into the unit of the configuration. */
export const int = (
  name: string,
  fallback: number,
  [min, max]: readonly [number, number],
  about: string,
  { scale = 1, shown = code(fallback) }: { scale?: number; shown?: string } = {},
): Setting<number> => ({
  names: [name],
  shown,
  about,
  read(env) {
    const raw = value(env, name)
    if (raw === undefined) return fallback * scale
    const n = Number(raw)
    if (!Number.isInteger(n) || n < min || n > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}".`)
    }
    return n * scale
  },
})

const KB = 1024
const sizeOf = (bytes: number): string =>
  bytes >= KB ** 3 ? `${bytes / KB ** 3} GB` : bytes >= KB ** 2 ? `${bytes / KB ** 2} MB` : `${bytes / KB} KB`

/** A number of bytes. The README shows the default in MB or GB. */
export const bytes = (
  name: string,
  fallback: number,
  max: number,
  about: string,
  min = KB,
): Setting<number> => int(name, fallback, [min, max], about, { shown: sizeOf(fallback) })

export const bool = (name: string, fallback: boolean, about: string): Setting<boolean> => ({
  names: [name],
  shown: code(fallback),
  about,
  read(env) {
    const raw = value(env, name)?.toLowerCase()
    if (raw === undefined) return fallback
    if (['true', '1', 'yes', 'on'].includes(raw)) return true
    if (['false', '0', 'no', 'off'].includes(raw)) return false
    throw new ConfigError(`${name} must be true or false, not "${raw}".`)
  },
})

const isProxy = (text: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isNetwork(text)

/**
 * Which proxies are trusted to report the client's address: none, a number of hops, or a list of addresses. There is no
 * "all", because a client could then fake its address.
 */
export const proxies = (name: string, about: string): Setting<number | string[]> => ({
  names: [name],
  shown: code(false),
  about,
  read(env) {
    const raw = value(env, name)?.toLowerCase() ?? '0'
    if (['true', 'yes', 'on'].includes(raw)) return 1
    if (['false', 'no', 'off'].includes(raw)) return 0
    if (/^\d{1,2}$/.test(raw)) return Number(raw)
    const networks = raw.split(',').map(part => part.trim())
    if (networks.every(isProxy)) return networks
    throw new ConfigError(
      `${name} must be false, the number of proxies before the service, or their addresses (10.0.0.1, 10.0.0.0/8, loopback, uniquelocal), not "${raw}".`,
    )
  },
})

export const oneOf = <const T extends string>(
  name: string,
  values: readonly T[],
  fallback: NoInfer<T>,
  about: string,
): Setting<T> => ({
  names: [name],
  shown: code(fallback),
  about,
  read(env) {
    const raw = value(env, name) ?? fallback
    const choice = values.find(one => one === raw)
    if (choice === undefined) {
      throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${raw}".`)
    }
    return choice
  },
})

/** An address. The value may hold a password, so an error does not repeat it. */
export const url = (
  name: string,
  protocols: readonly string[],
  about: string,
): Setting<string | undefined> => ({
  names: [name],
  shown: '',
  about,
  read(env) {
    const raw = value(env, name)
    if (raw === undefined) return undefined
    const parsed = URL.parse(raw)
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new ConfigError(`${name} must be an address that starts with ${protocols.join(' or ')}//.`)
    }
    return raw
  },
})

/** A mailbox on an IMAP server. */
export interface Mailbox {
  host: string
  port: number
  /** TLS from the start; otherwise by STARTTLS */
  isSecure: boolean
  /** on this machine, where TLS is not needed */
  isLocal: boolean
  user: string
  password: string
  mailbox: string
  /** what logs and the database call it: without the password */
  name: string
}

export const mailbox = (name: string, about: string): Setting<Mailbox | undefined> => ({
  names: [name],
  shown: '',
  about,
  read(env) {
    const raw = url(name, ['imap:', 'imaps:'], about).read(env)
    if (raw === undefined) return undefined
    const { protocol, hostname, port, username, password, pathname } = new URL(raw)
    const [user, secret, path] = [username, password, pathname.slice(1)].map(decoded)
    if (!hostname || !user || !secret || path === undefined)
      throw new ConfigError(
        `${name} must have the form imaps://user:password@host/INBOX, with special characters percent-encoded.`,
      )
    const isSecure = protocol === 'imaps:'
    const host = hostname.replace(/^\[|\]$/g, '')
    const address = {
      host,
      port: Number(port) || (isSecure ? 993 : 143),
      mailbox: path || 'INBOX',
    }
    return {
      ...address,
      isSecure,
      isLocal: ['localhost', '127.0.0.1', '::1'].includes(host),
      user,
      password: secret,
      name: `${user} at ${host}:${address.port}, ${address.mailbox}`,
    }
  },
})

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Without the slashes at its end, so that paths can be appended. */
export const webUrl = (name: string, about: string): Setting<string | undefined> => {
  const whole = url(name, ['https:', 'http:'], about)
  return { ...whole, read: env => whole.read(env)?.replace(/\/+$/, '') }
}

export const textList = (
  name: string,
  fallback: readonly string[],
  isGood: (one: string) => boolean,
  mustBe: string,
  about: string,
  shown = '',
): Setting<string[]> => ({
  names: [name],
  shown,
  about,
  read(env) {
    const items = value(env, name)
      ?.split(',')
      .map(one => one.trim())
      .filter(one => one !== '')
    if (items?.some(one => !isGood(one))) throw new ConfigError(`${name} must be ${mustBe}.`)
    return items ?? [...fallback]
  },
})

/** An OpenAI-compatible service, e.g. https://api.example.com/v1. */
export interface ModelEndpoint {
  url: string
  model: string
  key: string | undefined
}

export const modelEndpoint = (prefix: string, about: string): Setting<ModelEndpoint | undefined> => ({
  names: [`${prefix}_URL`, `${prefix}_MODEL`, `${prefix}_KEY`],
  shown: '',
  about,
  read(env) {
    const address = webUrl(`${prefix}_URL`, about).read(env)
    const model = value(env, `${prefix}_MODEL`)
    if (address === undefined) return undefined
    if (model === undefined) throw new ConfigError(`${prefix}_URL needs ${prefix}_MODEL too.`)
    return { url: address, model, key: value(env, `${prefix}_KEY`) }
  },
})

/** Settings in groups, as deep as the configuration has them. */
export type SettingTable = { readonly [key: string]: Setting<unknown> | SettingTable }

/** The type of the configuration that a table describes. */
export type ConfigOf<T> = T extends Setting<infer V> ? V : { [K in keyof T]: ConfigOf<T[K]> }

export const isSetting = (part: Setting<unknown> | SettingTable): part is Setting<unknown> =>
  typeof part.read === 'function'

export function readSettings<T extends SettingTable>(table: T, env: Env): ConfigOf<T> {
  const entries = Object.entries(table).map(([key, part]): [string, unknown] => [
    key,
    isSetting(part) ? part.read(env) : readSettings(part, env),
  ])
  return Object.fromEntries(entries) as ConfigOf<T>
}
