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
import { findHolder } from "./orders-repository.ts"

interface ChargePageList {
  pages: ChargePage[]
  /** The number of pages that the filter finds, whatever the page of the list. */
  results: number
  counts: Map<ChargePageStatus, number>
}

type AskedPages = Omit<ChargePageFilter, "id"> & {
  /** The page of the order that holds this reference. */
  externalReference?: string | undefined
}

export async function listChargePages(
  { db, clock }: { db: Db; clock: Clock },
  { externalReference, ...asked }: AskedPages,
): Promise<ChargePageList> {
  const id = externalReference === undefined ? undefined : await findHolder(db, asked.sellerId, externalReference)
  if (id === null) return { pages: [], results: 0, counts: await readChargePageCounts(db, asked.sellerId) }
  const filter = { ...asked, id }
  const [rows, counts] = await Promise.all([listChargePageRows(db, filter), readChargePageCounts(db, filter.sellerId)])
  await requireRowBefore(db, "charge_pages", filter, rows)
  const now = clock.now()
  const { search, isSingle, dayFrom, dayTo } = filter
  const isKept = [search || undefined, id, isSingle, dayFrom, dayTo].every((part) => part === undefined)
  const results = isKept ? countedPages(counts, filter.status) : await countFoundChargePages(db, filter)
  return { pages: rows.map((page) => ({ ...page, status: statusAt(page, now) })), results, counts }
}

function countedPages(counts: Map<ChargePageStatus, number>, status: ChargePageStatus | undefined): number {
  if (status !== undefined) return counts.get(status) ?? 0
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
