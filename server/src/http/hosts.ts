import type { IncomingMessage } from "node:http"
import { BlockList, isIP } from "node:net"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/errors"
import { type Audience, audienceOf } from "./list-query.ts"
import { isApiUrl } from "./security-headers.ts"

/** Routes of pages that a payer sees, and of what these need. */
const forPayers =
  /^\/(?:checkout|payment|invoice|assinar|assinatura|logos|assets|verificar|\.well-known\/tilinta|api\/v1\/(?:checkout|public|receipts))\/|^\/(?:favicon\.svg|healthz|readyz|termos|privacidade|verificar)$/
/** Not their pictures, which the panel shows too. */
const payersPage = /^\/checkout\/:link(?:\/denunciar)?$|^\/(?:payment|invoice|assinar|assinatura)\//
const audiences = new Set<Audience | undefined>(["site", "public", "health"])

/**
 * Keeps payers' pages on a host name of their own, where one is set: whatever ran in a page that strangers fill can't
 * reach the sessions that the panel's pages hold. Other names, as health checks use them, are not asked.
 */
export function keepHostsApart(
  app: FastifyInstance,
  { publicUrl, payersUrl }: { publicUrl: string; payersUrl: string },
): void {
  const [panel, payers] = [new URL(publicUrl).host, new URL(payersUrl).host]
  if (panel === payers) return

  app.addHook("onRequest", (request, reply, done) => {
    const { host } = request
    if (host === payers && !isForPayers(request)) return sendAway(request, reply, publicUrl)
    if (host === panel && isPage(request) && payersPage.test(patternOf(request)))
      return sendAway(request, reply, payersUrl)
    done()
  })
}

function isForPayers(request: FastifyRequest): boolean {
  return forPayers.test(patternOf(request)) && audiences.has(audienceOf(request.server))
}

function patternOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? ""
}

/** Addresses that people type or kept lead to the right host; calls are refused. */
function sendAway(request: FastifyRequest, reply: FastifyReply, site: string): void {
  if (!isPage(request)) throw new DomainError("route_not_found")
  reply.header("cache-control", "no-store").redirect(site + request.url, 302)
}

function isPage({ method, url }: FastifyRequest): boolean {
  return (method === "GET" || method === "HEAD") && !isApiUrl(url)
}

/** `name`, `name:port` or `[v6]:port`; an empty one is allowed, and names none. */
const hostField = /^(?:[\w.~%!$&'()*+;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i

/** Two hosts, or text that is none, are refused: a proxy might have read another one than we do (RFC 9112, 3.2). */
export function hasOneHost({ headers, rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1
  }
  return count <= 1 && hostField.test(headers.host ?? "")
}

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

/**
 * The client's address, as trusted proxies tell it; undefined once the connection is gone. A hop that is no address counts
 * as the proxy that wrote it: text in its place would be a new client for every rate limit.
 */
export function clientAddress({ headers, socket }: IncomingMessage, isTrusted: IsTrusted): string | undefined {
  const forwarded = headers["x-forwarded-for"]
  let address = socket.remoteAddress
  if (typeof forwarded !== "string") return address
  const hops = forwarded.split(",")
  while (hops.length > 0 && isTrusted(address)) {
    const hop = hops.pop()?.trim() ?? ""
    if (hop === "") continue
    const named = addressIn(hop)
    if (named === null) return address
    address = named
  }
  return address
}

/** The address of `203.0.113.7:1000` (Azure, IIS, AWS), `[2001:db8::9]:1000` or `"[2001:db8::9]"`; null where there is none. */
function addressIn(hop: string): string | null {
  const node = hop.replace(/^"(.*)"$/, "$1")
  const address = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(node)?.[1] ?? node.replace(/^([\d.]+):\d{1,5}$/, "$1")
  return isIP(address) > 0 && !address.includes("%") ? address : null
}

/** Makes `request.ip` the client's address, and refuses a request of which nobody can tell the host. */
export function readCallers(app: FastifyInstance, isTrusted: IsTrusted): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request
    if (raw.headers["x-forwarded-for"] !== undefined) {
      Object.defineProperty(request, "ip", { value: clientAddress(raw, isTrusted) })
    }
    if (hasOneHost(raw)) return done()
    reply.header("connection", "close")
    done(new DomainError("malformed_request"))
  })
}
