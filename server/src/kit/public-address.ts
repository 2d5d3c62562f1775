import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

/**
 * True for an address of the public Internet alone. An address that carries another inside (IPv4-mapped, NAT64, 6to4,
 * Teredo, `::a.b.c.d`) is never public, because it may lead anywhere.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false
  const family = isIP(address)
  if (family === 4) return ipaddr.IPv4.parse(address).range() === "unicast"
  if (family !== 6) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.range() === "unicast" && parsed.match(globalUnicast)
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")
