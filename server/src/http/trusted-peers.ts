import { BlockList, isIP } from "node:net"

const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
}

export type IsTrusted = (address: string | undefined) => boolean

/** Tells whether the connection's peer is one of our proxies, whatever the headers say. */
export function trustedPeers(proxies: readonly string[]): IsTrusted {
  const trusted = new BlockList()
  for (const network of proxies.flatMap((proxy) => namedNetworks[proxy] ?? [proxy])) {
    const [address = "", length] = network.split("/")
    const family = familyOf(address)
    if (length === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(length), family)
  }
  return (address) => address !== undefined && isIP(address) > 0 && trusted.check(address, familyOf(address))
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4"
}
