import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { newId, newUniqueLink } from "#kit/ids"

interface PageWishes {
  sellerId: string
  status?: ChargePageStatus
  at: string
  title?: string
  description?: string
  /** Unlimited by default. */
  maxPayments?: number
}

export async function insertChargePages(db: Db, pages: PageWishes[]): Promise<string[]> {
  const rows = pages.map(({ sellerId, status = "active", at, title = "Mentoria", description = "", maxPayments }) => {
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
      max_payments: maxPayments ?? null,
      counted_at_once: maxPayments !== undefined,
      created_at: new Date(at),
      updated_at: new Date(at),
    }
  })
  await db.insertInto("charge_pages").values(rows).execute()
  return rows.map(({ id }) => id)
}
