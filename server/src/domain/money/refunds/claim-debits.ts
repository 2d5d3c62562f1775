import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { listUnclaimedDebits, updateRefund } from "./refunds-repository.ts"

/** Attributes earlier debits of the bank to the dispute, as far as they fit. Returns their sum. */
export async function claimDebits(
  tx: Tx,
  { endToEndId, disputeId, mostCents }: { endToEndId: string; disputeId: string; mostCents: Cents },
): Promise<Cents> {
  let claimedCents = noMoney
  for (const { id, amountCents } of await listUnclaimedDebits(tx, endToEndId)) {
    if (addCents(claimedCents, amountCents) > mostCents) break
    await updateRefund(tx, id, { dispute_id: disputeId })
    claimedCents = addCents(claimedCents, amountCents)
  }
  return claimedCents
}
