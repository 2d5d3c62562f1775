import { dueTermsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import { bookPayments } from "#money/payments/book"
import { sendMails } from "#platform/mails/send-mails"
import { noOrder } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import { createCustomer } from "#selling/customers/manage"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice } from "#selling/invoices/create"
import type { Invoice } from "#selling/invoices/rules"
import { listRemindersOf } from "#selling/reminders/reads"
import { sendReminders } from "#selling/reminders/send"
import { changeReminderSettings } from "#selling/reminders/settings"
import { settleReminders } from "#selling/reminders/settle"
import { createSeller, openSandbox, receiptOf } from "./sandbox.ts"
import { withSharedClock } from "./shared-clock.ts"

/** A seller with customers, invoices and reminders, on days that the test chooses. */
export async function openReminderSandbox() {
  let now = new Date("2026-12-01T12:00:00-03:00")
  const sandbox = { ...withSharedClock(await openSandbox(), { now: () => now }), payersUrl: "https://pagar.example" }
  const { db } = sandbox
  let sellerId = ""
  let count = 0

  /** Another seller, at noon of 1 December, whose customers nobody has written to. */
  async function begin(): Promise<void> {
    await db.deleteFrom("mails").execute()
    await db.updateTable("reminder_settings").set({ enabled: false }).execute()
    sellerId = await createSeller(sandbox)
    at("2026-12-01T12:00:00")
  }

  const at = (moment: string) => {
    now = new Date(`${moment}-03:00`)
  }
  const seller = () => ({ id: sellerId, address: "127.0.0.1" })
  const own = ({ id }: { id: string }) => ({ id, seller: seller() })
  const usual: SentTerms = {
    amount: 100,
    dueDate: "2026-12-10",
    daysAfterDue: 30,
    fine: { type: "percent", value: 2 },
    interest: { type: "percentMonth", value: 1 },
  }

  async function enter(fields: Partial<Parameters<typeof customerFieldsFrom>[0]> = {}): Promise<string> {
    count += 1
    const all = customerFieldsFrom({ name: "Bruno Lima", email: `bruno-${count}@exemplo.com.br`, ...fields })
    return (await db.transaction().execute((tx) => createCustomer(tx, { seller: seller(), fields: all }, now))).id
  }

  function charge(customerId: string, terms: Partial<SentTerms> = {}, description = "Mensalidade"): Promise<Invoice> {
    return createInvoice(sandbox, {
      ...{ seller: seller(), customer: { id: customerId }, terms: dueTermsOf({ ...usual, ...terms }) },
      ...{ description, order: noOrder, mode: "daily", idempotencyKey: null },
    })
  }

  const turnOn = (steps: object = {}) =>
    changeReminderSettings(sandbox, { seller: seller(), changes: { enabled: true, steps } })
  const withoutBank = { bankTime: () => null }
  const run = () => sendReminders({ ...sandbox, psp: withoutBank })
  const stepsOf = async ({ id }: { id: string }) =>
    (await listRemindersOf(db, [id])).map(({ step, status }) => `${step} ${status}`).toReversed()

  /** A mail server that takes all but what goes to the addresses of nobody. */
  const sent: { to: string; subject: string; text: string; html: string; unsubscribeUrl: string | undefined }[] = []
  const mailer = {
    async send(mails: readonly { to: string; subject: string; text: string; html: string; unsubscribeUrl?: string }[]) {
      return mails.map(({ to, subject, text, html, unsubscribeUrl }) => {
        if (to.startsWith("ninguem")) return { isSent: false, problem: "EENVELOPE RCPT TO 550", isFinal: true } as const
        sent.push({ to, subject, text, html, unsubscribeUrl })
        return { isSent: true } as const
      })
    },
    stop: async () => undefined,
  }

  async function deliver() {
    sent.length = 0
    await settleReminders(sandbox)
    await sendMails({ ...sandbox, mailer, publicUrl: "https://painel.example" })
    await settleReminders(sandbox)
    return sent.splice(0)
  }

  async function pay({ pageId }: Invoice): Promise<void> {
    const { txid, amountCents } = await createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })
    await bookPayments(sandbox, [{ ...receiptOf(txid, amountCents), paidAt: now }])
  }

  async function run9(day: string): Promise<void> {
    at(`${day}T09:00:00`)
    await run()
  }

  return {
    ...{
      sandbox,
      db,
      begin,
      at,
      run,
      run9,
      deliver,
      pay,
      enter,
      charge,
      turnOn,
      stepsOf,
      seller,
      own,
      usual,
      withoutBank,
    },
    now: () => now,
    sellerId: () => sellerId,
    close: () => sandbox.close(),
  }
}
