import { fieldsOf, type PayerDataProblem, payerDataProblem, payerFields } from "@tilinta/contract/vocabulary/payer-data"
import { copyText } from "#ui/copy-text.ts"
import { requestPix, shownAt } from "./checkout-api.ts"
import {
  type CheckoutState,
  copied,
  documentSwapped,
  type FormField,
  followedId,
  type PayerValues,
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
import { showEnding } from "./ending.ts"
import { focusAfter } from "./page-frame.tsx"
import type { CheckoutData } from "./payable-page.ts"
import { following, hasComeBack, inSteps, wakeSlowly } from "./payment-watch.ts"
import { loadPix, storePix } from "./tab-storage.ts"

const COPIED_MS = 2000
const SECOND_MS = 1000
/** Reading this tab's storage, then hydrating; the font can wait. */
const allSteps = 2

export interface CheckoutHandlers {
  type: (field: FormField, value: string) => void
  swapDocument: (event: { preventDefault: () => void }, field: "cpf" | "cnpj") => void
  submit: () => void
  copy: (button: HTMLElement) => void
  breakQr: () => void
  renew: () => void
  startOver: () => void
}

type Draw = (state: CheckoutState, on: CheckoutHandlers) => void

/**
 * Holds the one state and draws all of it at every step; the network, the clock and the tab's storage are its inputs.
 * Drawing is synchronous, so two fields that the browser fills at once can't overwrite each other.
 */
export function runCheckout(page: CheckoutData, typedSoFar: () => PayerValues, draw: Draw): void {
  const { title } = document
  let state = startCheckout(page, typedSoFar())
  const wake = inSteps(remember, takeOver, loadFont)
  const copy = copying(update)
  const followed = following((id, status) => {
    if (page.back && status === "pago") location.href = page.back + id
    update(statusRead(id, status, new Date(Date.now() + (state.pix?.clockSkewMs ?? 0)).toISOString()))
  })

  function remember(): void {
    const stored = page.pix ? shownAt(page.pix, Date.now()) : loadPix(page.id)
    if (stored) update(restored(stored, Date.now()))
  }

  /** Hydrates the server's HTML. */
  function takeOver(): void {
    state = { ...state, values: typedSoFar() }
    if (isDrawn(state)) draw(state, on)
    setInterval(tick, SECOND_MS)
  }

  /** It comes last: on a slow line it would delay the code that a payer waits for. */
  function loadFont(): void {
    if (state.isBusy) setTimeout(loadFont, SECOND_MS)
    else document.querySelector("style[media]")?.removeAttribute("media")
  }

  function update(step: Step): void {
    wake(allSteps)
    const before = state
    state = step(before)
    if (isDrawn(state)) draw(state, on)
    if (state.pix !== before.pix) storePix(page.id, state.pix as ShownPix | null)
    if (followedId(state) !== followedId(before)) followed.change(followedId(state), state.isRestored)
    if (state.screen !== before.screen) {
      if (isDrawn(state)) document.title = title
      if (state.screen === "paid-before") location.reload()
      if (state.screen === "ended") void showEnding(state)
    }
    focusAfter(before, state)
  }

  function tick(): void {
    const { screen, pix, nowMs } = state
    if (screen !== "awaiting" || !pix) return
    update(ticked(Date.now()))
    if (remainingMs(pix, nowMs) > 0 && remainingMs(pix, state.nowMs) <= 0) followed.askNow()
  }

  /** Sends the request before drawing, to save the time that drawing takes. */
  async function send(): Promise<void> {
    const answer = requestPix(page, state.values, update)
    update(requested())
    update(await answer)
  }

  const on: CheckoutHandlers = {
    type: (field, value) => update(typed(field, value)),
    swapDocument(event, field) {
      event.preventDefault()
      update(documentSwapped(field))
    },
    submit() {
      wake(page.isAnonymous ? 1 : allSteps)
      if (state.isBusy || state.screen !== "start") return
      const problem = problemIn(page, state.values)
      if (problem) update(refused(problem))
      else void send()
    },
    copy: (button) => copy(state.pix?.pixCode ?? "", button),
    breakQr: () => update(qrBroken()),
    renew() {
      on.startOver()
      if (!problemIn(page, state.values)) void send()
    },
    startOver: () => update(restarted()),
  }

  document.addEventListener("submit", (event) => {
    event.preventDefault()
    on.submit()
  })
  document.addEventListener("click", (event) => goOnFrom(event, on))
  document.addEventListener("compositionend", ({ target }) => target?.dispatchEvent(new Event("input")))
  if (page.pix || hasComeBack()) wake(1)
  wakeSlowly(wake)
}

/** The links of an ending lead to the form's page; here the form comes back with what was typed. */
function goOnFrom(event: MouseEvent, on: CheckoutHandlers): void {
  const { again } = (event.target as HTMLElement).dataset
  if (again === undefined) return
  event.preventDefault()
  if (again) on.renew()
  else on.startOver()
}

/** Shows whether copying worked; success only for a moment. */
function copying(update: (step: Step) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return async (text: string, button: HTMLElement): Promise<void> => {
    clearTimeout(timer)
    const isCopied = await copyText(text, button)
    update(copied(isCopied ? "copied" : "refused"))
    if (isCopied) timer = setTimeout(() => update(copied(null)), COPIED_MS)
  }
}

/** The form requires all four fields, even those that the page doesn't. */
function problemIn({ isAnonymous }: CheckoutData, values: PayerValues): PayerDataProblem | null {
  return isAnonymous ? null : payerDataProblem(values, fieldsOf(values, payerFields))
}

/** The server draws all other screens. */
function isDrawn({ screen }: CheckoutState): boolean {
  return screen === "start" || screen === "awaiting"
}
