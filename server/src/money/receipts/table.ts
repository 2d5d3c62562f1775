import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import { isId } from "#kit/ids"

interface ReceiptedPayment {
  /** Null while nobody is credited. */
  chargeId: string | null
  /** Returned to the payer, or of a withdrawal to its seller. */
  refundedCents: Cents
}

/** By keys of the payment, or of a withdrawal, alone: a receipt names no charge, since its id opens more than the receipt says. */
export async function findReceiptedPayment(db: Db, endToEndId: string): Promise<ReceiptedPayment | null> {
  const { rows } = await sql<ReceiptedPayment>`
    select coalesce(
        unmatched.accepted_charge_id, case when payment.disposition = 'credited' then payment.charge_id end
      ) as "chargeId", coalesce((
        select sum(refund.amount_cents) from refunds refund
        where refund.end_to_end_id = payment.end_to_end_id and refund.status = 'completed'
      ), 0)::bigint as "refundedCents"
    from payments payment
    left join unmatched_payments unmatched on unmatched.end_to_end_id = payment.end_to_end_id
    where payment.end_to_end_id = ${endToEndId}
    union all
    select null, returned_cents from withdrawals
    where end_to_end_id = ${endToEndId} or id = ${isId(endToEndId) ? endToEndId : null}
    limit 1`.execute(db)
  return rows[0] ?? null
}

export async function addVerification(tx: Tx, chargeId: string, now: Date): Promise<void> {
  await tx
    .insertInto("receipt_verifications")
    .values({ charge_id: chargeId, count: 1, last_at: now } satisfies NewRow<"receipt_verifications">)
    .onConflict((conflict) =>
      conflict.column("charge_id").doUpdateSet({ count: sql`receipt_verifications.count + 1`, last_at: now }),
    )
    .execute()
}
