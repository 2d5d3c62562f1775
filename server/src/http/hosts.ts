import type { IncomingMessage } from "node:http"
import { BlockList, isIP } from "node:net"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/errors"
import { type Audience, audienceOf } from "./list-query.ts"
import { isApiUrl } from "./security-headers.ts"

/** Routes of pages that a payer sees, and of what these need. */
const forPayers =
  /^\/(?:checkout|payment|assets|verificar|\.well-known\/tilinta|api\/v1\/(?:checkout|public|receipts))\/|^\/(?:favicon\.svg|healthz|readyz|termos|privacidade|verificar)$/
/** Not their pictures, which the panel shows too. */
const payersPage = /^\/checkout\/:link(?:\/denunciar)?$|^\/payment\//
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

/** The same as Fastify's `request.ip`, without its request; undefined once the connection is gone. */
export function clientAddress({ headers, socket }: IncomingMessage, isTrusted: IsTrusted): string | undefined {
  const forwarded = headers["x-forwarded-for"]
  let address = socket.remoteAddress
  if (typeof forwarded !== "string") return address
  const hops = forwarded.split(",")
  while (hops.length > 0 && isTrusted(address)) address = hops.pop()?.trim() || address
  return address
}
