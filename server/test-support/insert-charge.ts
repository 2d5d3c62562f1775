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
  amountCents?: number
  description?: string
  pageTitle?: string
  expiresAt?: Date
}

/** A charge as the tables hold it, of R$ 10,00 unless wished otherwise, without a bank. Answers its id. */
export async function insertCharge(db: Db, wishes: Wishes): Promise<string> {
  const id = newId()
  const moment = new Date(wishes.at)
  const amountCents = wishes.amountCents ?? 1_000
  const feeCents = Math.round(amountCents * 0.15)
  await db
    .insertInto("charges")
    .values({
      id,
      seller_id: wishes.sellerId,
      page_id: wishes.pageId,
      txid: newTxid(moment),
      provider: "simulator",
      status: wishes.status,
      amount_cents: amountCents as Cents,
      fee_basis_points: 1500,
      fee_cents: feeCents as Cents,
      net_cents: (amountCents - feeCents) as Cents,
      page_title: wishes.pageTitle ?? "Mentoria",
      description: wishes.description ?? "Mentoria",
      pix_code: "000201",
      payer_name: wishes.payerName ?? null,
      payer_email: wishes.payerEmail ?? null,
      expires_at: wishes.expiresAt ?? new Date("2099-01-01T00:00:00Z"),
      paid_at: wishes.status === "paid" || wishes.status === "refunded" ? moment : null,
      created_at: moment,
      updated_at: moment,
    })
    .execute()
  return id
}
