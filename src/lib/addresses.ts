/** Which IP addresses are on the public internet. */
import { BlockList, isIP } from 'node:net'

/**
 * The special-purpose registries of IANA (RFC 6890) and service addresses of cloud providers (168.63.129.16 is
 * Azure's). For IPv6 only global unicast (2000::/3) is public, except the networks listed here.
 */
const SPECIAL = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
  // IETF protocols with Teredo and ORCHID, documentation, 6to4
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]

/** A list of networks: `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`. */
export function networks(given: readonly string[]): BlockList {
  const all = new BlockList()
  for (const network of given) {
    const [address = '', prefix] = network.split('/')
    const isFour = isIP(address) === 4
    all.addSubnet(address, Number(prefix ?? (isFour ? 32 : 128)), isFour ? 'ipv4' : 'ipv6')
  }
  return all
}

export const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= bits))
  )
}

const special = networks(SPECIAL)
const globalUnicast = networks(['2000::/3'])

export const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

/**
 * Whether a client may make the service connect to this address. IPv6 addresses that embed an IPv4 address (mapped,
 * NAT64, 6to4) never count as public.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !isIn(special, address)
  return isIP(address) === 6 && isIn(globalUnicast, address) && !isIn(special, address)
}
