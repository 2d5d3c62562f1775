import { centsOf, endToEndIdOf, numberOfEndToEndId, txidOf } from "./charge-names.ts"

export interface Receipts {
  /** The receipt as the standard's JSON; pays it now if it is unpaid. */
  pay(n: number): string
  find(endToEndId: string): string | null
  /** The window's receipts, oldest first, page by page, and the number of pages. */
  list(window: { fromMs: number; toMs: number }, page: number, perPage: number): { items: string[]; pages: number }
}

/** Ordered by payment, so that a window is a slice. */
export function createReceipts(): Receipts {
  const paidAtMs = new Map<number, number>()
  const numbers: number[] = []
  const moments: number[] = []

  function shown(n: number): string {
    const paidAt = new Date(paidAtMs.get(n) ?? 0)
    const cents = centsOf(n)
    const value = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`
    return `{"endToEndId":"${endToEndIdOf(n, paidAt)}","txid":"${txidOf(n)}","valor":"${value}","horario":"${paidAt.toISOString()}"}`
  }

  function firstAt(moment: number): number {
    let [low, high] = [0, moments.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((moments[middle] ?? 0) < moment) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    pay(n) {
      if (!paidAtMs.has(n)) {
        const now = Date.now()
        paidAtMs.set(n, now)
        numbers.push(n)
        moments.push(now)
      }
      return shown(n)
    },
    find(endToEndId) {
      const n = numberOfEndToEndId(endToEndId)
      return paidAtMs.has(n) ? shown(n) : null
    },
    list({ fromMs, toMs }, page, perPage) {
      const [first, last] = [firstAt(fromMs), firstAt(toMs + 1)]
      const begin = first + page * perPage
      return {
        items: numbers.slice(begin, Math.min(begin + perPage, last)).map(shown),
        pages: Math.ceil((last - first) / perPage),
      }
    },
  }
}
