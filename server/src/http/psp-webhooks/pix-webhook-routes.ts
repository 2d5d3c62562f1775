import { isUtf8 } from "node:buffer"
import type { FastifyInstance } from "fastify"
import type { StoreWebhook } from "#domain/bank/psp-inbox/store-webhook"
import { DomainError } from "#kit/domain-error"
import { isSameSecret } from "#kit/same-secret"
import type { Psp } from "#psp/psp"

interface Deps {
  psp: Pick<Psp, "isGenuine">
  isTrustedPeer: (address: string | undefined) => boolean
  provider: string
  webhookSecret: string
  storeWebhook: StoreWebhook
}

/** The webhook path to register with the provider; the standard makes it append `/pix`. */
export function webhookPath(provider: string, secret: string): string {
  return `/webhooks/${provider}/${secret}`
}

/**
 * A wrong secret is refused before the body is read, a missing proof of origin after it. Everything else is stored raw
 * first; 200 means that it is durable, and nothing more.
 */
export function pixWebhookRoutes(app: FastifyInstance, deps: Deps): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 1_048_576 }, (_request, body, done) => done(null, body))

  app.addHook<{ Params: { secret: string } }>("onRequest", (request, _reply, done) => {
    if (isSameSecret(request.params.secret, deps.webhookSecret)) done()
    else done(new DomainError("route_not_found"))
  })

  for (const suffix of ["", "/pix"]) {
    app.post(`/webhooks/${deps.provider}/:secret${suffix}`, async (request) => {
      if (!Buffer.isBuffer(request.body) || !looksLikeJson(request.body)) throw new DomainError("malformed_request")
      const { body, headers, socket } = request
      const viaTrustedProxy = deps.isTrustedPeer(socket.remoteAddress)
      if (!deps.psp.isGenuine({ body, headers, viaTrustedProxy })) throw new DomainError("webhook_not_genuine")
      await deps.storeWebhook(body)
      return { status: "success" }
    })
  }
}

function looksLikeJson(body: Buffer): boolean {
  if (!isUtf8(body)) return false
  try {
    JSON.parse(body.toString())
    return true
  } catch {
    return false
  }
}
