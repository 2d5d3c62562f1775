import type { FastifyInstance, FastifyRequest } from "fastify"
import type { HttpDeps } from "#http/deps"
import { sendErrorPage } from "./checkout-error-page.ts"
import { findPlainPayment } from "./plain-payment.ts"
import { prefilled, type SentData } from "./prefilled.ts"
import { type CheckoutDeps, type CheckoutScreen, findByLink, type SendCheckout } from "./send-checkout.ts"

type Deps = CheckoutDeps & Pick<HttpDeps, "openings">

interface Call {
  Params: { link: string }
  Querystring: { pix?: string | string[]; comprovante?: string | string[]; volta?: string | string[] } & SentData
}

/** The first HTML contains everything: title, amount, Open Graph tags, style and script. It never creates a Pix. */
export function checkoutPage(app: FastifyInstance, deps: Deps, send: SendCheckout): void {
  app.get<Call>("/checkout/:link", { errorHandler: sendErrorPage }, async (request, reply) => {
    const { pix } = request.query
    const screen = await (pix === undefined ? pageScreen(deps, request) : paymentScreen(deps, request, String(pix)))
    return send(request, reply.code(screen === null ? 404 : 200), screen ?? { found: null })
  })
}

async function pageScreen(deps: Deps, request: FastifyRequest<Call>): Promise<CheckoutScreen | null> {
  const found = await findByLink(deps, request.params.link)
  if (found !== null && request.method === "GET") deps.openings.count(found.page.sellerId)
  return found && { found, form: { values: prefilled(request.query, found.page) } }
}

async function paymentScreen(
  deps: Deps,
  { params: { link }, query }: FastifyRequest<Call>,
  transactionId: string,
): Promise<CheckoutScreen | null> {
  const found = await findByLink(deps, link)
  const payment = await findPlainPayment(deps, found, {
    link,
    transactionId,
    isReceipt: query.comprovante !== undefined,
    isLeaving: query.volta !== undefined,
  })
  return payment && { found, payment }
}
