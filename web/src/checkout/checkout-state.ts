import type { PixPaymentView } from "@tilinta/contract/api/payments-endpoints"
import type { PayerDataProblem, PayerField } from "@tilinta/contract/vocabulary/payer-data"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { announcementBetween } from "./countdown.ts"
import type { CheckoutData } from "./payable-page.ts"

export const payerFields = ["name", "email", "cpf", "phone"] as const satisfies readonly PayerField[]
export type PayerValues = Record<PayerField, string>
export const noValues: PayerValues = { name: "", email: "", cpf: "", phone: "" }

/** A Pix as this browser tab keeps it: what the server answered, and what only the tab knows. */
export interface ShownPix extends PixPaymentView {
  /** Server's clock minus this device's, so that a wrong clock doesn't shift the countdown. */
  clockSkewMs: number
  shownAtMs: number
  confirmedAt: string | null
  /** What came back of it since, once this tab asked. */
  returned?: number
}

export type Screen = "start" | "awaiting" | "approved" | "expired" | "cancelled" | "paid-before"

/** What the charge page itself is worth now; null until somebody needs to know. */
export type PageNow = "active" | "completed" | "closed" | null

export interface CheckoutState {
  screen: Screen
  isBusy: boolean
  /** True when the Pix came back from storage: the payer did nothing, so the focus stays where it is. */
  isRestored: boolean
  values: PayerValues
  displayed: readonly PayerField[]
  problem: PayerDataProblem | null
  failure: string | null
  pix: ShownPix | null
  isQrBroken: boolean
  copy: "idle" | "copied" | "refused"
  pageNow: PageNow
  nowMs: number
  /** What a screen reader says next. */
  spoken: string
}

/** One step of the checkout, pure: the network and the clock stand in `checkout-loop.ts`. */
export type Step = (state: CheckoutState) => CheckoutState

/** Heading and text of the screens that end a payment. */
export const endings = {
  approved: ["Pagamento Aprovado!", "Seu pagamento foi processado com sucesso."],
  expired: ["Pagamento Expirado", "O tempo para pagamento expirou."],
  cancelled: ["Este código foi cancelado", "Ele não aceita mais pagamentos."],
  "paid-before": ["Cobrança já paga", "Esta cobrança já foi paga. Não é preciso pagar de novo."],
} as const satisfies Partial<Record<Screen, readonly string[]>>

export function endingOf(screen: Screen): readonly string[] {
  const words: Partial<Record<Screen, readonly string[]>> = endings
  return words[screen] ?? []
}

export function startCheckout(page: CheckoutData, values: PayerValues): CheckoutState {
  const start: CheckoutState = {
    screen: page.isPaid ? "paid-before" : "start",
    isBusy: false,
    isRestored: false,
    values,
    displayed: page.required,
    problem: null,
    failure: page.failure ?? null,
    pix: null,
    isQrBroken: false,
    copy: "idle",
    pageNow: null,
    nowMs: 0,
    spoken: "",
  }
  return page.problem ? refused(page.problem)(start) : start
}

/** The Pix to follow: until it reads something else than pendente, also on a page that somebody already paid. */
export function followedId({ pix, screen }: CheckoutState): string | null {
  return pix !== null && (screen === "awaiting" || screen === "paid-before") ? pix.transactionId : null
}

export function remainingMs(pix: ShownPix, nowMs: number): number {
  return Date.parse(pix.expiresAt) - pix.clockSkewMs - nowMs
}

export function typed(field: PayerField, value: string): Step {
  return (state) => ({
    ...state,
    values: { ...state.values, [field]: value },
    problem: state.problem?.field === field ? null : state.problem,
  })
}

/** A field that isn't displayed can only be filled once it is: then all four are, so that the payer is asked once. */
export function refused(problem: PayerDataProblem): Step {
  return (state) => ({
    ...state,
    isBusy: false,
    problem,
    failure: null,
    displayed: state.displayed.includes(problem.field) ? state.displayed : payerFields,
  })
}

export function requested(): Step {
  return (state) => ({ ...state, isBusy: true, problem: null, failure: null })
}

export function failed(failure: string): Step {
  return (state) => ({ ...state, isBusy: false, failure })
}

export function shown(pix: ShownPix): Step {
  return (state) => ({ ...withPix(state, pix, pix.shownAtMs), isBusy: false, isRestored: false })
}

export function restored(pix: ShownPix, nowMs: number): Step {
  return (state) => ({ ...withPix(state, pix, nowMs), isRestored: true })
}

export function ticked(nowMs: number): Step {
  return (state) => {
    if (state.pix === null) return state
    const said = announcementBetween(remainingMs(state.pix, state.nowMs), remainingMs(state.pix, nowMs))
    return { ...state, nowMs, spoken: said ?? state.spoken }
  }
}

export function qrBroken(): Step {
  return (state) => ({ ...state, isQrBroken: true })
}

export function copied(copy: CheckoutState["copy"]): Step {
  return (state) => ({ ...state, copy, spoken: copy === "copied" ? "Copiado!" : "" })
}

export function statusRead(transactionId: string, status: PayerStatus, at: string): Step {
  return (state) => {
    if (state.pix === null || followedId(state) !== transactionId || status === "pendente") return state
    // What the page knew when it came is old: whether it takes another payment, only the next visit tells.
    if (status === "pago")
      return onScreen({ ...state, isRestored: false, pix: { ...state.pix, confirmedAt: at } }, "approved")
    if (state.screen === "paid-before") return { ...state, pix: null }
    return onScreen(state, status === "expirado" ? "expired" : "cancelled")
  }
}

/** Somebody else paid a page that takes one payment: there is nothing left to pay here. */
export function pageRead(pageNow: PageNow): Step {
  return (state) => {
    const isOver = pageNow === "completed" && followedId(state) === null && state.screen !== "approved"
    const next = { ...state, isBusy: false, pageNow }
    return isOver ? onScreen(next, "paid-before") : next
  }
}

export function restarted(): Step {
  return (state) => onScreen({ ...state, isRestored: false, pix: null, problem: null, failure: null }, "start")
}

function withPix(state: CheckoutState, pix: ShownPix, nowMs: number): CheckoutState {
  const isQrBroken = pix.pixQrCodeBase64 === ""
  const next: CheckoutState = { ...state, pix, nowMs, isQrBroken, pageNow: null, copy: "idle" }
  if (pix.confirmedAt !== null) return onScreen(next, "approved")
  return state.screen === "paid-before" ? next : onScreen(next, "awaiting")
}

function onScreen(state: CheckoutState, screen: Screen): CheckoutState {
  return { ...state, screen, spoken: endingOf(screen).join(" ") }
}
