import type { FastifyInstance, FastifyRequest } from "fastify"
import { limitAddresses } from "#http/rate-limits"
import { DomainError } from "#kit/errors"
import { findLogo } from "#people/shops/reads"
import { readPlatform } from "#platform/settings/reads"
import type { ChargeLimits } from "#selling/charges/payment-routes"
import { checkoutForm, findPlainPayment } from "#selling/charges/plain-pages"
import { proofPath } from "#selling/charges/rules"
import { pixQr } from "#selling/charges/views"
import { invoiceLinkRoutes } from "#selling/invoices/payer-pages"
import { reportPageRoutes } from "#selling/page-reports/pages"
import type { ReportLimits } from "#selling/page-reports/routes"
import type { HttpDeps } from "#start/deps"
import {
  type CheckoutDeps,
  type CheckoutScreen,
  checkoutSender,
  findByLink,
  type SendCheckout,
  sendErrorPage,
} from "./checkout-pages.ts"
import { pageQr, prefilled, previewSubject, type SentData, versionOf } from "./views.ts"

/** A page is rendered and compressed, a picture painted in another process: dearer than an answer of the API. */
const perAddress = {
  pages: { burst: 600, perSecond: 100, keys: 20_000 },
  qrCodes: { burst: 100, perSecond: 10, keys: 20_000 },
  pictures: { burst: 60, perSecond: 5, keys: 20_000 },
}

/** Everything under /checkout/, hidden from search engines. */
export async function checkoutScope(
  app: FastifyInstance,
  deps: HttpDeps & { chargeLimits: ChargeLimits; reportLimits: ReportLimits },
): Promise<void> {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("x-robots-tag", "noindex")
  })
  const send = await checkoutSender(deps)
  app.register(async (scope) => {
    limitAddresses(scope, deps, perAddress.pages)
    checkoutPage(scope, deps, send)
  })
  app.register(async (scope) => {
    limitAddresses(scope, deps, perAddress.qrCodes)
    pageQr(scope, deps)
    pixQr(scope, deps)
  })
  app.register(async (scope) => {
    limitAddresses(scope, deps, perAddress.pictures)
    pagePreview(scope, deps)
    invoiceLinkRoutes(scope, deps)
  })
  app.register(async (scope) => checkoutForm(scope, deps, send))
  app.register(async (scope) => reportPageRoutes(scope, deps))
}

type PageDeps = CheckoutDeps & Pick<HttpDeps, "openings">

interface Call {
  Params: { link: string }
  Querystring: {
    pix?: string | string[]
    k?: unknown
    comprovante?: string | string[]
    volta?: string | string[]
  } & SentData
}

/** The first HTML contains everything: title, amount, Open Graph tags, style and script. It never creates a Pix. */
function checkoutPage(app: FastifyInstance, deps: PageDeps, send: SendCheckout): void {
  app.get<Call>("/checkout/:link", { errorHandler: sendErrorPage }, async (request, reply) => {
    const { pix, comprovante } = request.query
    const named = pix === undefined ? null : pixOf(String(pix), request.query.k)
    // Links of before, when payers without script had a receipt of their own.
    if (named !== null && comprovante !== undefined) return reply.redirect(proofPath(named.transactionId, named.token))
    const screen = await (named === null ? pageScreen(deps, request) : paymentScreen(deps, request, named))
    const isFound = screen.found !== null || screen.payment !== undefined || screen.hiddenBy === "debit_under_way"
    return send(request, reply.code(isFound ? 200 : 404), screen)
  })
}

async function pageScreen(deps: PageDeps, request: FastifyRequest<Call>): Promise<CheckoutScreen> {
  const { found, hiddenBy, closedShop } = await findByLink(deps, request.params.link)
  if (found === null) return { found, hiddenBy, closedShop }
  if (request.method === "GET") deps.openings.count(found.page.sellerId)
  return { found, form: { values: prefilled(request.query, found.page) } }
}

async function paymentScreen(
  deps: PageDeps,
  { params: { link }, query }: FastifyRequest<Call>,
  named: NamedPix,
): Promise<CheckoutScreen> {
  const { found, pageId, closedShop } = await findByLink(deps, link)
  const payment = await findPlainPayment(deps, pageId, { link, ...named, isLeaving: query.volta !== undefined })
  return payment === null ? { found: null } : { found, closedShop, payment }
}

interface NamedPix {
  transactionId: string
  token: unknown
}

/** The script writes the payer's token behind the id, as in the addresses that it polls. */
function pixOf(named: string, k: unknown): NamedPix {
  const [transactionId = "", token = k] = named.split("?k=")
  return { transactionId, token }
}

type Deps = Pick<HttpDeps, "db" | "clock" | "previews">

interface PreviewRequest {
  Params: { link: string }
  Querystring: { v?: string }
}

/** The preview picture for messengers. Its address changes with its content, so it may be cached for ever. */
function pagePreview(app: FastifyInstance, { db, clock, previews }: Deps): void {
  app.addHook("onClose", async () => previews.stop())

  app.get<PreviewRequest>("/checkout/:link/preview.png", async (request, reply) => {
    const { link } = request.params
    const [{ found }, platform] = await Promise.all([findByLink({ db, clock }, link), readPlatform(db)])
    if (found === null) throw new DomainError("public_charge_page_not_found")
    const subject = previewSubject(found, platform.name)
    const version = versionOf(subject)
    const etag = `"${version}"`
    reply.headers({
      etag,
      "cache-control": request.query.v === version ? "public, max-age=31536000, immutable" : "public, max-age=300",
      "cross-origin-resource-policy": "cross-origin",
    })
    if (request.headers["if-none-match"] === etag) return reply.code(304).send()
    const { logoDigest } = subject
    const logo = logoDigest === null ? null : await findLogo(db, logoDigest)
    const picture = await previews.paint(version, { ...subject, logo: logo?.toString("base64") ?? null })
    return reply.type("image/png").send(picture)
  })
}
