import type { FormProblem } from "@tilinta/contract/pages/checkout-props"
import type { PixPaymentView } from "@tilinta/contract/payments"
import { fieldsOf, type PayerField, payerFields } from "@tilinta/contract/vocabulary/payer-data"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import { announcementBetween } from "./countdown.ts"
import { type CheckoutData, isFixed } from "./payable-page.ts"

/** With a CNPJ, also an empty one, a company fills the form in. */
export type PayerValues = Partial<Record<FormField, string>>

/** Also the amount, where the payer chooses it. */
export type FormField = FormProblem["field"]

/** A Pix as this browser tab keeps it: the server's answer, and facts that only the tab knows. */
export interface ShownPix extends PixPaymentView {
  /** Server's clock minus this device's, so that a wrong clock doesn't shift the countdown. */
  clockSkewMs: number
  shownAtMs: number
  confirmedAt: string | null
}

/** The server draws how a payment ended, and a page that was paid before. */
type Screen = "start" | "awaiting" | "ended" | "paid-before"

export interface CheckoutState {
  screen: Screen
  values: PayerValues
  displayed: readonly PayerField[]
  nowMs: number
  isBusy?: boolean
  /** True when the Pix was restored from storage: the payer did nothing, so the focus stays where it is. */
  isRestored?: boolean
  problem?: FormProblem | null | undefined
  failure?: string | null | undefined
  pix?: ShownPix | null | undefined
  copy?: "copied" | "refused" | null
  /** The next screen-reader announcement; while the form is busy, shown on its button. */
  spoken?: string
}

/** One pure step of the checkout: network and clock are in `checkout-loop.ts`. */
export type Step = (state: CheckoutState) => CheckoutState

export function startCheckout(page: CheckoutData, values: PayerValues): CheckoutState {
  const { isPaid, required, failure, problem } = page
  const start: CheckoutState = {
    screen: isPaid ? "paid-before" : "start",
    values,
    displayed: required,
    nowMs: 0,
    failure,
  }
  return problem ? refused(problem)(start) : start
}

/** The Pix to poll while it is pendente, also on a page that somebody already paid. */
export function followedId({ pix, screen }: CheckoutState): string | null {
  return pix && (screen === "awaiting" || screen === "paid-before") ? pix.transactionId : null
}

export function remainingMs(pix: ShownPix, nowMs: number): number {
  return Date.parse(pix.expiresAt) - pix.clockSkewMs - nowMs
}

export function typed(field: FormField, value: string): Step {
  return (state) => ({
    ...state,
    values: { ...state.values, [field]: value },
    problem: state.problem?.field === field ? null : state.problem,
  })
}

/** Asks a company for its CNPJ instead of a CPF, or a person the other way round; the field takes the focus. */
export function documentSwapped(field: "cpf" | "cnpj"): Step {
  return (state) => {
    const { cnpj: _, ...values } = state.values
    return {
      ...state,
      values: { ...values, cpf: "", ...(field === "cnpj" && { cnpj: "" }) },
      problem: { field, message: "" },
    }
  }
}

/** A problem in a hidden field reveals all four fields, so that the payer is asked only once. */
export function refused(problem: FormProblem): Step {
  return (state) => ({
    ...state,
    isBusy: false,
    problem,
    failure: null,
    displayed:
      (!isFixed && problem.field === "amount") ||
      (fieldsOf(state.values, state.displayed) as readonly FormField[]).includes(problem.field)
        ? state.displayed
        : payerFields,
  })
}

export function requested(): Step {
  return (state) => ({ ...state, isBusy: true, spoken: "", problem: null, failure: null })
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
    const { pix } = state
    const said = pix && announcementBetween(remainingMs(pix, state.nowMs), remainingMs(pix, nowMs))
    return { ...state, nowMs, ...(said && { spoken: said }) }
  }
}

/** Removes an image that the browser can't show; the code stays. */
export function qrBroken(): Step {
  return (state) => ({ ...state, pix: state.pix && { ...state.pix, pixQrCodeBase64: "" } })
}

export function copied(copy: "copied" | "refused" | null): Step {
  return (state) => ({ ...state, copy, spoken: copy === "copied" ? "Copiado!" : "" })
}

export function statusRead(transactionId: string, status: PayerStatus, at: string): Step {
  return (state) => {
    const { pix } = state
    if (!pix || followedId(state) !== transactionId || status === "pendente") return state
    if (status === "pago") return onScreen({ ...state, isRestored: false, pix: { ...pix, confirmedAt: at } }, "ended")
    return state.screen === "paid-before" ? { ...state, pix: null } : onScreen(state, "ended")
  }
}

/** Somebody else paid a page that takes one payment: there is nothing left to pay here. */
export function paidBefore(): Step {
  return (state) => onScreen(state, "paid-before")
}

export function restarted(): Step {
  return (state) => onScreen({ ...state, isRestored: false, pix: null, problem: null, failure: null }, "start")
}

function withPix(state: CheckoutState, pix: ShownPix, nowMs: number): CheckoutState {
  const next: CheckoutState = { ...state, pix, nowMs, copy: null }
  if (pix.confirmedAt) return onScreen(next, "ended")
  return state.screen === "paid-before" ? next : onScreen(next, "awaiting")
}

function onScreen(state: CheckoutState, screen: Screen): CheckoutState {
  return { ...state, screen, spoken: "" }
}
