import { addCents, noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { feeRevenue } from "#ledger/accounts"
import { isBelowFloor } from "#ledger/below-floor"
import { lockBalances } from "#ledger/lock-balances"
import { readDebts } from "#ledger/read-balance"
import { postDrawing } from "#money/reserves/move"
import type { ManualEntry } from "./manual-entry.ts"
import { manualEntryPostings } from "./manual-entry-postings.ts"

/** Sellers' debts are paid with other sellers' money until the fees make up for them. */
export async function refuseAboveFees(
  tx: Tx,
  { kind, amountCents }: Pick<ManualEntry, "kind" | "amountCents">,
): Promise<void> {
  if (kind !== "own_payout") return
  const held = await lockBalances(tx, [feeRevenue])
  const freeCents = addCents(held.get(feeRevenue) ?? noMoney, await readDebts(tx))
  if (amountCents <= freeCents) return
  const left = freeCents > noMoney ? freeCents : noMoney
  throw new DomainError("own_payout_above_fees", {
    message: `As taxas, menos as dívidas de vendedores, são ${reaisText(left)}. A retirada não pode passar disso.`,
  })
}

export async function bookEntry(tx: Tx, entry: ManualEntry, now: Date): Promise<void> {
  await refuseAboveFees(tx, entry)
  try {
    await postDrawing(tx, [manualEntryPostings(entry, now)])
  } catch (error) {
    if (isBelowFloor(error)) throw new DomainError("insufficient_balance", { cause: error })
    throw error
  }
}
