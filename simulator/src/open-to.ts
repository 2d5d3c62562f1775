import { BlockList, isIP } from "node:net"
import type { FastifyRequest } from "fastify"
import { isLocalHost, isLoopback, isOfThisMachine, wayOf } from "./of-this-machine.ts"

/** Tells who may read the sandbox's mails and use the bank's faults. */
export type MayControl = (request: FastifyRequest) => boolean

interface Opening {
  /** The networks of SIMULATOR_OPEN_TO, beside this machine. */
  networks: readonly string[]
  /** The host names by which we are known. */
  ownHosts: readonly string[]
}

/**
 * A container sees its callers as the bridge's address, so that nobody is of this machine there. Another host name than our
 * own is refused all the same, because a page elsewhere may lead its name here.
 */
export function openTo({ networks, ownHosts }: Opening): MayControl {
  if (networks.length === 0) return isOfThisMachine
  const list = listOf(networks)
  const isListed = (address: string) => isIP(address) > 0 && list.check(address, familyOf(address))
  const isOurs = (name: string) => isLocalHost(name) || ownHosts.includes(name) || nobodyCanOwn(name)
  return (request) => {
    if (isOfThisMachine(request)) return true
    const { addresses, hosts, hidesClient } = wayOf(request)
    const isNear = addresses.every((address) => isLoopback(address) || isListed(address)) && addresses.some(isListed)
    return isNear && hosts.every(isOurs) && !hidesClient
  }
}

/** The address itself, or a name without a dot, as services of one compose file call each other. */
function nobodyCanOwn(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) > 0 || /^[a-z0-9-]+$/.test(name)
}

export function listOfNetworks(text: string): string[] {
  return text.split(",").map((item) => item.trim())
}

/** Addresses and networks, and never all addresses there are. */
export function areNetworks(items: readonly string[]): boolean {
  return items.every((item) => {
    const [address = "", length, ...rest] = item.split("/")
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (rest.length > 0 || bits < 0) return false
    return length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= bits)
  })
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", length] = network.split("/")
    if (length === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(length), familyOf(address))
  }
  return list
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4"
}
