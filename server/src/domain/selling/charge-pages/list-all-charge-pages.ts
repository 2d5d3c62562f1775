import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import { type ListRange, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { countChargePagesOfPlatform } from "#domain/platform/totals/read-platform-totals"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import {
  type AllChargePagesFilter,
  type ChargePageOfSeller,
  countAllFoundChargePages,
  findAnyChargePageRow,
  listAllChargePageRows,
} from "./all-charge-pages-repository.ts"
import { statusAt } from "./charge-page.ts"

interface AllChargePages {
  pages: ChargePageOfSeller[]
  /** Counts of everything that the filter finds, whatever the page of the list. */
  counts: Map<ChargePageStatus, number>
}

/** Charge pages of all sellers, for admins. */
export async function listAllChargePages(
  { db, clock }: { db: Db; clock: Clock },
  filter: AllChargePagesFilter,
  range: ListRange,
): Promise<AllChargePages> {
  const [rows, counts] = await Promise.all([listAllChargePageRows(db, filter, range), countFound(db, filter)])
  await requireRowBefore(db, "charge_pages", range, rows)
  const now = clock.now()
  return { pages: rows.map((page) => ({ ...page, status: statusAt(page, now) })), counts }
}

/** Any seller's page, with its seller. */
export async function getAnyChargePage(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
): Promise<ChargePageOfSeller> {
  const page = isId(id) ? await findAnyChargePageRow(db, id) : null
  if (page === null) throw new DomainError("charge_page_not_found")
  return { ...page, status: statusAt(page, clock.now()) }
}

async function countFound(db: Db, filter: AllChargePagesFilter): Promise<Map<ChargePageStatus, number>> {
  if (filter.search) return countAllFoundChargePages(db, filter)
  const counts = await countChargePagesOfPlatform(db)
  return new Map([...counts].filter(([status]) => filter.status === undefined || filter.status === status))
}
