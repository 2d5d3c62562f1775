import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { readReserveRules } from "#domain/platform/settings/read-setting"
import { sellerAvailable, sellerReserved } from "#ledger/accounts"
import { readBalance } from "#ledger/read-balance"
import { sumUnheld } from "./reserves-repository.ts"

/** Sellers' balances as they may be withdrawn: without what will be held of the last sales. */
export async function lessUnheld(db: Db, balances: ReadonlyMap<string, Cents>): Promise<ReadonlyMap<string, Cents>> {
  const rules = await readReserveRules(db)
  if (rules === null) return balances
  const unheld = await sumUnheld(db, [...balances.keys()], rules)
  return new Map([...balances].map(([id, cents]) => [id, withdrawable(cents, unheld.get(id) ?? noMoney)]))
}

/** Never below zero, unless it is a debt. */
function withdrawable(balanceCents: Cents, unheldCents: Cents): Cents {
  if (balanceCents <= noMoney) return balanceCents
  return Math.max(subtractCents(balanceCents, unheldCents), 0) as Cents
}

/** The seller's money that becomes available on a later day. */
export async function readToCome(db: Db, sellerId: string): Promise<Cents> {
  const [rules, reservedCents] = await Promise.all([readReserveRules(db), readBalance(db, sellerReserved(sellerId))])
  if (rules === null) return reservedCents
  const balanceCents = await readBalance(db, sellerAvailable(sellerId))
  const left = (await lessUnheld(db, new Map([[sellerId, balanceCents]]))).get(sellerId) ?? balanceCents
  return addCents(reservedCents, subtractCents(balanceCents, left))
}
