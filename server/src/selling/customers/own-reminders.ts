import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { recordAudit } from "#platform/audit/record"
import { findCustomerOfMails, type MailedCustomer, type OwnCustomer } from "./reads.ts"
import { lockMailedCustomer, updateRemindersEnded } from "./table.ts"

/** Serialises what is sent to a customer, and keeps their address and their choice as they are meanwhile. */
export async function lockReminded(tx: Tx, own: OwnCustomer): Promise<MailedCustomer | null> {
  return (await lockMailedCustomer(tx, own)) ?? null
}

interface OwnChoice {
  mailToken: string
  wants: boolean
  address: string
}

/** For whoever holds a mail to the customer. False for an unknown link; twice is once. */
export async function changeOwnReminders({ db, clock }: { db: Db; clock: Clock }, choice: OwnChoice): Promise<boolean> {
  if ((await findCustomerOfMails(db, choice.mailToken)) === null) return false
  await db.transaction().execute((tx) => change(tx, choice, clock.now()))
  return true
}

async function change(tx: Tx, { mailToken, wants, address }: OwnChoice, now: Date): Promise<void> {
  const changed = await updateRemindersEnded(tx, mailToken, wants ? null : now)
  if (changed === undefined) return
  await recordAudit(tx, {
    actor: null,
    whence: { address },
    happenedAt: now,
    action: wants ? "customer.reminders_resumed" : "customer.reminders_ended",
    entity: "customer",
    entityId: changed.id,
    before: null,
    after: { sellerId: changed.sellerId },
  })
}
