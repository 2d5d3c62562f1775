import type { FastifyRequest } from "fastify"

/** Headers in which proxies name the client. */
const addressHeaders = [
  ...["x-forwarded-for", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-forwarded-for"],
  ...["cf-connecting-ip", "true-client-ip", "fastly-client-ip", "fly-client-ip", "x-envoy-external-address"],
]
/** Headers by which a proxy shows itself without naming the client. */
const proxyHeaders = [
  ...["via", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server", "x-forwarded-scheme"],
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

export function wayOf({ headers, socket }: FastifyRequest): Way {
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
export function isLocalHost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)
}

export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address)
}
