/**
 * Which pages in a browser may call `/mcp`. The specification asks servers to check `Origin` against DNS rebinding: a
 * page of `evil.example`, whose name suddenly resolves to this machine, sends `Host: evil.example` and an `Origin` of
 * the same name. So the two being equal proves nothing, unless the host is an address or `localhost`, which no name
 * server can redirect.
 */
import { isIP } from 'node:net'

interface Allowed {
  publicUrl: string | undefined
  corsOrigins: readonly string[]
}

export function isAllowedOrigin(
  origin: string | undefined,
  host: string | undefined,
  { publicUrl, corsOrigins }: Allowed,
): boolean {
  // Programs other than browsers send none.
  if (origin === undefined) return true
  if (corsOrigins.includes('*') || corsOrigins.includes(origin)) return true
  const page = URL.parse(origin)
  if (!page) return false
  if (publicUrl !== undefined && new URL(publicUrl).origin === page.origin) return true
  const name = page.hostname.replace(/^\[|\]$/g, '')
  return (name === 'localhost' || isIP(name) > 0) && page.host === host
}
