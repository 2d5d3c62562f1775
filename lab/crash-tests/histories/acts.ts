import { expect } from "vitest"
import { query } from "../embedded-books.ts"
import type { World } from "./world.ts"

/** Each must happen in every run: chance adds to what one history plays deliberately. */
const acts = [
  "payment",
  "stray accepted",
  "stray accepted for its code",
  "stray returned",
  "stray taken back by the bank",
  "stray contested and taken back",
  "late payment returned",
  "refund",
  "refund refused by the bank",
  "refund settled by hand as paid",
  "refund settled by hand as not paid",
  "refund paid after all",
  "refund by the bank",
  "dispute opened",
  "dispute defended",
  "dispute accepted and debited",
  "dispute rejected",
  "dispute cancelled",
  "withdrawal by Pix",
  "withdrawal by transfer",
  "withdrawal paid by hand",
  "withdrawal rejected or cancelled",
  "payout refused by the bank",
  "payout sent back, in part",
  "payout sent back, whole",
  "transfer returned before it was paid",
  "transfer returned after it was paid",
  "payout settled by hand as paid",
  "payout settled by hand as not paid",
  "payout paid after all",
  "own payout",
  "bank tariff",
  "capital paid in",
  "yield",
  "correction, credit",
  "correction, debit",
  "entry reversed",
  "entry booked alone",
  "entry approved by the second administrator",
  "entry refused by the second administrator",
  "reserve rules changed",
  "reserve drawn",
] as const
export type Act = (typeof acts)[number]

/** Every movement that the ledger knows: the table in docs/ledger.md. */
const ledgerKinds = [
  ...["payment", "unmatched-payment", "payment-accepted", "withdrawal", "withdrawal-returned", "payout"],
  ...["payout-completed", "payout-returned", "refund", "refund-completed", "refund-returned", "refund-by-bank"],
  ...["dispute-blocked", "dispute-released", "reserve-held", "reserve-released", "reserve-drawn", "own-payout"],
  ...["bank-tariff", "capital-in", "bank-yield", "correction"],
]

/** The books have what was accepted, and nothing that the product can do was left out. */
export async function expectEachActHappened({ acts: done, installation }: World): Promise<Map<string, number>> {
  expect(
    acts.filter((act) => !done.has(act)),
    "what never happened",
  ).toEqual([])
  const rows = await query<{ kind: string; times: number }>(
    installation.databaseUrl,
    "select kind, count(distinct reference)::int as times from ledger_postings group by kind",
  )
  const booked = new Map(rows.map(({ kind, times }) => [kind, times]))
  expect([...booked.keys()].toSorted(), "the kinds of movements that were booked").toEqual(ledgerKinds.toSorted())
  return booked
}
