import { listedStatusOf, type TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { SearchFor } from "#db/search-for"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { chargeStatusAt } from "./charge.ts"
import { type FoundCharge, findChargesWithText, findNamedCharges } from "./charge-search-repository.ts"

type ChargeHit = FoundCharge & { status: TransactionStatus }

/** An exact identifier is returned alone: a person pasting a txid wants no similar texts. */
export async function searchCharges({ db, clock }: { db: Db; clock: Clock }, search: SearchFor): Promise<ChargeHit[]> {
  const named = await findNamedCharges(db, search)
  const found = named.length > 0 ? named : await findChargesWithText(db, search)
  const now = clock.now()
  return found.map((charge) => {
    const status = chargeStatusAt(charge, now)
    return { ...charge, status: listedStatusOf(status) }
  })
}
