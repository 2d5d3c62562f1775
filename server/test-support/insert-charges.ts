import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { ChargeStatus } from "#db/schema"
import type { Db } from "#db/transaction"
import { newId, newTxid, newUniqueLink } from "#kit/ids"
import { type Cents, feeFromGross, subtractCents } from "#kit/money"

interface Wishes {
  sellerId: string
  pageId: string
  status: ChargeStatus
  /** When it was created and, unless `paidAt` says otherwise, paid. */
  at: string
  paidAt?: string
  cents?: number
  payerName?: string
  description?: string
  pageTitle?: string
  endToEndId?: string
}

/** Rows as the verbs would leave them, at any time of the past. Answers their ids. */
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
  const amount = (wishes.cents ?? 1_000) as Cents
  const fee = feeFromGross(amount, 1500)
  const isPaid = status === "paid" || status === "refunded"
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
    page_title: wishes.pageTitle ?? "Mentoria",
    description: wishes.description ?? "Mentoria",
    pix_code: "000201",
    payer_name: wishes.payerName ?? null,
    end_to_end_id: wishes.endToEndId ?? null,
    expires_at: new Date("2099-01-01T00:00:00Z"),
    paid_at: isPaid ? new Date(wishes.paidAt ?? at) : null,
    created_at: createdAt,
    updated_at: createdAt,
  }
}

interface PageWishes {
  sellerId: string
  status?: ChargePageStatus
  at: string
  title?: string
  description?: string
}

export async function insertChargePages(db: Db, pages: PageWishes[]): Promise<string[]> {
  const rows = pages.map(({ sellerId, status = "active", at, title = "Mentoria", description = "" }) => {
    const link = newUniqueLink()
    return {
      id: newId(),
      seller_id: sellerId,
      title,
      description,
      amount_cents: 1_000 as Cents,
      unique_link: link,
      slug: link.toLowerCase(),
      status,
      allow_anonymous: true,
      require_name: false,
      require_email: false,
      require_phone: false,
      require_cpf: false,
      expires_in_hours: 0,
      expires_at: null,
      max_payments: null,
      created_at: new Date(at),
      updated_at: new Date(at),
    }
  })
  await db.insertInto("charge_pages").values(rows).execute()
  return rows.map(({ id }) => id)
}
