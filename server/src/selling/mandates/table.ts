import { sql } from "kysely"
import type { ChangedRow, NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { Debit, Mandate } from "./rules.ts"

function mandateColumns(mandate: Mandate) {
  return {
    recurrence_id: mandate.recurrenceId,
    pix_code: mandate.pixCode,
    ended_code: mandate.endedCode,
    cancel_since: mandate.cancelSince,
    rests_for: mandate.restsFor,
    missed_at: mandate.missedAt,
    approved_at: mandate.approvedAt,
    ended_at: mandate.endedAt,
    status: mandate.status,
    updated_at: mandate.updatedAt,
  }
}

export async function insertMandate(tx: Tx, mandate: Mandate, askAt: Date): Promise<void> {
  await tx
    .insertInto("mandates")
    .values({
      id: mandate.id,
      seller_id: mandate.sellerId,
      subscription_id: mandate.subscriptionId,
      provider: mandate.provider,
      contract: mandate.contract,
      journey: mandate.journey,
      retry_policy: mandate.retryPolicy,
      amount_cents: mandate.amountCents,
      starts_on: mandate.startsOn,
      first_txid: mandate.firstTxid,
      expires_at: mandate.expiresAt,
      created_at: mandate.createdAt,
      ask_at: askAt,
      ...mandateColumns(mandate),
    } satisfies NewRow<"mandates">)
    .execute()
}

/** One update of a transaction: a second one would check its subscription again, which others may have locked. */
export async function updateMandateRow(tx: Tx, mandate: Mandate, askAt?: Date): Promise<void> {
  const columns = { ...mandateColumns(mandate), ...(askAt !== undefined && { ask_at: askAt }) }
  await tx.updateTable("mandates").set(columns).where("id", "=", mandate.id).execute()
}

/** After their subscriptions, before pages. */
export async function lockMandateRow(tx: Tx, id: string): Promise<void> {
  await sql`select from mandates where id = ${id} for update`.execute(tx)
}

export async function setMandateAskAt(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable("mandates").set({ ask_at: at }).where("id", "=", id).execute()
}

export async function hurryMandateRow(tx: Tx, recurrenceId: string, now: Date): Promise<void> {
  await sql`
    update mandates set ask_at = least(ask_at, ${now}) where recurrence_id = ${recurrenceId} and ended_at is null`.execute(
    tx,
  )
}

export async function hurryDebitRow(tx: Tx, txid: string, now: Date): Promise<void> {
  await sql`update debits set ask_at = least(ask_at, ${now}) where txid = ${txid} and ended_at is null`.execute(tx)
}

interface Claim {
  provider: string
  now: Date
  /** The end of the lease: whoever dies meanwhile leaves it to the next run. */
  until: Date
  atMost: number
}

export async function claimMandates(tx: Tx, { provider, now, until, atMost }: Claim): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update mandates set ask_at = ${until}
    where id in (
      select id from mandates
      where provider = ${provider} and status in ('draft', 'waiting', 'approved') and ask_at <= ${now}
      order by ask_at limit ${atMost} for update skip locked
    ) returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function claimDebits(tx: Tx, { provider, now, until, atMost }: Claim): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update debits set ask_at = ${until}
    where id in (
      select id from debits where provider = ${provider} and ended_at is null and ask_at <= ${now}
      order by ask_at limit ${atMost} for update skip locked
    ) returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Nothing more is debited for subscriptions that are over. */
export async function markMandatesOfEndedToCancel(tx: Tx, now: Date): Promise<void> {
  await sql`
    update mandates mandate set cancel_since = ${now}, ask_at = ${now}, updated_at = ${now}
    from subscriptions subscription
    where subscription.id = mandate.subscription_id and subscription.status in ('completed', 'cancelled')
      and mandate.status in ('draft', 'waiting', 'approved') and mandate.cancel_since is null`.execute(tx)
}

function debitColumns(debit: Debit) {
  return {
    is_sent: debit.isSent,
    attempts: JSON.stringify(debit.attempts),
    ended_code: debit.endedCode,
    cancel_since: debit.cancelSince,
    retry_day: debit.retryDay,
    retry_sent_at: debit.retrySentAt,
    ended_at: debit.endedAt,
    status: debit.status,
    updated_at: debit.updatedAt,
  } satisfies Partial<ChangedRow<"debits">>
}

/** False when the invoice has one: there is one for each, for ever. */
export async function insertDebitOnce(tx: Tx, debit: Debit, askAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("debits")
    .values({
      id: debit.id,
      seller_id: debit.sellerId,
      mandate_id: debit.mandateId,
      invoice_id: debit.invoiceId,
      provider: debit.provider,
      txid: debit.txid,
      amount_cents: debit.amountCents,
      due_day: debit.dueDay,
      created_at: debit.createdAt,
      ask_at: askAt,
      ...debitColumns(debit),
    } satisfies NewRow<"debits">)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Under the lock of its invoice's page. */
export async function updateDebitRow(tx: Tx, debit: Debit): Promise<void> {
  await tx.updateTable("debits").set(debitColumns(debit)).where("id", "=", debit.id).execute()
}

export async function setDebitAskAt(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable("debits").set({ ask_at: at }).where("id", "=", id).execute()
}

interface AutomaticSeller {
  sellerId: string
  reason: string
  enabledBy: string
  now: Date
}

export async function saveAutomaticSeller(
  tx: Tx,
  { sellerId, reason, enabledBy, now }: AutomaticSeller,
): Promise<void> {
  await sql`
    insert into automatic_sellers (seller_id, reason, enabled_by, enabled_at)
    values (${sellerId}, ${reason}, ${enabledBy}, ${now})
    on conflict (seller_id) do update
    set reason = excluded.reason, enabled_by = excluded.enabled_by, enabled_at = excluded.enabled_at`.execute(tx)
}

export async function deleteAutomaticSeller(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("automatic_sellers").where("seller_id", "=", sellerId).execute()
}
