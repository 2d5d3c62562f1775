import type { PublicChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import type { ErrorReply } from "@tilinta/contract/api/error-reply"
import type { PixPaymentView } from "@tilinta/contract/api/payments-endpoints"
import { digitsOf } from "@tilinta/contract/vocabulary/payer-data"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { attemptKey, forgetAttempt } from "./attempt-key.ts"
import {
  failed,
  type PageNow,
  type PayerValues,
  pageRead,
  payerFields,
  refused,
  type ShownPix,
  type Step,
  shown,
} from "./checkout-state.ts"

const base = "/api/v1/checkout/"
const fallbackMessage = "Erro ao processar pagamento PIX"

/** `customer` is null when the page takes anonymous payments. The step says what the answer changes. */
export async function requestPix(pageId: string, customer: PayerValues | null): Promise<Step> {
  const customerInfo = customer && {
    name: customer.name.trim(),
    email: customer.email.trim(),
    cpf: digitsOf(customer.cpf),
    phone: digitsOf(customer.phone),
  }
  try {
    const response = await fetch(`${base}process-modern-pix-payment`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": attemptKey(pageId) },
      body: JSON.stringify({ checkoutPageId: pageId, customerInfo }),
    })
    const reply = await response.json()
    if (isFinal(response.status)) forgetAttempt(pageId)
    if (reply.code === "idempotency_key_reused") return requestPix(pageId, customer)
    return response.ok ? shown(shownAt(reply.data, Date.now())) : stepAfterFailure(reply)
  } catch (error) {
    console.warn(error)
    return failed(fallbackMessage)
  }
}

export async function readStatus(transactionId: string, signal: AbortSignal): Promise<PayerStatus> {
  const response = await fetch(statusPath(transactionId), { signal })
  return (await response.json()).data.status
}

export function statusPath(transactionId: string): string {
  return `${base}payment-status/${transactionId}`
}

/** Money may go back long after it was confirmed; the proof tells when. */
export async function readReturned(stored: ShownPix): Promise<Step> {
  const response = await fetch(`${base}payment-proofs/${stored.transactionId}`)
  const returned = (await response.json()).data.proof.refundedAmount
  return (state) => (state.pix === stored ? { ...state, pix: { ...stored, returned } } : state)
}

/** Whether a new code can be had. When nobody answers, it may be tried. */
export async function readPageNow(uniqueLink: string): Promise<PageNow> {
  try {
    const response = await fetch(`${base}pages/${uniqueLink}`)
    if (response.status === 404) return "closed"
    const { status } = (await response.json()).data.checkoutPage as PublicChargePageView
    return status === "completed" ? status : "active"
  } catch (error) {
    console.warn(error)
    return "active"
  }
}

export function shownAt(payment: PixPaymentView, nowMs: number): ShownPix {
  const clockSkewMs = Date.parse(payment.serverTime) - nowMs || 0
  const confirmedAt = payment.status === "pago" ? payment.serverTime : null
  return { ...payment, clockSkewMs, shownAtMs: nowMs, confirmedAt }
}

/** Only a clear answer ends an attempt: after silence, trouble or a conflict the Pix may well exist. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 409
}

/** The server names fields as the body nests them: `customerInfo.cpf`. */
function stepAfterFailure({ code, message, errors = [] }: ErrorReply): Step {
  if (code === "charge_page_already_paid") return pageRead("completed")
  for (const error of errors) {
    const field = payerFields.find((name) => error.path.endsWith(name))
    if (field !== undefined) return refused({ field, message: error.message })
  }
  return failed(message || fallbackMessage)
}
