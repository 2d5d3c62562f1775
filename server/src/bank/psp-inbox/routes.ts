import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import type { FastifyInstance } from "fastify"
import type { IsTrusted } from "#http/hosts"
import { DomainError } from "#kit/errors"
import { isSameSecret } from "#kit/secrets"
import type { Psp } from "#psp/psp"
import type { StoreWebhook } from "./store.ts"

interface Deps {
  psp: Pick<Psp, "isGenuine">
  isTrustedPeer: IsTrusted
  provider: string
  webhookSecret: string
  storeWebhook: StoreWebhook
}

const bodyLimitBytes = 1_048_576
const suffixes = ["/pix", "/rec", "/cobr", ""]
const received = { status: "success" }

/** The webhook path to register with the provider; the standard makes it append `/pix`, `/rec` or `/cobr`. */
export function webhookPath(provider: string, secret: string): string {
  return `/webhooks/${provider}/${secret}`
}

/**
 * A wrong secret is refused before the body is read, a missing proof of origin after it. Everything else is stored raw
 * first; 200 means that it is durable, and nothing more.
 */
export function pixWebhookRoutes(app: FastifyInstance, deps: Deps): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyLimitBytes }, (_request, body, done) =>
    done(null, body),
  )

  app.addHook<{ Params: { secret: string } }>("onRequest", (request, _reply, done) => {
    if (isSameSecret(request.params.secret, deps.webhookSecret)) done()
    else done(new DomainError("route_not_found"))
  })

  for (const suffix of suffixes) {
    app.post(routeOf(deps, suffix), async ({ raw, body }) => {
      await receiveWebhook(deps, raw, body)
      return received
    })
  }
}

async function receiveWebhook(deps: Deps, { headers, socket }: IncomingMessage, body: unknown): Promise<void> {
  if (!Buffer.isBuffer(body) || !isLikelyJson(body)) throw new DomainError("malformed_request")
  const viaTrustedProxy = deps.isTrustedPeer(socket.remoteAddress)
  if (!deps.psp.isGenuine({ body, headers, viaTrustedProxy })) throw new DomainError("webhook_not_genuine")
  await deps.storeWebhook(body)
}

function routeOf({ provider }: Deps, suffix: string): string {
  return webhookPath(provider, `:secret${suffix}`)
}

function isLikelyJson(body: Buffer): boolean {
  if (!isUtf8(body)) return false
  try {
    JSON.parse(body.toString())
    return true
  } catch {
    return false
  }
}
