import type { Logger } from "pino"
import { type Clock, secondsAfter } from "#kit/clock"
import type { PaymentReceived, Psp } from "#psp/psp"
import { type ReportedReceipt, type ReportedWindow, reportedWindows } from "./reported-windows.ts"

interface Deps {
  psp: Pick<Psp, "listReceipts">
  clock: Clock
  log: Logger
}

export interface ReceiptLists {
  /** Receipts that the provider's lists confirm, by endToEndId. About missing ones nothing is known. */
  find(reported: readonly ReportedReceipt[]): Promise<Map<string, PaymentReceived>>
}

/** Bounds for plausible times; others are queried singly, because no list reaches that far. */
const plausible = { pastSeconds: 86_400, futureSeconds: 60 }
/** One single query costs as much as this many rows of a list. */
const ROWS_WORTH_A_QUESTION = 10
/** An empty page has a cost too. */
const FEWEST_ROWS_OF_A_PAGE = 100
const PAUSE_SECONDS = 60
const remembered = { seconds: 10, most: 5_000 }

/**
 * Confirms many reported receipts by one list, located by their reported times. Only a shortcut: after a list that
 * fails or lacks what was reported, receipts are queried singly for a while.
 */
export function createReceiptLists({ psp, clock, log }: Deps): ReceiptLists {
  /** A cache of receipts that were listed but not yet reported. */
  const listed = new Map<string, { receipt: PaymentReceived; until: Date }>()
  let pausedUntil = new Date(0)

  function takeListed(reported: readonly ReportedReceipt[]): Map<string, PaymentReceived> {
    const now = clock.now()
    const found = new Map<string, PaymentReceived>()
    for (const { endToEndId } of reported) {
      const known = listed.get(endToEndId)
      if (known !== undefined && now < known.until) found.set(endToEndId, known.receipt)
      listed.delete(endToEndId)
    }
    return found
  }

  function remember(receipts: PaymentReceived[]): void {
    const until = secondsAfter(clock.now(), remembered.seconds)
    for (const receipt of receipts) {
      listed.delete(receipt.endToEndId)
      listed.set(receipt.endToEndId, { receipt, until })
    }
    for (const id of listed.keys()) {
      if (listed.size <= remembered.most) break
      listed.delete(id)
    }
  }

  async function findIn({ from, to, ids }: ReportedWindow): Promise<PaymentReceived[]> {
    const asked = new Set(ids)
    const wanted = new Set(ids)
    const found: PaymentReceived[] = []
    let rows = 0
    for await (const page of psp.listReceipts({ from, to, isNarrow: true })) {
      found.push(...page.filter(({ endToEndId }) => wanted.delete(endToEndId)))
      remember(page.filter(({ endToEndId }) => !asked.has(endToEndId)))
      rows += Math.max(page.length, FEWEST_ROWS_OF_A_PAGE)
      if (wanted.size === 0 || rows >= ROWS_WORTH_A_QUESTION * ids.length) break
    }
    return found
  }

  function pause(): void {
    pausedUntil = secondsAfter(clock.now(), PAUSE_SECONDS)
  }

  return {
    async find(reported) {
      const found = takeListed(reported)
      const now = clock.now()
      if (now < pausedUntil) return found
      const open = reported.filter((each) => !found.has(each.endToEndId) && isPlausible(each, now))
      try {
        for (const window of reportedWindows(open)) {
          const receipts = await findIn(window)
          for (const receipt of receipts) found.set(receipt.endToEndId, receipt)
          if (receipts.length * 2 < window.ids.length) pause()
        }
      } catch (error) {
        pause()
        log.warn({ err: error }, "the provider's list failed: receipts are asked about one by one")
      }
      return found
    },
  }
}

function isPlausible({ reportedAt }: ReportedReceipt, now: Date): boolean {
  if (reportedAt === null) return false
  return (
    secondsAfter(now, -plausible.pastSeconds) < reportedAt && reportedAt < secondsAfter(now, plausible.futureSeconds)
  )
}
