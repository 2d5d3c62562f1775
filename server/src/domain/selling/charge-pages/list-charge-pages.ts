import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import { requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { type ChargePage, statusAt } from "./charge-page.ts"
import {
  type ChargePageFilter,
  countFoundChargePages,
  listChargePageRows,
  readChargePageCounts,
} from "./charge-pages-repository.ts"

interface ChargePageList {
  pages: ChargePage[]
  /** The number of pages that the filter finds, whatever the page of the list. */
  results: number
  counts: Map<ChargePageStatus, number>
}

export async function listChargePages(
  { db, clock }: { db: Db; clock: Clock },
  filter: ChargePageFilter,
): Promise<ChargePageList> {
  const [rows, counts] = await Promise.all([listChargePageRows(db, filter), readChargePageCounts(db, filter.sellerId)])
  await requireRowBefore(db, "charge_pages", filter, rows)
  const now = clock.now()
  const isKept =
    !filter.search && filter.isSingle === undefined && filter.dayFrom === undefined && filter.dayTo === undefined
  const results = isKept ? countedPages(counts, filter.status) : await countFoundChargePages(db, filter)
  return { pages: rows.map((page) => ({ ...page, status: statusAt(page, now) })), results, counts }
}

function countedPages(counts: Map<ChargePageStatus, number>, status: ChargePageStatus | undefined): number {
  if (status !== undefined) return counts.get(status) ?? 0
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
