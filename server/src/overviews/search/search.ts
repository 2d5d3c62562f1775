import { SEARCH_MIN_LENGTH } from "@tilinta/contract/search"
import type { ReportsDb } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { searchWithdrawals } from "#money/withdrawals/operator-reads"
import { searchUsers } from "#people/users/reads"
import { searchChargePages } from "#selling/charge-pages/list-reads"
import { searchCharges } from "#selling/charges/lists"
import { searchCustomers } from "#selling/customers/reads"
import { searchInvoices } from "#selling/invoices/list-reads"
import { searchSubscriptions } from "#selling/subscriptions/reads"

interface Deps {
  db: ReportsDb
  clock: Clock
}

const atMost = 5

const isTooShort = (words: string) => [...words].length < SEARCH_MIN_LENGTH

/** A few hits of each kind, of this seller only. */
export async function searchOwn(deps: Deps, { words, sellerId }: { words: string; sellerId: string }) {
  if (isTooShort(words)) return { customers: [], pages: [], charges: [], invoices: [], subscriptions: [] }
  const search = { words, sellerId, atMost }
  const [customers, pages, charges, invoices, subscriptions] = await Promise.all([
    searchCustomers(deps.db, search),
    searchChargePages(deps, search),
    searchCharges(deps, search),
    searchInvoices(deps.db, search),
    searchSubscriptions(deps.db, search),
  ])
  return { customers, pages, charges, invoices, subscriptions }
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
