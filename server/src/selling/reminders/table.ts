import { type Selectable, sql } from "kysely"
import { bigint, date, type NewRow, rowsOf, text, timestamptz, uuid, uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Tx } from "#db/transaction"
import { type StoredSettings, toReminder } from "./reads.ts"
import type { Reminder } from "./rules.ts"

const newReminders = rowsOf<Reminder, NewRow<"reminders">>("given", {
  id: uuid(({ id }) => id),
  seller_id: uuid(({ sellerId }) => sellerId),
  customer_id: uuid(({ customerId }) => customerId),
  invoice_id: uuid(({ invoiceId }) => invoiceId),
  step: text(({ step }) => step),
  channel: text(({ channel }) => channel),
  day: date(({ day }) => day),
  amount_cents: bigint(({ amountCents }) => amountCents),
  mail_key: text(({ mailKey }) => mailKey),
  status: text(({ status }) => status),
  created_at: timestamptz(({ createdAt }) => createdAt),
  sent_at: timestamptz(({ sentAt }) => sentAt),
})

export async function insertReminders(tx: Tx, reminders: readonly Reminder[]): Promise<void> {
  await sql`insert into reminders (${newReminders.columns}) select * from ${newReminders.of(reminders)}`.execute(tx)
}

/** The oldest ones that wait. Another server has those that are passed. */
export async function lockQueuedReminders(tx: Tx, limit: number): Promise<Reminder[]> {
  const { rows } = await sql<Selectable<Schema["reminders"]>>`
    select * from reminders where status = 'queued' order by id limit ${limit} for update skip locked`.execute(tx)
  return rows.map(toReminder)
}

export async function updateOutcome(
  tx: Tx,
  ids: readonly string[],
  { status, sentAt }: Pick<Reminder, "status" | "sentAt">,
): Promise<void> {
  await sql`
    update reminders set status = ${status}, sent_at = ${sentAt} where id = any(${uuidList(ids)})`.execute(tx)
}

/** Makes the row where there is none, and locks it. */
export async function lockReminderSettings(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await sql`
    insert into reminder_settings (seller_id, updated_at) values (${sellerId}, ${now})
    on conflict (seller_id) do update set updated_at = excluded.updated_at`.execute(tx)
}

export async function updateReminderSettings(
  tx: Tx,
  sellerId: string,
  { enabled, enabledAt, own }: StoredSettings,
): Promise<void> {
  await tx
    .updateTable("reminder_settings")
    .set({ enabled, enabled_at: enabledAt, steps: JSON.stringify(own) })
    .where("seller_id", "=", sellerId)
    .execute()
}

export async function deleteReminderSettingsOf(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("reminder_settings").where("seller_id", "=", sellerId).execute()
}
