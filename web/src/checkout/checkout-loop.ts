import { type PayerField, payerDataProblem } from "@tilinta/contract/vocabulary/payer-data"
import { copyText } from "#ui/copy-text.ts"
import { readPageNow, readReturned, requestPix, shownAt } from "./checkout-api.ts"
import {
  type CheckoutState,
  copied,
  endingOf,
  followedId,
  type PayerValues,
  pageRead,
  qrBroken,
  refused,
  remainingMs,
  requested,
  restarted,
  restored,
  type ShownPix,
  type Step,
  startCheckout,
  statusRead,
  ticked,
  typed,
} from "./checkout-state.ts"
import { focusAfter } from "./focus.ts"
import type { CheckoutData } from "./payable-page.ts"
import { type PaymentWatch, watchPayment } from "./payment-watch.ts"
import { loadPix, storePix } from "./stored-pix.ts"

const everyField = { requireName: true, requireEmail: true, requireCpf: true, requirePhone: true }
const COPIED_MS = 2000
const SECOND_MS = 1000

export interface CheckoutHandlers {
  type: (field: PayerField, value: string) => void
  submit: () => void
  copy: (button: HTMLElement) => void
  breakQr: () => void
  renew: () => void
  startOver: () => void
}

export type Draw = (state: CheckoutState, on: CheckoutHandlers) => void

/**
 * One state, drawn whole at every step; the network, the clock and this tab's memory stand around it.
 * Drawing is synchronous, so two fields that the browser fills at once can't overwrite each other.
 */
export function runCheckout(page: CheckoutData, typedBefore: PayerValues, draw: Draw): void {
  const { title } = document
  let state = startCheckout(page, typedBefore)
  let watch: PaymentWatch | undefined
  let copyTimer = 0

  function update(step: Step): void {
    const before = state
    state = step(before)
    draw(state, on)
    if (state.pix !== before.pix) storePix(page.id, state.pix)
    if (followedId(state) !== followedId(before)) follow(followedId(state))
    if (state.screen !== before.screen) enterScreen()
    focusAfter(before, state)
  }

  function follow(transactionId: string | null): void {
    watch?.stop()
    watch = undefined
    if (transactionId === null) return
    watch = watchPayment(transactionId, (status) => {
      const at = new Date(Date.now() + (state.pix?.clockSkewMs ?? 0)).toISOString()
      update(statusRead(transactionId, status, at))
    })
    if (state.isRestored) watch.askNow()
  }

  function enterScreen(): void {
    const [heading] = endingOf(state.screen)
    document.title = heading === undefined ? title : `${heading} – ${title}`
    if (state.screen === "expired" || state.screen === "cancelled") {
      void readPageNow(page.link).then((pageNow) => update(pageRead(pageNow)))
    }
  }

  function tick(): void {
    if (state.screen !== "awaiting" || state.pix === null) return
    const before = remainingMs(state.pix, state.nowMs)
    update(ticked(Date.now()))
    if (before > 0 && remainingMs(state.pix, state.nowMs) <= 0) watch?.askNow()
  }

  /** The form asks for all four fields, even those that the page doesn't require. */
  const problemNow = () => (page.isAnonymous ? null : payerDataProblem(state.values, everyField))

  async function send(): Promise<void> {
    update(requested())
    update(await requestPix(page.id, page.isAnonymous ? null : state.values))
  }

  const on: CheckoutHandlers = {
    type: (field, value) => update(typed(field, value)),
    submit() {
      if (state.isBusy) return
      const problem = problemNow()
      if (problem === null) void send()
      else update(refused(problem))
    },
    async copy(button) {
      clearTimeout(copyTimer)
      const isCopied = await copyText(state.pix?.pixCode ?? "", button)
      update(copied(isCopied ? "copied" : "refused"))
      if (isCopied) copyTimer = window.setTimeout(() => update(copied("idle")), COPIED_MS)
    },
    breakQr: () => update(qrBroken()),
    renew() {
      on.startOver()
      if (problemNow() === null) void send()
    },
    startOver: () => update(restarted()),
  }

  draw(state, on)
  const stored = page.pix ? shownAt(page.pix, Date.now()) : loadPix(page.id)
  if (stored !== null) showAgain(stored, update)
  setInterval(tick, SECOND_MS)
}

/** What went back since is asked for; meanwhile the payer may have begun another payment. */
function showAgain(stored: ShownPix, update: (step: Step) => void): void {
  update(restored(stored, Date.now()))
  if (stored.confirmedAt) readReturned(stored).then(update).catch(console.warn)
}
