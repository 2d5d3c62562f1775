import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db } from "#db/transaction"
import { newId } from "#kit/ids"

interface Wishes {
  sellerId: string
  status: Extract<WithdrawalStatus, "pending" | "completed">
  at: Date
}

/** Inserts rows as the verbs would leave them, without postings. Returns their ids. */
export async function insertWithdrawals(
  db: Db,
  withdrawals: Wishes[],
  to: { key: string; kind: PixKeyKind } = { key: "ana@loja.example", kind: "email" },
): Promise<string[]> {
  const rows = withdrawals.map(({ sellerId, status, at }) => {
    const id = newId()
    const key = { pix_key: to.key, pix_key_kind: to.kind, payout_id: id.replaceAll("-", "") } as const
    const asked = {
      id,
      seller_id: sellerId,
      amount_cents: 1_000 as Cents,
      method: "pix",
      status,
      created_at: at,
    } as const
    const ended = { provider: "simulator", approved_at: at, sent_at: at, processed_at: at }
    return { ...asked, ...key, ...(status === "completed" && ended) }
  })
  for (let start = 0; start < rows.length; start += 500) {
    await db
      .insertInto("withdrawals")
      .values(rows.slice(start, start + 500))
      .execute()
  }
  return rows.map(({ id }) => id)
}
