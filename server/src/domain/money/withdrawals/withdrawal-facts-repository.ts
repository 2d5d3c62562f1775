import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PixKey } from "@tilinta/contract/vocabulary/pix-key"
import { type Selectable, sql } from "kysely"
import { prepared } from "#db/prepared"
import { uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import type { BankAccount } from "#domain/people/users/user"
import { sellerAvailable } from "#ledger/accounts"
import type { Destination, Withdrawal } from "./withdrawal.ts"
import { comparedDestination, isProfilesDestination, type WithdrawalFacts } from "./withdrawal-facts.ts"
import { destinationOf } from "./withdrawals-repository.ts"

/**
 * Joined to each pending request of the list, by indexes and within the list's own statement. The offset keeps the
 * planner from computing this before it checks whether the request is pending.
 */
export const factsJoin = sql`left join lateral (
  select seller.created_at as seller_since, seller.bank_account as profile, seller.cpf as seller_cpf,
    coalesce((
      select total.count from withdrawal_totals total
      where total.seller_id = withdrawal.seller_id and total.status = 'completed'
    ), 0) as paid_count,
    paid_before.usual_cents, paid_before.last_paid,
    (
      select max(change.happened_at) from audit_records change
      where change.entity = 'user' and change.entity_id = withdrawal.seller_id::text
        and change.action = 'user.profile_updated' and change.after ? 'bankAccount'
    ) as profile_changed_at,
    coalesce((
      select account.balance_cents from ledger_accounts account
      where account.id = ${sellerAvailable("")} || withdrawal.seller_id
    ), 0) as balance_cents,
    open_refunds.*
  from users seller
  cross join lateral (
    select percentile_disc(0.5) within group (order by recent.amount_cents) as usual_cents,
      (array_agg(to_jsonb(recent) order by recent.processed_at desc))[1] as last_paid
    from (
      select paid.* from withdrawals paid
      where paid.seller_id = seller.id and paid.status = 'completed' order by paid.processed_at desc limit 10
    ) recent
  ) paid_before
  cross join lateral (
    select count(*) as refund_count, coalesce(sum(refund.amount_cents), 0)::bigint as refund_cents
    from refunds refund where refund.seller_id = seller.id and refund.status = 'processing'
  ) open_refunds
  where seller.id = withdrawal.seller_id and withdrawal.status = 'pending' offset 0
) facts on true`

type LastPaid = Pick<Selectable<Schema["withdrawals"]>, "id" | "pix_key" | "pix_key_kind" | "bank_data">

export interface FactsRow {
  seller_since: Date | null
  profile: Partial<BankAccount>
  seller_cpf: string
  paid_count: number
  usual_cents: Cents | null
  last_paid: LastPaid | null
  profile_changed_at: Date | null
  balance_cents: Cents
  refund_count: number
  refund_cents: Cents
}

/** Null unless the request is pending. */
export function toFacts(row: FactsRow, { destination }: Withdrawal): WithdrawalFacts | null {
  if (row.seller_since === null) return null
  return {
    sellerSince: row.seller_since,
    paidCount: row.paid_count,
    usualCents: row.usual_cents,
    destination: comparedDestination(row.last_paid === null ? null : destinationOf(row.last_paid), destination),
    isInProfile: isProfilesDestination(destination, row.profile),
    profileChangedAt: row.profile_changed_at,
    balanceAfterCents: row.balance_cents,
    isOwnDocument: destination.method === "pix" && isDocumentOf(row.seller_cpf, destination.pixKey),
    openRefunds: { count: row.refund_count, amountCents: row.refund_cents },
  }
}

function isDocumentOf(document: string, { kind, key }: PixKey): boolean {
  return (kind === "cpf" || kind === "cnpj") && key === document
}

/** Keyed by seller; sellers without a paid withdrawal are missing. */
export async function findLastPaidDestinations(
  db: Db,
  sellerIds: readonly string[],
): Promise<Map<string, Destination>> {
  const { rows } = await prepared<LastPaid & { seller_id: string }>("last-paid-destinations")`
    select paid.id, paid.seller_id, paid.pix_key, paid.pix_key_kind, paid.bank_data
    from unnest(${uuidList(sellerIds)}) as asked (seller_id)
    cross join lateral (
      select * from withdrawals
      where seller_id = asked.seller_id and status = 'completed' order by processed_at desc limit 1
    ) paid`.execute(db)
  return new Map(rows.map((row) => [row.seller_id, destinationOf(row)]))
}
