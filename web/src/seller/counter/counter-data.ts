import { queryOptions } from "@tanstack/react-query"
import type { ChargeView } from "@tilinta/contract/charges"
import * as heads from "@tilinta/contract/heads"
import type { OwnShopView } from "@tilinta/contract/users"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import { call } from "#api/client.ts"

/** All that changes with a sale, or with a decision about one. */
export const counterKey = ["seller", "counter"] as const

const DAY_REFRESH_MS = 30_000

/** Today's without a day. Others sell too, requests are decided, and a day ends. */
export function counterDayOf(day?: string) {
  return queryOptions({
    queryKey: [...counterKey, "day", day ?? "today"],
    queryFn: async ({ signal }) =>
      (await call(heads.getCounterDay, { ...(day !== undefined && { query: { day } }), signal })).data.counter,
    refetchInterval: DAY_REFRESH_MS,
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

/** The browser's, of one shop: whoever changes shops finds each as they left it. */
const saleKey = (shopId: string) => `counter-sale:${shopId}`
const screenKey = (shopId: string) => `counter-screen:${shopId}`

/** A reload, or a browser that was closed, comes back to what was open. */
export function storeSale(shopId: string, sale: OpenSale | null): void {
  store(saleKey(shopId), sale === null ? null : JSON.stringify(sale))
}

export function storedSale(shopId: string): OpenSale | null {
  try {
    const sale = JSON.parse(stored(saleKey(shopId)) ?? "null") as OpenSale | null
    const hasEnded = sale?.charge ? Date.parse(sale.charge.expiresAt) < Date.now() - HOUR_MS : false
    return hasEnded ? null : sale
  } catch {
    return null
  }
}

/** The screen that faces the payers of this till. */
export function storedScreen(shopId: string): string | null {
  return stored(screenKey(shopId))
}

export function storeScreen(shopId: string, screenId: string | null): void {
  store(screenKey(shopId), screenId)
}

const shopKey = "counter-shop"

/** For a start without a network, which can't ask whose counter it is. */
export function storeShop(written: string): void {
  store(shopKey, written)
}

export function storedShop(): OwnShopView | null {
  try {
    return JSON.parse(stored(shopKey) ?? "null") as OwnShopView | null
  } catch {
    return null
  }
}

/** The worker keeps what has loaded until now, so that the counter opens without a network. */
export async function keepCounter(): Promise<void> {
  if (!("serviceWorker" in navigator)) return
  const { active } = await navigator.serviceWorker.ready
  const files = performance.getEntriesByType("resource").map(({ name }) => name)
  // Browsers list the first 250: after that the counter may be missing.
  if (files.includes(import.meta.url)) active?.postMessage(files)
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // The sale goes on without storage; the screen is chosen again after a reload.
  }
}

export async function showOnScreen(
  { shopId, screenId, transactionId }: { shopId: string; screenId: string; transactionId: string | null },
  signal: AbortSignal,
): Promise<void> {
  await call(heads.showOnScreen, { params: { id: shopId, screenId }, body: { transactionId }, signal })
}

const HOUR_MS = 3_600_000

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
