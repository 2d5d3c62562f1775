import { isIP } from "node:net"

/**
 * The network that stands for one client in rate limits: an IPv4 address, or the /64 of an IPv6 address, because a home
 * connection has 2^64 of those.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%")
  if (isIP(plain) !== 6) return plain
  const groups = groupsOf(plain)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return ipv4Of(groups)
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/** An IPv4 address written as IPv6, as a socket for both shows it. */
function ipv4Of(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".")
}

/** The eight groups. The URL parser writes each address in one form, without dotted endings. */
function groupsOf(address: string): number[] {
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const [before, after] = [head, tail].map((part) =>
    part.split(":").flatMap((group) => (group === "" ? [] : [Number.parseInt(group, 16)])),
  )
  const known = [...(before ?? []), ...(after ?? [])]
  return [...(before ?? []), ...Array.from({ length: 8 - known.length }, () => 0), ...(after ?? [])]
}

export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address)
}
