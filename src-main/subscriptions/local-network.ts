import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Addresses that aren't on the internet: this computer, local networks, and reserved ranges. */
const local = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  local.addSubnet(address, bits, 'ipv4')
  // As networks with IPv6 only translate them.
  local.addSubnet(`64:ff9b::${address}`, 96 + bits, 'ipv6')
}
for (const [address, bits] of [
  // With an IPv4 address inside, such as ::7f00:1, ::ffff:0:7f00:1, or 2002:7f00:1::, and tunnels to one.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  local.addSubnet(address, bits, 'ipv6')
local.addSubnet('64:ff9b:1::', 48, 'ipv6')

const localNames = /^(?:[^.]+|.*\.(?:local|localhost|internal|lan|home|home\.arpa))\.?$/i

/** Finds the addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** Names that the system doesn't know may still be known to a proxy. */
export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true }).catch(() => [])).map(({ address }) => address)

/** True if a URL's host is on this computer or in a local network. */
export const isInLocalNetwork = async (hostname: string, resolve: Resolve): Promise<boolean> =>
  (await webAddresses(hostname, resolve)) === undefined

/** The addresses of a URL's host. Undefined if one of them is on this computer or in a local network. */
export async function webAddresses(hostname: string, resolve: Resolve): Promise<readonly string[] | undefined> {
  const plain = hostname.replace(/^\[|\]$/g, '')
  const found = isIP(plain) !== 0 ? [plain] : localNames.test(plain) ? undefined : await resolve(plain)
  return found?.some(isLocal) ? undefined : found
}

function isLocal(address: string): boolean {
  if (isIP(address) === 4) return local.check(address, 'ipv4')
  // An IPv4 address in the clothes of IPv6 is checked as the former.
  return local.check(address.replace(/%.*$/, ''), 'ipv6')
}
