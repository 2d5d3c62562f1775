import { createHash } from "node:crypto"
import type { FormProblem, FormValues, PlainForm, PlainPayment } from "@tilinta/contract/pages/checkout-props"
import { customerInfoBody } from "@tilinta/contract/payments"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import { MAX_AMOUNT_CENTS, parseReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { digitsOf, fieldsOf, payerDataProblem, payerFields, sentFields } from "@tilinta/contract/vocabulary/payer-data"
import { payerStatusOf } from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import * as z from "zod/mini"
import { startErrorReply } from "#http/errors"
import { isForeignForm, readOnlyForms } from "#http/form-body"
import { limitCallers } from "#http/rate-limits"
import { brokenRule, DomainError } from "#kit/errors"
import { type CheckoutDeps, findByLink, type SendCheckout, sendFailurePage } from "#selling/charge-pages/checkout-pages"
import { checkoutPath } from "#selling/charge-pages/rules"
import { createCharge } from "./create.ts"
import { findShownCharge } from "./find.ts"
import type { ProviderDeps } from "./open.ts"
import { type ChargeLimits, toPixPaymentView } from "./payment-routes.ts"
import { findReturnLinkOf } from "./statuses.ts"
import { paymentPath } from "./views.ts"

const maxBytes = 16 * 1024
const keyPattern = /^[\w-]{16,64}$/
const plainFormBody = z.object({
  ...customerInfoBody.shape,
  amount: z.optional(z.string()),
  chave: z.prefault(z.string(), ""),
})
type PlainFormBody = z.infer<typeof plainFormBody>
type FormDeps = CheckoutDeps & ProviderDeps & { chargeLimits: ChargeLimits }
type Call = FastifyRequest<{ Params: { link: string }; Body: PlainFormBody }>

/** Failures after which the form is shown again with its input; after others it can't be rendered, or must not. */
const shownInForm = new Set<ErrorCode>([
  "validation_failed",
  "malformed_request",
  "forbidden",
  "psp_unavailable",
  "psp_refused",
  "too_many_requests",
  "charge_page_already_paid",
  "debit_under_way",
  "charge_page_changed",
  "public_charge_page_not_found",
  "charge_page_not_open",
  "charge_page_suspended",
])

/** Creates the Pix for payers without script, or faster than the script. Redirects to its page. */
export function checkoutForm(app: FastifyInstance, deps: FormDeps, send: SendCheckout): void {
  readOnlyForms(app)
  limitCallers(app, deps)

  app.post<{ Params: { link: string }; Body: PlainFormBody }>(
    "/checkout/:link",
    {
      bodyLimit: maxBytes,
      schema: { body: plainFormBody },
      errorHandler: (error, request, reply) => sendFormAgain({ deps, send }, error, request, reply),
    },
    async (request, reply) => {
      const { link } = request.params
      if (isForeignForm(request, deps.payersUrl)) {
        throw new DomainError("forbidden", { message: "O envio não veio desta página. Confira e envie de novo." })
      }
      const charge = await createFromForm(deps, request)
      return reply
        .header("cache-control", "no-store")
        .redirect(paymentPath(link, charge.id, deps.payerTokens.of(charge.id)), 303)
    },
  )
}

async function createFromForm(deps: FormDeps, { params: { link }, body: { chave, ...sent }, ip }: Call) {
  const { found, hiddenBy } = await findByLink(deps, link)
  if (hiddenBy !== null) throw new DomainError(hiddenBy)
  const problem = found.page.allowAnonymous ? null : payerDataProblem(sent, fieldsOf(sent, payerFields))
  if (problem !== null) throw brokenRule(`customerInfo.${problem.field}`, problem.message)
  if (!keyPattern.test(chave))
    throw new DomainError("malformed_request", { message: "Confira os dados e envie de novo." })
  return createCharge(deps, {
    pageId: found.page.id,
    customerInfo: found.page.allowAnonymous ? null : sent,
    amount: sent.amount === undefined ? null : typedAmount(sent.amount),
    idempotencyKey: keyOfAttempt(chave, sent),
    ...deps.chargeLimits.of(ip, found.page.id),
  })
}

function typedAmount(text: string): number | null {
  if (text.trim() === "") return null
  const reais = parseReais(text)
  if (reais === null || reais > reaisFromCents(MAX_AMOUNT_CENTS))
    throw brokenRule("amount", "Informe o valor, como 12,50.")
  return reais
}

/** Submitting the same form twice is one Pix; with changed data it is another one. */
function keyOfAttempt(key: string, { name, email, cpf, cnpj, phone, amount }: FormValues): string {
  const attempt = JSON.stringify([
    key,
    name ?? "",
    email ?? "",
    digitsOf(cpf),
    (cnpj ?? "").replace(/\W/g, ""),
    digitsOf(phone),
    ...(amount === undefined ? [] : [amount]),
  ])
  return createHash("sha256").update(attempt).digest("base64url")
}

interface Drawing {
  deps: CheckoutDeps
  send: SendCheckout
}

async function sendFormAgain({ deps, send }: Drawing, error: unknown, request: Call, reply: FastifyReply) {
  const failure = startErrorReply(error, request, reply)
  if (!request.body || !shownInForm.has(failure.code)) return sendFailurePage(failure, reply)
  try {
    const screen = await findByLink(deps, request.params.link)
    await send(request, reply, { ...screen, form: formAfter(failure, request.body) })
  } catch (cause) {
    sendFailurePage(startErrorReply(cause, request, reply), reply)
  }
}

/** Keeps the key: after a timeout of the provider the very same Pix is requested again. */
function formAfter(failure: DomainError, { chave, ...values }: PlainFormBody): Partial<PlainForm> {
  const problem = problemOf(failure)
  return {
    ...(keyPattern.test(chave) && { key: chave }),
    values,
    problem,
    failure: problem === null ? failure.shownMessage : null,
  }
}

/** The server names fields by their path in the API's body: `customerInfo.cpf`. */
function problemOf({ errors = [] }: DomainError): FormProblem | null {
  for (const { path, message } of errors) {
    const field = [...sentFields, "amount" as const].find((name) => path.endsWith(name))
    if (field !== undefined) return { field, message }
  }
  return null
}

interface FormRequest {
  link: string
  transactionId: string
  /** The payer's token, as sent. */
  token: unknown
  isLeaving: boolean
}

/** Works after the charge page was closed or deleted (`pageId` is null then); null when the Pix is another page's. */
export async function findPlainPayment(
  { db, clock, payerTokens, secretKeys }: CheckoutDeps,
  pageId: string | null,
  { link, transactionId, token, isLeaving }: FormRequest,
): Promise<PlainPayment | null> {
  if (!payerTokens.admits(transactionId, token)) return null
  const shown = await findShownCharge({ db, clock }, transactionId)
  if (shown === null || (pageId !== null && pageId !== shown.charge.pageId)) return null
  const { charge, receiver } = shown
  const pix = toPixPaymentView(charge, payerTokens.of(charge.id), clock.now())
  return {
    pix,
    title: charge.pageTitle,
    seller: receiver.name,
    sellerDocument: receiver.document || null,
    confirmedAt: pix.status === payerStatusOf.paid ? (charge.paidAt?.toISOString() ?? null) : null,
    returned: reaisFromCents(charge.refundedCents),
    isLeaving,
    returnUrl: await findReturnLinkOf({ db, clock, secretKeys }, charge),
    pagePath: checkoutPath(link),
  }
}
