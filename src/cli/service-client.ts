/** The client of the running service, for commands that call it. */
import { Kith } from '#client'
import { type Config, ConfigError } from '../config.ts'

export const clientOf = (config: Config): Kith => {
  const { url, key } = serviceOf(config)
  return new Kith({ url, apiKey: key })
}

/** Where the service is, and the key to call it with. */
export function serviceOf({ serviceUrl, host, port, apiKey }: Config): { url: string; key: string } {
  if (apiKey === undefined)
    throw new ConfigError('This command calls the service: set KITH_API_KEY to a key of your account.')
  return { url: serviceUrl ?? `http://${localName(host)}:${port}`, key: apiKey }
}

/** A service that listens on every address is reached at localhost. */
function localName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
