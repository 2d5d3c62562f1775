import { queryOptions } from "@tanstack/react-query"
import type { ChargeView } from "@tilinta/contract/charges"
import * as heads from "@tilinta/contract/heads"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import { call } from "#api/client.ts"

/** All that changes with a sale, or with a decision about one. */
export const counterKey = ["seller", "counter"] as const

/** Today's without a day. */
export function counterDayOf(day?: string) {
  return queryOptions({
    queryKey: [...counterKey, "day", day ?? "today"],
    queryFn: async ({ signal }) =>
      (await call(heads.getCounterDay, { ...(day !== undefined && { query: { day } }), signal })).data.counter,
  })
}

export const counterDayQuery = counterDayOf()

/** The content of one sale. The key asks for the very same code again after an answer that was lost. */
interface Sale {
  cents: number
  note: string
  key: string
}

export type OpenSale = Sale & { charge: ChargeView | null }

export async function sell({ cents, note, key }: Sale): Promise<ChargeView> {
  const body = { amount: cents / 100, description: note, counter: true }
  return (await call(heads.createCharge, { body, headers: { "Idempotency-Key": key } })).data.charge
}

export async function readSaleStatus({ _id, payerToken }: ChargeView, signal: AbortSignal): Promise<PayerStatus> {
  const input = { params: { transactionId: _id }, query: { k: payerToken }, signal }
  return (await call(heads.getPaymentStatus, input)).data.status
}

const storageKey = "counter-sale"

/** A reload, or a browser that was closed, comes back to what was open. */
export function storeSale(sale: OpenSale | null): void {
  try {
    if (sale === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(sale))
  } catch {
    // The sale goes on without storage.
  }
}

export function storedSale(): OpenSale | null {
  try {
    const sale = JSON.parse(localStorage.getItem(storageKey) ?? "null") as OpenSale | null
    const hasEnded = sale?.charge ? Date.parse(sale.charge.expiresAt) < Date.now() - HOUR_MS : false
    return hasEnded ? null : sale
  } catch {
    return null
  }
}

const screenKey = "counter-screen"

/** The screen that faces the payers of this till. */
export function storedScreen(): string | null {
  try {
    return localStorage.getItem(screenKey)
  } catch {
    return null
  }
}

export function storeScreen(screenId: string | null): void {
  try {
    if (screenId === null) localStorage.removeItem(screenKey)
    else localStorage.setItem(screenKey, screenId)
  } catch {
    // It is chosen again after a reload.
  }
}

/** A sale never waits for the screen: what fails here is shown with the next change. */
export async function showOnScreen(shopId: string, screenId: string, transactionId: string | null): Promise<void> {
  await call(heads.showOnScreen, { params: { id: shopId, screenId }, body: { transactionId } })
}

const HOUR_MS = 3_600_000

/** The receiver's name in a BR Code (field 59), as the payer's bank shows it; empty when unreadable. */
export function bankNameOf(pixCode: string): string {
  for (let at = 0; at + 4 <= pixCode.length; ) {
    const length = Number(pixCode.slice(at + 2, at + 4))
    if (!Number.isInteger(length)) return ""
    if (pixCode.startsWith("59", at)) return pixCode.slice(at + 4, at + 4 + length)
    at += 4 + length
  }
  return ""
}

/** A short rising tone: nobody has to look at the screen. Browsers allow it after the tap that made the code. */
export function playPaid(): void {
  try {
    const audio = new AudioContext()
    for (const [at, frequency] of [660, 880, 1320].entries()) {
      const tone = audio.createOscillator()
      const volume = audio.createGain()
      tone.frequency.value = frequency
      volume.gain.value = 0.2
      tone.connect(volume).connect(audio.destination)
      tone.start(audio.currentTime + at * 0.12)
      tone.stop(audio.currentTime + at * 0.12 + 0.11)
    }
    setTimeout(() => void audio.close(), 1000)
  } catch {
    // Green says it too.
  }
}
