import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { type Audience, audienceOf } from "./audience.ts"
import type { HttpDeps } from "./deps.ts"
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
  { publicUrl, payersUrl }: Pick<HttpDeps, "publicUrl" | "payersUrl">,
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
