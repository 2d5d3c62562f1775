import { feeOf, percentFee } from "@tilinta/contract/vocabulary/fee"
import { type Cents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { ChargeStatus } from "@tilinta/contract/vocabulary/transactions"
import type { Db } from "#db/transaction"
import { newId, newTxid } from "#kit/ids"

interface Wishes {
  sellerId: string
  pageId: string
  status: ChargeStatus
  /** Time of creation and, unless `paidAt` says otherwise, of payment. */
  at: string
  paidAt?: string
  amountCents?: number
  payerName?: string
  payerEmail?: string
  payerDocument?: string
  payerPhone?: string
  description?: string
  pageTitle?: string
  endToEndId?: string
  expiresAt?: Date
  /** Given back to the payer, with its share of the fee; all of it unless said otherwise once the status is refunded. */
  refundedCents?: number
}

export async function insertCharge(db: Db, charge: Wishes): Promise<string> {
  const [id = ""] = await insertCharges(db, [charge])
  return id
}

/** Inserts rows as the verbs would leave them, at any past time. Returns their ids. */
export async function insertCharges(db: Db, charges: Wishes[]): Promise<string[]> {
  const rows = charges.map(toRow)
  for (let start = 0; start < rows.length; start += 500) {
    await db
      .insertInto("charges")
      .values(rows.slice(start, start + 500))
      .execute()
  }
  return rows.map(({ id }) => id)
}

function toRow({ sellerId, pageId, status, at, ...wishes }: Wishes) {
  const createdAt = new Date(at)
  const amount = (wishes.amountCents ?? 1_000) as Cents
  const fee = feeOf(percentFee(15), amount)
  const isPaid = status === "paid" || status === "refunded"
  const refunded = (wishes.refundedCents ?? (status === "refunded" ? amount : 0)) as Cents
  return {
    id: newId(),
    seller_id: sellerId,
    page_id: pageId,
    txid: newTxid(createdAt),
    provider: "simulator",
    status,
    amount_cents: amount,
    fee_basis_points: 1500,
    fee_cents: fee,
    net_cents: subtractCents(amount, fee),
    refunded_cents: refunded,
    refunded_fee_cents: feeOf(percentFee(15), refunded),
    page_title: wishes.pageTitle ?? "Mentoria",
    description: wishes.description ?? "Mentoria",
    pix_code: "000201",
    payer_name: wishes.payerName ?? null,
    payer_email: wishes.payerEmail ?? null,
    payer_document: wishes.payerDocument ?? null,
    payer_phone: wishes.payerPhone ?? null,
    end_to_end_id: wishes.endToEndId ?? null,
    expires_at: wishes.expiresAt ?? new Date("2099-01-01T00:00:00Z"),
    paid_at: isPaid ? new Date(wishes.paidAt ?? at) : null,
    created_at: createdAt,
    updated_at: createdAt,
  }
}
