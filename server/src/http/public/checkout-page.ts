import type { FastifyInstance, FastifyRequest } from "fastify"
import type { HttpDeps } from "#http/deps"
import { sendErrorPage } from "./checkout-error-page.ts"
import { findPlainPayment } from "./plain-payment.ts"
import { prefilled, type SentData } from "./prefilled.ts"
import { type CheckoutDeps, type CheckoutScreen, findByLink, type SendCheckout } from "./send-checkout.ts"

type Deps = CheckoutDeps & Pick<HttpDeps, "openings">

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
export function checkoutPage(app: FastifyInstance, deps: Deps, send: SendCheckout): void {
  app.get<Call>("/checkout/:link", { errorHandler: sendErrorPage }, async (request, reply) => {
    const { pix } = request.query
    const screen = await (pix === undefined ? pageScreen(deps, request) : paymentScreen(deps, request, String(pix)))
    const isFound = screen.found !== null || screen.payment !== undefined
    return send(request, reply.code(isFound ? 200 : 404), screen)
  })
}

async function pageScreen(deps: Deps, request: FastifyRequest<Call>): Promise<CheckoutScreen> {
  const { found, hiddenBy } = await findByLink(deps, request.params.link)
  if (found === null) return { found, hiddenBy }
  if (request.method === "GET") deps.openings.count(found.page.sellerId)
  return { found, form: { values: prefilled(request.query, found.page) } }
}

async function paymentScreen(
  deps: Deps,
  { params: { link }, query }: FastifyRequest<Call>,
  /** The script writes the payer's token behind the id, as in the addresses that it polls. */
  named: string,
): Promise<CheckoutScreen> {
  const { found } = await findByLink(deps, link)
  const [transactionId = "", k] = named.split("?k=")
  const payment = await findPlainPayment(deps, found, {
    link,
    transactionId,
    token: k ?? query.k,
    isReceipt: query.comprovante !== undefined,
    isLeaving: query.volta !== undefined,
  })
  return payment === null ? { found: null } : { found, payment }
}
