import { afterAll, beforeEach, expect, test } from "vitest"
import { findInvoices } from "#selling/invoices/reads"
import { openAutomaticSandbox, refusedAs } from "../../../test-support/automatic-sandbox.ts"
import { listDueToday, listRemindersOf, readReminderSettings } from "./reads.ts"
import { nextReminder } from "./rules.ts"
import { remindByHand, sendReminders } from "./send.ts"
import { changeReminderSettings } from "./settings.ts"
import { settleReminders } from "./settle.ts"

const world = await openAutomaticSandbox()
const { at, begin, bank, own, run, withDebit } = world
const sandbox = { ...world.sandbox, payersUrl: "https://pagar.example" }
const { db } = sandbox

beforeEach(async () => {
  await begin()
  await changeReminderSettings(sandbox, { seller: own({ id: "" }).seller, changes: { enabled: true } })
})
afterAll(world.end)

const remind = () => sendReminders(sandbox)
const stepsOf = async (invoice: { id: string }) =>
  (await listRemindersOf(db, [invoice.id])).map(({ step, status }) => `${step} ${status}`).toReversed()
const dueToday = async () => {
  const listed = { sellerId: world.sellerId(), steps: ["due", "after_1"] as const, due: world.now(), limit: 10 }
  return (await listDueToday(db, listed)).invoices.map(({ id }) => id)
}

test("nobody is asked to pay what is debited today", async () => {
  const { invoice } = await withDebit()
  at("2026-12-31", "09:00")
  await remind()
  expect(await stepsOf(invoice)).toEqual([])
  expect(await dueToday()).toEqual([])
  for (const channel of ["email", "whatsapp"] as const) {
    await expect(remindByHand(sandbox, { ...own(invoice), channel })).rejects.toEqual(refusedAs("debit_under_way"))
  }
})

test("a reminder that still waits when the code ends is taken back", async () => {
  const { invoice } = await withDebit()
  at("2026-12-30", "20:50")
  await remindByHand(sandbox, { ...own(invoice), channel: "email" })
  at("2026-12-30", "21:00")
  await settleReminders(sandbox)
  expect(await stepsOf(invoice)).toEqual(["null withheld"])
})

test("the next reminder is that of after a debit that fails, and it goes while no attempt is held", async () => {
  const { invoice, debit } = await withDebit()
  const settings = await readReminderSettings(db, world.sellerId())
  const nextOf = async () => {
    const [found = invoice] = await findInvoices(db, [invoice.id])
    const times = { now: world.now(), due: world.now() }
    const customer = { email: "bruno@exemplo.com.br", remindersEndedAt: null }
    return nextReminder(found, { settings, customer, times, isRemindedToday: false, isReminded: false }).next
  }
  at("2026-12-29")
  expect(await nextOf()).toEqual({ step: "after_1", day: "2027-01-01" })
  at("2026-12-31", "21:40")
  bank.fail(debit.txid, "expired", null)
  await run()
  at("2027-01-01", "09:00")
  await remind()
  expect(await stepsOf(invoice)).toEqual(["after_1 queued"])
})
