import type { ErrorReply } from "@tilinta/contract/fields"
import type { PixPaymentView } from "@tilinta/contract/payments"
import { digitsOf, sentFields } from "@tilinta/contract/vocabulary/payer-data"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import { failed, type PayerValues, paidBefore, refused, type ShownPix, type Step, shown } from "./checkout-state.ts"
import { isFixed, type PayablePage } from "./payable-page.ts"
import { attemptKey, forgetAttempt } from "./tab-storage.ts"

type PageToPay = Pick<PayablePage, "id" | "isAnonymous" | "choice">

const base = "/api/v1/checkout/"
const fallbackMessage = "Erro ao processar pagamento PIX"

/**
 * Returns the step that applies the answer; while too many ask at once it asks again by itself, and `update` says so.
 */
export async function requestPix(page: PageToPay, payer: PayerValues, update: (step: Step) => void): Promise<Step> {
  const { id, isAnonymous } = page
  const customerInfo = isAnonymous
    ? null
    : {
        ...payer,
        ...(!isFixed && { amount: undefined }),
        name: payer.name?.trim(),
        email: payer.email?.trim(),
        cpf: digitsOf(payer.cpf),
        phone: payer.phone?.[0] === "+" ? payer.phone : digitsOf(payer.phone),
      }
  try {
    const response = await fetch(`${base}process-modern-pix-payment`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": attemptKey(id) },
      body: JSON.stringify({
        checkoutPageId: id,
        customerInfo,
        ...(!isFixed && page.choice && { amount: reaisOf(payer.amount ?? "") }),
      }),
    })
    const pause = response.headers.get("Retry-After")
    if (pause || response.status === 429) {
      update((state) => ({ ...state, spoken: "Aguarde..." }))
      await new Promise((resolve) => void setTimeout(resolve, 1000 * +(pause || 9)))
      return requestPix(page, payer, update)
    }
    const reply = await response.json()
    if (isFinal(response.status)) forgetAttempt(id)
    if (reply.code === "idempotency_key_reused") return requestPix(page, payer, update)
    return response.ok ? shown(shownAt(reply.data, Date.now())) : stepAfterFailure(reply)
  } catch (error) {
    console.warn(error)
    return failed(fallbackMessage)
  }
}

/** As it stands in the field: the script may have come too late to mask it. */
function reaisOf(text: string): number {
  return +text.replace(/\.(?=\d{3})/g, "").replace(",", ".")
}

export async function readStatus(transactionId: string, signal: AbortSignal): Promise<PayerStatus> {
  const response = await fetch(statusPath(transactionId), { signal })
  return (await response.json()).data.status
}

export function statusPath(transactionId: string): string {
  return `${base}payment-status/${transactionId}`
}

/** From here on the payment's name carries the payer's token, as the end of each address asks for it. */
export function shownAt(payment: PixPaymentView, nowMs: number): ShownPix {
  const clockSkewMs = Date.parse(payment.serverTime) - nowMs || 0
  const confirmedAt = payment.status === "pago" ? payment.serverTime : null
  const transactionId = `${payment.transactionId}?k=${payment.payerToken}`
  return { ...payment, transactionId, clockSkewMs, shownAtMs: nowMs, confirmedAt }
}

/** Only a clear answer ends an attempt: after a timeout, a server error or a conflict the Pix may exist. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 409
}

/** The server names fields by their path in the body: `customerInfo.cpf`. */
function stepAfterFailure({ code, message, errors = [] }: ErrorReply): Step {
  if (code === "charge_page_already_paid") return paidBefore()
  for (const error of errors) {
    const field = (isFixed ? sentFields : [...sentFields, "amount" as const]).find((name) => error.path.endsWith(name))
    if (field !== undefined) return refused({ field, message: error.message })
  }
  return failed(message || fallbackMessage)
}
