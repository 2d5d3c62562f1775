import type { TransactionsChanged } from "@tilinta/contract/vocabulary/events"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { sellerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import { findOwnCharges } from "#domain/selling/charges/find-charge"
import type { Clock } from "#kit/clock"

interface Deps {
  db: Db
  clock: Clock
}

interface Options {
  sellerId: string
  send(changed: TransactionsChanged): Promise<void>
  onFailure(error: unknown): void
}

const TOLD_AT_ONCE = 50
const GATHER_MS = 100

/**
 * Collects changes while the previous message is still being sent: a thousand payments a second cost one read per
 * round, and memory stays bounded by one message.
 */
export function createChangeFeed(deps: Deps, { sellerId, send, onFailure }: Options) {
  const changed = new Set<string>()
  let isMore = false
  let round: NodeJS.Timeout | null = null
  let isStopped = false

  async function notify(): Promise<void> {
    const ids = [...changed]
    const more = isMore
    changed.clear()
    isMore = false
    const charges = ids.length === 0 ? [] : await findOwnCharges(deps, { ids, sellerId })
    const transactions = charges.map((charge) => ({
      _id: charge.id,
      status: sellerStatusOf[charge.status],
      grossAmount: reaisFromCents(charge.amountCents),
      refundedAmount: reaisFromCents(charge.refundedCents),
      checkoutPage: { _id: charge.pageId, title: charge.pageTitle },
      payerName: charge.payer.name ?? "",
    }))
    if (!isStopped) await send({ transactions, more })
  }

  function sendSoon(): void {
    if (round !== null || isStopped) return
    round = setTimeout(() => {
      void notify()
        .catch(onFailure)
        .finally(() => {
          round = null
          if (changed.size > 0 || isMore) sendSoon()
        })
    }, GATHER_MS)
  }

  return {
    /** Null means that anything may have changed. */
    add(chargeId: string | null): void {
      if (chargeId !== null && (changed.size < TOLD_AT_ONCE || changed.has(chargeId))) changed.add(chargeId)
      else isMore = true
      sendSoon()
    },
    stop(): void {
      isStopped = true
      if (round !== null) clearTimeout(round)
    },
  }
}
