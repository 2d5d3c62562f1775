import { prepared } from "#db/prepared"
import { textList, uuidList } from "#db/rows-of"
import { lookup } from "#db/sql-part"
import type { Db } from "#db/transaction"
import { type ChargeTerms, chargeTermKeys, chargeTermsOf } from "#domain/platform/settings/read-setting"
import type { ChargePage } from "./charge-page.ts"

/** The fields of a page that its charges need. */
export type PageToCharge = Pick<
  ChargePage,
  | "id"
  | "sellerId"
  | "title"
  | "description"
  | "amountCents"
  | "status"
  | "allowAnonymous"
  | "requireName"
  | "requireEmail"
  | "requirePhone"
  | "requireCpf"
  | "expiresAt"
> & { terms: ChargeTerms; isConfirmed: boolean; isSuspended: boolean }

type Row = Omit<PageToCharge, "terms"> & { settings: Parameters<typeof chargeTermsOf>[0] | null }

/** Undeleted pages of active sellers. */
export async function findPagesToCharge(db: Db, ids: readonly string[]): Promise<PageToCharge[]> {
  const { rows } = await prepared<Row>("find-pages-to-charge")`
    select page.id, page.seller_id as "sellerId", page.title, page.description, page.amount_cents as "amountCents",
      page.status, page.allow_anonymous as "allowAnonymous", page.require_name as "requireName",
      page.require_email as "requireEmail", page.require_phone as "requirePhone", page.require_cpf as "requireCpf",
      page.expires_at as "expiresAt", seller.email_state <> 'unconfirmed' as "isConfirmed",
      page.suspended_at is not null as "isSuspended", (
        select json_object_agg(key, value) from settings where key = any(${textList(chargeTermKeys)})
      ) as settings
    from charge_pages page join users seller on ${lookup("seller.id", "page.seller_id")} and seller.active
    where page.id = any(${uuidList(ids)}) and page.deleted_at is null`.execute(db)
  return rows.map(({ settings, ...page }) => ({ ...page, terms: chargeTermsOf(settings ?? {}) }))
}
