import { centsOf, endToEndIdOf, numberOfEndToEndId, txidOf } from "./charge-names.ts"

export interface Receipts {
  /** The receipt as the standard's JSON; pays it now if it is unpaid. */
  pay(n: number): string
  find(endToEndId: string): string | null
  /** The window's receipts, oldest first, page by page, and the number of pages. */
  list(window: { fromMs: number; toMs: number }, page: number, perPage: number): { items: string[]; pages: number }
}

const mostCharges = 8_000_000

/** Memory for all payments, which the bank and the load, each a thread, know at once. */
export function receiptsMemory() {
  const of = (bytes: number) => new SharedArrayBuffer(bytes)
  return { paidAt: of(mostCharges * 8), numbers: of(mostCharges * 4), count: of(4) }
}

/** Ordered by payment, so that a window is a slice. */
export function createReceipts(memory: ReturnType<typeof receiptsMemory>): Receipts {
  const paidAtMs = new Float64Array(memory.paidAt)
  const numbers = new Int32Array(memory.numbers)
  const count = new Int32Array(memory.count)

  const isPaid = (n: number) => (paidAtMs[n] ?? 0) > 0

  function shown(n: number): string {
    const paidAt = new Date(paidAtMs[n] ?? 0)
    const cents = centsOf(n)
    const value = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`
    return `{"endToEndId":"${endToEndIdOf(n, paidAt)}","txid":"${txidOf(n)}","valor":"${value}","horario":"${paidAt.toISOString()}"}`
  }

  function firstAt(moment: number): number {
    let [low, high] = [0, Atomics.load(count, 0)]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((paidAtMs[numbers[middle] ?? 0] ?? 0) < moment) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    pay(n) {
      if (!isPaid(n)) {
        paidAtMs[n] = Date.now()
        numbers[Atomics.load(count, 0)] = n
        Atomics.add(count, 0, 1)
      }
      return shown(n)
    },
    find(endToEndId) {
      const n = numberOfEndToEndId(endToEndId)
      return isPaid(n) ? shown(n) : null
    },
    list({ fromMs, toMs }, page, perPage) {
      const [first, last] = [firstAt(fromMs), firstAt(toMs + 1)]
      const begin = first + page * perPage
      return {
        items: [...numbers.subarray(begin, Math.min(begin + perPage, last))].map(shown),
        pages: Math.ceil((last - first) / perPage),
      }
    },
  }
}
