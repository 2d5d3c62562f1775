import { BlockList, isIP } from "node:net"
import type { FastifyRequest } from "fastify"

/** Tells who may read the sandbox's mails and use the bank's faults. */
export type MayControl = (request: FastifyRequest) => boolean

interface Opening {
  /** The networks of SIMULATOR_OPEN_TO, next to this machine. */
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

/** Nobody owns a wider network: 10.0.0.0/8, fc00::/7, a provider's /19. `::/8` holds every IPv4 address, behind 96 bits. */
function fewestBits(address: string): number {
  if (isIP(address) === 4) return 8
  if (/^(?:::|0{1,4}:)/.test(address)) return 96 + 8
  return /^f[c-e]/i.test(address) ? 7 : 19
}

/** Addresses and networks, and never so many addresses that they are everybody's, not even in halves. */
export function areNetworks(items: readonly string[]): boolean {
  return items.every((item) => {
    const [address = "", length, ...rest] = item.split("/")
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (rest.length > 0 || bits < 0) return false
    if (length === undefined) return true
    return /^[1-9]\d{0,2}$/.test(length) && Number(length) <= bits && Number(length) >= fewestBits(address)
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

/** Headers in which proxies name the client. */
const addressHeaders = [
  "x-forwarded-for",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-original-forwarded-for",
  "cf-connecting-ip",
  "true-client-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "x-envoy-external-address",
]
/** Headers by which a proxy shows itself without naming the client. */
const proxyHeaders = [
  "via",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-server",
  "x-forwarded-scheme",
]
/** Headers that say how a request came here. */
export const wayHeaders: readonly string[] = ["forwarded", ...addressHeaders, ...proxyHeaders]

/** How a request came here: the connection's peer and what proxies say, which a client may have invented. */
interface Way {
  addresses: string[]
  hosts: string[]
  /** A proxy passed it on without naming the client. */
  hidesClient: boolean
}

function wayOf({ headers, socket }: FastifyRequest): Way {
  const listed = (name: string) =>
    [headers[name] ?? ""]
      .flat()
      .join()
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
  const forwarded = headers["forwarded"] ?? ""
  const named = [
    ...addressHeaders.flatMap(listed),
    ...[...forwarded.matchAll(/for=("?)([^";,]*)\1/gi)].map(([, , address = ""]) => addressIn(address)),
  ]
  const isProxied = forwarded !== "" || proxyHeaders.some((name) => headers[name] !== undefined)
  return {
    addresses: [socket.remoteAddress ?? "", ...named],
    hosts: [headers.host ?? "", ...listed("x-forwarded-host")].map(nameOf),
    hidesClient: isProxied && named.length === 0,
  }
}

/** A local proxy connects from this machine too, so every address it names and the host it was asked for must be local. */
export function isOfThisMachine(request: FastifyRequest): boolean {
  const { addresses, hosts, hidesClient } = wayOf(request)
  return addresses.every(isLoopback) && hosts.every(isLocalHost) && !hidesClient
}

/** The address of `[::1]:8080` or `127.0.0.1:8080`. */
function addressIn(node: string): string {
  return /^\[([^\]]*)\]/.exec(node)?.[1] ?? node.replace(/:\d+$/, "")
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase()
}

/** Another name for this machine would be a page elsewhere that rebinds its name, or a proxy that names no client. */
function isLocalHost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address)
}
