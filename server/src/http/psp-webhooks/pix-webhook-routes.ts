import { isUtf8 } from "node:buffer"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { FastifyInstance } from "fastify"
import type { StoreWebhook } from "#domain/bank/psp-inbox/store-webhook"
import type { ShortWay } from "#http/short-way"
import type { IsTrusted } from "#http/trusted-peers"
import { DomainError } from "#kit/domain-error"
import { isSameSecret } from "#kit/same-secret"
import type { Psp } from "#psp/psp"

interface Deps {
  psp: Pick<Psp, "isGenuine">
  isTrustedPeer: IsTrusted
  provider: string
  webhookSecret: string
  storeWebhook: StoreWebhook
}

const bodyLimitBytes = 1_048_576
const suffixes = ["/pix", ""]
const plainType = /^application\/json(?:; ?charset=utf-8)?$/i
const received = { status: "success" }
const receivedText = JSON.stringify(received)

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

/** With another secret or type, or at the payers' host, only the route answers. */
export function pixWebhookShortWays(
  deps: Deps & { mayBePayersHost: (headers: IncomingHttpHeaders) => boolean },
): ShortWay[] {
  const folder = webhookPath(deps.provider, "")
  return suffixes.map((suffix) => ({
    ...{ method: "POST", route: routeOf(deps, suffix), mostBytes: bodyLimitBytes },
    accept(request) {
      const { url = "", headers } = request
      if (!url.startsWith(folder) || !url.endsWith(suffix)) return null
      const isPlain = plainType.test(headers["content-type"] ?? "") && !deps.mayBePayersHost(headers)
      if (!isPlain || !isSameSecret(url.slice(folder.length, url.length - suffix.length), deps.webhookSecret))
        return null
      return (body) => receiveWebhook(deps, request, body).then(() => receivedText)
    },
  }))
}

async function receiveWebhook(deps: Deps, { headers, socket }: IncomingMessage, body: unknown): Promise<void> {
  if (!Buffer.isBuffer(body) || !looksLikeJson(body)) throw new DomainError("malformed_request")
  const viaTrustedProxy = deps.isTrustedPeer(socket.remoteAddress)
  if (!deps.psp.isGenuine({ body, headers, viaTrustedProxy })) throw new DomainError("webhook_not_genuine")
  await deps.storeWebhook(body)
}

function routeOf({ provider }: Deps, suffix: string): string {
  return webhookPath(provider, `:secret${suffix}`)
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
