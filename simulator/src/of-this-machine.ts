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

/** A local proxy connects from this machine too, so every address it names and the host it was asked for must be local. */
export function isOfThisMachine({ headers, socket }: FastifyRequest): boolean {
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
  const hosts = [headers.host ?? "", ...listed("x-forwarded-host")]
  return (
    [socket.remoteAddress ?? "", ...named].every(isLoopback) &&
    hosts.every(isLocalHost) &&
    (named.length > 0 || !isProxied)
  )
}

/** The address of `[::1]:8080` or `127.0.0.1:8080`. */
function addressIn(node: string): string {
  return /^\[([^\]]*)\]/.exec(node)?.[1] ?? node.replace(/:\d+$/, "")
}

/** Another name for this machine would be a page elsewhere that rebinds its name, or a proxy that names no client. */
function isLocalHost(host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase()
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address)
}
