import type { Cents } from "@tilinta/contract/vocabulary/money"
import pg from "pg"
import { afterAll, beforeEach, expect, test } from "vitest"
import { recordDispute } from "#money/disputes/record"
import { bookPayments } from "#money/payments/book"
import { recordReportedRefunds } from "#money/refunds/reported"
import type { PaymentReceived, PspDispute } from "#psp/psp"
import { updateSubscription } from "#selling/subscriptions/manage"
import { openAutomaticSandbox } from "../../../test-support/automatic-sandbox.ts"
import { codesOf, countWaiting, times } from "../../../test-support/races.ts"
import { resumeMandate } from "./manage.ts"

const world = await openAutomaticSandbox()
const { sandbox, bank, at, own, request, approve, mandateOf, run, debitOf, withDebit, now } = world
const other = new pg.Client({ connectionString: sandbox.url })
await other.connect()

beforeEach(() => world.begin())
afterAll(async () => {
  await other.end()
  await world.end()
})

/** The first cycle's debit is paid; the second one's is with the bank. */
async function withPaidDebit() {
  const made = await withDebit()
  at("2026-12-31", "06:00")
  const receipt = bank.pay(made.debit.txid)
  await run()
  at("2027-01-25")
  await run()
  const { debit: next } = await debitOf(made.subscription, 2)
  if (next === null) throw new Error("the next cycle has no debit")
  return { ...made, receipt, next }
}

function disputeOf({ endToEndId }: PaymentReceived, state: PspDispute["state"] = "open"): PspDispute {
  const none = { analysis: "", respondUntil: null, closedAt: null, openedAt: null } as const
  const about = { disputeId: `disputa-${endToEndId}`, endToEndId, amountCents: null }
  return { ...none, ...about, reason: "fraud", details: "", state, updatedAt: now() }
}

function takenOf(receipt: PaymentReceived, isDispute = true): PaymentReceived[] {
  const refund = { pspRefundId: `dev-${isDispute}`, amountCents: 5_000 as Cents, returnId: null, reason: null }
  return [{ ...receipt, refunds: [{ ...refund, state: "completed", settledAt: now(), isDispute }] }]
}

const told = () =>
  sandbox.db
    .selectFrom("notices")
    .select("content")
    .where("user_id", "=", world.sellerId())
    .execute()
    .then((rows) => rows.filter(({ content }) => JSON.stringify(content).includes("Débito automático parado")))

test("31: a debit that its customer disputes rests the authorisation, and what is not yet debited is called off", async () => {
  const { mandate, receipt, next, subscription } = await withPaidDebit()
  await recordDispute(sandbox, disputeOf(receipt))
  expect(await mandateOf(mandate)).toMatchObject({ status: "approved", restsFor: "disputed" })
  await run()
  const { invoice, debit } = await debitOf(subscription, 2)
  expect([debit?.id, debit?.status]).toEqual([next.id, "cancelled"])
  await world.payByLink(invoice)
})

test("31: a dispute that is told again, or debited, doesn't rest what the seller has looked at", async () => {
  const { mandate, receipt } = await withPaidDebit()
  expect(codesOf(await times(4, () => recordDispute(sandbox, disputeOf(receipt))))).toEqual({ ok: 4 })
  expect(await told()).toHaveLength(1)
  await resumeMandate(sandbox, own(mandate))
  await recordDispute(sandbox, disputeOf(receipt))
  await recordReportedRefunds(sandbox, takenOf(receipt))
  await recordDispute(sandbox, disputeOf(receipt, "accepted"))
  expect((await mandateOf(mandate)).restsFor).toBeNull()
  expect(await told()).toHaveLength(1)
})

test("31: money that the bank takes back by a dispute nobody told rests it once; a refund of another kind doesn't", async () => {
  const { mandate, receipt } = await withPaidDebit()
  await recordReportedRefunds(sandbox, takenOf(receipt, false))
  expect((await mandateOf(mandate)).restsFor).toBeNull()
  expect(codesOf(await times(4, () => recordReportedRefunds(sandbox, takenOf(receipt))))).toEqual({ ok: 4 })
  expect((await mandateOf(mandate)).restsFor).toBe("disputed")
  expect(await told()).toHaveLength(1)
  await resumeMandate(sandbox, own(mandate))
  await recordReportedRefunds(sandbox, takenOf(receipt))
  expect((await mandateOf(mandate)).restsFor).toBeNull()
})

test("31: the authorisation that took the place of the debit's own rests in its stead", async () => {
  const { subscription, mandate, receipt } = await withPaidDebit()
  await updateSubscription(sandbox, own(subscription), { amount: 120 })
  const newer = await approve(await request(subscription))
  await world.askSoon()
  expect(await mandateOf(mandate)).toMatchObject({ status: "cancelled_by_us" })
  await recordDispute(sandbox, disputeOf(receipt))
  expect((await mandateOf(newer)).restsFor).toBe("disputed")
})

/** A writer that waits for the mandate while holding the charge could deadlock with the booking of a debit. */
test.each(["dispute", "refund"])("31: a %s that waits for the authorisation holds no charge", async (kind) => {
  const { mandate, debit, receipt } = await withPaidDebit()
  await other.query("begin")
  await other.query("select from mandates where id = $1 for update", [mandate.id])
  const writing =
    kind === "dispute" ? recordDispute(sandbox, disputeOf(receipt)) : recordReportedRefunds(sandbox, takenOf(receipt))
  const free = await expect
    .poll(() => countWaiting(other))
    .toBe(1)
    .then(() => other.query("select from charges where txid = $1 for update skip locked", [debit.txid]))
    .finally(() => other.query("rollback"))
  await writing
  expect(free.rowCount).toBe(1)
})

test("31: a debit that is booked while another one's dispute opens is booked, and the dispute blocks its money", async () => {
  const { mandate, receipt, next } = await withPaidDebit()
  at("2027-01-31", "06:00")
  const second = bank.pay(next.txid)
  const outcomes = await times(6, (index) =>
    index % 2 === 0 ? bookPayments(sandbox, [second]) : recordDispute(sandbox, disputeOf(receipt)),
  )
  expect(codesOf(outcomes)).toEqual({ ok: 6 })
  expect((await mandateOf(mandate)).restsFor).toBe("disputed")
  expect(
    (await sandbox.db.selectFrom("payments").selectAll().where("txid", "=", next.txid).execute())[0],
  ).toMatchObject({
    disposition: "credited",
  })
})
