import { SEARCH_MIN_LENGTH } from "@tilinta/contract/api/search-endpoints"
import type { ReportsDb } from "#db/transaction"
import { searchUsers } from "#domain/people/users/search-users"
import { searchChargePages } from "#domain/selling/charge-pages/search-charge-pages"
import { searchCharges } from "#domain/selling/charges/search-charges"
import type { Clock } from "#kit/clock"
import { searchWithdrawals } from "#money/withdrawals/operator-reads"

interface Deps {
  db: ReportsDb
  clock: Clock
}

const atMost = 5

const isTooShort = (words: string) => [...words].length < SEARCH_MIN_LENGTH

/** A few hits of each kind, of this seller only. */
export async function searchOwn(deps: Deps, { words, sellerId }: { words: string; sellerId: string }) {
  if (isTooShort(words)) return { pages: [], charges: [] }
  const search = { words, sellerId, atMost }
  const [pages, charges] = await Promise.all([searchChargePages(deps, search), searchCharges(deps, search)])
  return { pages, charges }
}

/** A few hits of each kind, of all sellers. */
export async function searchAll(deps: Deps, words: string) {
  if (isTooShort(words)) return { users: [], pages: [], charges: [], withdrawals: [] }
  const search = { words, atMost }
  const [{ users, withdrawals }, pages, charges] = await Promise.all([
    searchPeople(deps, search),
    searchChargePages(deps, search),
    searchCharges(deps, search),
  ])
  return { users, withdrawals, pages, charges }
}

/** People found by name are listed with their withdrawals. */
async function searchPeople({ db }: Deps, search: { words: string; atMost: number }) {
  const users = await searchUsers(db, search)
  const ids = users.map(({ id }) => id)
  return { users, withdrawals: await searchWithdrawals(db, search, ids) }
}
