import type { ChargeStatus } from "#db/schema"
import type { Db } from "#db/transaction"
import { newId, newTxid } from "#kit/ids"
import type { Cents } from "#kit/money"

interface Wishes {
  sellerId: string
  pageId: string
  at: string
  status: ChargeStatus
  payerName?: string
  payerEmail?: string
}

/** A charge of R$ 10,00 as the tables hold it, without a bank. Answers its id. */
export async function insertCharge(db: Db, wishes: Wishes): Promise<string> {
  const id = newId()
  const moment = new Date(wishes.at)
  await db
    .insertInto("charges")
    .values({
      id,
      seller_id: wishes.sellerId,
      page_id: wishes.pageId,
      txid: newTxid(moment),
      provider: "simulator",
      status: wishes.status,
      amount_cents: 1_000 as Cents,
      fee_basis_points: 1500,
      fee_cents: 150 as Cents,
      net_cents: 850 as Cents,
      page_title: "Mentoria",
      description: "Mentoria",
      pix_code: "000201",
      payer_name: wishes.payerName ?? null,
      payer_email: wishes.payerEmail ?? null,
      expires_at: new Date("2099-01-01T00:00:00Z"),
      paid_at: wishes.status === "paid" || wishes.status === "refunded" ? moment : null,
      created_at: moment,
      updated_at: moment,
    })
    .execute()
  return id
}
