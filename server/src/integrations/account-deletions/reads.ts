import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { secondsAfter } from "#kit/clock"

/** Whatever of an account is not over yet. */
export interface Obstacles {
  hasOpenCodes: boolean
  hasWithdrawals: boolean
  hasRefunds: boolean
  hasDisputes: boolean
  hasUnmatched: boolean
  availableCents: Cents
  /** In withdrawals and disputes, or to come. */
  elsewhereCents: Cents
  /** The last moment of a payment that its payer may still dispute; null without one. */
  lastPaidAt: Date | null
}

/** A payment may come after its charge's code has expired. */
const LATE_DAYS = 10
/** The newest charges are paid within a day of each other. */
const NEWEST = 100

/** Each by an index of what is open, or by few rows, so that a long history costs nothing. */
export async function findOpenWork(db: Db, sellerId: string, disputableSince: Date): Promise<Obstacles> {
  const { rows } = await sql<Obstacles>`
    select
      exists (select from open_charges where seller_id = ${sellerId}) as "hasOpenCodes",
      exists (
        select from withdrawals where seller_id = ${sellerId} and status in ('pending', 'approved', 'processing')
      ) as "hasWithdrawals",
      exists (select from refunds where seller_id = ${sellerId} and status = 'processing') as "hasRefunds",
      exists (select from disputes where seller_id = ${sellerId} and settled_at is null) as "hasDisputes",
      exists (
        select from unmatched_payments unmatched join payments payment using (end_to_end_id)
        where unmatched.status = 'open' and payment.seller_id = ${sellerId}
      ) as "hasUnmatched",
      coalesce((select balance_cents from ledger_accounts where id = ${`seller-available:${sellerId}`}), ${noMoney})::bigint
        as "availableCents",
      coalesce((
        select sum(abs(balance_cents)) from ledger_accounts
        where id in (${`seller-held:${sellerId}`}, ${`seller-blocked:${sellerId}`}, ${`seller-reserved:${sellerId}`})
      ), 0)::bigint as "elsewhereCents",
      (
        select max(paid_at) from (
          select paid_at from charges
          where seller_id = ${sellerId} and created_at >= ${secondsAfter(disputableSince, -LATE_DAYS * 86_400)}
            and paid_at > ${disputableSince} and refunded_cents < amount_cents
          order by created_at desc, id desc limit ${NEWEST}
        ) disputable
      ) as "lastPaidAt"`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error("a select without a table answers with one row")
  return found
}
