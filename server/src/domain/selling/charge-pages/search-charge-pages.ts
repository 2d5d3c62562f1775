import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { statusAt } from "./charge-page.ts"
import { type FoundChargePage, findChargePagesWithText } from "./charge-page-search-repository.ts"

export async function searchChargePages(
  { db, clock }: { db: Db; clock: Clock },
  search: SearchFor,
): Promise<FoundChargePage[]> {
  const pages = await findChargePagesWithText(db, search)
  const now = clock.now()
  return pages.map((page) => ({ ...page, status: statusAt(page, now) }))
}
