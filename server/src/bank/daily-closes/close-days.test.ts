import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, expect, test } from "vitest"
import { listUnreadable } from "#bank/reconciliation/reads"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { daysAfter, saoPauloDay } from "#kit/clock"
import { invariant } from "#kit/errors"
import { bookPayments } from "#money/payments/book"
import { recordReportedRefunds } from "#money/refunds/reported"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { Withdrawal } from "#money/withdrawals/withdrawal"
import { connectSimulator } from "#psp/connect-psp"
import { PspError, type PspPayouts } from "#psp/psp"
import { tidyUp } from "#start/retention"
import { afterToday } from "../../../test-support/after-today.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openPaidCharge, payCharge, takeByBank } from "../../../test-support/paid-charges.ts"
import { createAdmin, createSeller, openSandbox, receiptOf, type Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { closeDays, redoDailyClose } from "./close.ts"
import { reconcilePayouts } from "./compare.ts"
import { closeUnreadable, getDailyClose, listDailyCloses } from "./daily-close.ts"
import { boundsOf } from "./rules.ts"

const pixKey = { kind: "email", key: "ana@loja.example" } as const

let sandbox: Sandbox
let adminId: string

beforeEach(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ liquidacaoMs: 0 })
  adminId = await createAdmin(sandbox)
})

afterEach(() => sandbox.close())

/** A connection that has heard nothing of the bank yet, its clock included. */
function connectSimulatorAnew() {
  const { simulatorUrl: url, receiverKey } = sandbox
  return connectSimulator({ url, receiverKey, clientId: "test", clientSecret: "test" }, sandbox.log)
}

function bankPayouts(): PspPayouts {
  invariant(sandbox.psp.payouts !== null, "the simulator sends money")
  return sandbox.psp.payouts
}

async function paidOut(sellerId: string, cents: number): Promise<Withdrawal> {
  const { id } = await requested(sellerId, cents)
  await approveWithdrawal(sandbox, { id, admin: { id: adminId, address: null }, adminNotes: "" })
  await sendPayouts(sandbox)
  const withdrawal = await sandbox.db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirst()
  expect(withdrawal).toMatchObject({ status: "completed", settled_at: expect.any(Date) })
  return { id } as Withdrawal
}

function requested(sellerId: string, cents: number): Promise<Withdrawal> {
  return requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey },
    idempotencyKey: null,
  })
}

/** Makes a payment, a partial refund and a payout, all in order. */
async function liveADay(): Promise<{ sellerId: string }> {
  const sellerId = await createSeller(sandbox)
  const { id } = await openPaidCharge(sandbox, { sellerId })
  const actor = { id: sellerId, address: null }
  const input = { chargeId: id, amountCents: 2_000 as Cents, reason: "", actor, origin: "seller" } as const
  await requestRefund(sandbox, { ...input, idempotencyKey: null })
  await settleRefunds(sandbox)
  await paidOut(sellerId, 3_000)
  return { sellerId }
}

async function readClose() {
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  expect(closes).toHaveLength(1)
  return getDailyClose(sandbox.db, closes[0]?.id ?? "", 200)
}

const mailed = () =>
  sandbox.db.selectFrom("mails").select("content").where("dedupe_key", "like", "daily-close:%").execute()

test("a day whose books agree is closed with equal totals, once, however often and by however many nodes", async () => {
  await liveADay()
  await closeDays(withSharedClock(sandbox, afterToday(-60)))
  expect((await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })).closes[0]?.closedAt ?? null).toBeNull()

  await Promise.all(Array.from({ length: 4 }, () => closeDays(withSharedClock(sandbox, afterToday()))))
  await closeDays(withSharedClock(sandbox, afterToday()))
  const close = await readClose()
  const same = (kind: string, count: number, amountCents: number) => {
    const side = { count, amountCents }
    return { kind, ours: side, bank: side }
  }
  expect(close).toMatchObject({ status: "ok", comparisons: 1, differenceCount: 0, mendedCount: 0, differences: [] })
  expect(close.totals.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toMatchObject([
    same("payout", 1, 3_000),
    same("receipt", 1, 10_000),
    same("refund", 1, 2_000),
  ])
  expect(await mailed()).toEqual([])
  expect(await sandbox.db.selectFrom("daily_close_entries").select("run_id").execute()).toEqual([])
})

test("payments that we missed are booked by the close, which reports them, also after it is redone", async () => {
  const missed = await payCharge(sandbox)
  const returned = await openPaidCharge(sandbox)
  await takeByBank(sandbox, returned.endToEndId, "40.00")
  await closeDays(withSharedClock(sandbox, afterToday()))
  const close = await readClose()
  expect(close).toMatchObject({ status: "ok", differenceCount: 0, mendedCount: 2 })
  expect(close.differences).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "receipt", reference: missed.endToEndId, bankCents: 10_000, isMended: true }),
      expect.objectContaining({ kind: "refund", problem: "missing_with_us", bankCents: 4_000, isMended: true }),
    ]),
  )
  expect(close.totals.every(({ ours, bank }) => ours.amountCents === bank.amountCents)).toBe(true)

  await redoDailyClose(withSharedClock(sandbox, afterToday()), { id: close.id, admin: { id: adminId, address: null } })
  expect((await readClose()).status).toBe("checking")
  await closeDays(withSharedClock(sandbox, afterToday()))
  expect(await readClose()).toMatchObject({ status: "ok", comparisons: 2, mendedCount: 2 })
  const audited = await sandbox.db
    .selectFrom("audit_records")
    .select(["action", "actor_id"])
    .where("entity_id", "=", close.id)
    .orderBy("id")
    .execute()
  expect(audited).toEqual([
    { action: "daily_close.compared", actor_id: null },
    { action: "daily_close.redone", actor_id: adminId },
    { action: "daily_close.compared", actor_id: null },
  ])
})

test("differences of each kind are listed, mailed once, and removed once resolved", async () => {
  const { sellerId } = await liveADay()
  const [phantom, short] = [receiptOf(null, 700), await payCharge(sandbox)]
  const receipt = await sandbox.psp.findReceipt(short.endToEndId)
  invariant(receipt !== null, "the bank knows what it was paid")
  await bookPayments(sandbox, [
    { ...phantom, paidAt: new Date() },
    { ...receipt, amountCents: 9_000 as Cents },
  ])
  const lost = { state: "completed", amountCents: 100 as Cents, returnId: null, reason: null } as const
  const refund = { ...lost, pspRefundId: "inventada", settledAt: new Date() }
  await recordReportedRefunds(sandbox, [{ ...receipt, refunds: [refund] }])
  await bankPayouts().send({ payoutId: "estranho", pixKey, amountCents: 50 as Cents, description: "Saque" })
  const early = await requested(sellerId, 1_000)
  const request = { payoutId: early.payoutId ?? "", pixKey, amountCents: 1_000 as Cents, description: "Saque" }
  await bankPayouts().send(request)
  await giveBalance(sandbox.db, sellerId, 123)

  await closeDays(withSharedClock(sandbox, afterToday()))
  const close = await readClose()
  const shown = close.differences.map(({ kind, reference, problem, ourCents, bankCents }) => [
    kind,
    reference,
    problem,
    ourCents,
    bankCents,
  ])
  const expected = [
    ["payout", "estranho", "missing_with_us", null, 50],
    ["payout", early.payoutId, "other_state", 1_000, 1_000],
    ["receipt", phantom.endToEndId, "missing_at_bank", 700, null],
    ["receipt", short.endToEndId, "other_amount", 9_000, 10_000],
    ["refund", `${short.endToEndId}/inventada`, "missing_at_bank", 100, null],
  ]
  const [balance, ...others] = shown
  expect(balance?.slice(0, 3)).toEqual(["balance", "psp-clearing:simulator", "other_amount"])
  expect(Number(balance?.[3]) - Number(balance?.[4])).toBe(123)
  expect(others.toSorted()).toEqual(expected.toSorted())
  expect(close).toMatchObject({ status: "differences", differenceCount: 6, mendedCount: 0 })
  expect(await mailed()).toMatchObject([{ content: { provider: "Simulador (testes)" } }])

  // A later run finds the same and sends no further mail; once the differences are gone, so are their rows.
  await closeDays(withSharedClock(sandbox, afterToday(7 * 3600)))
  expect(await readClose()).toMatchObject({ comparisons: 2, differenceCount: 6 })
  expect(await mailed()).toHaveLength(1)
  await asOwner(sandbox, "delete from refunds where psp_refund_id = 'inventada'")
  await closeDays(withSharedClock(sandbox, afterToday(14 * 3600)))
  const later = (await readClose()).differences.map(({ reference }) => reference)
  expect(later).not.toContain(`${short.endToEndId}/inventada`)
})

test("a lagging list causes no differences: entries it lacks are queried by name", async () => {
  await liveADay()
  async function* nothing() {
    yield []
  }
  const forgetful = {
    ...sandbox.psp,
    listReceipts: nothing,
    listRefundedReceipts: nothing,
    payouts: { ...bankPayouts(), list: nothing },
  }
  await closeDays(withSharedClock({ ...sandbox, psp: forgetful }, afterToday()))
  expect(await readClose()).toMatchObject({ status: "ok", differenceCount: 0 })

  const blank = { find: async () => null, list: nothing }
  const empty = { ...forgetful, findReceipt: async () => null, findRefund: async () => null }
  await redoDailyClose(withSharedClock(sandbox, afterToday()), {
    id: (await readClose()).id,
    admin: { id: adminId, address: null },
  })
  await closeDays(
    withSharedClock({ ...sandbox, psp: { ...empty, payouts: { ...bankPayouts(), ...blank } } }, afterToday()),
  )
  const { differences } = await readClose()
  expect(differences.map(({ kind, problem }) => `${kind} ${problem}`).toSorted()).toEqual([
    "payout missing_at_bank",
    "receipt missing_at_bank",
    "refund missing_at_bank",
  ])
})

test("a close is retried when the bank doesn't answer; at most a month of missed days is caught up", async () => {
  await asOwner(sandbox, "update psp_connections set connected_at = now() - interval '60 days'")
  const silent = {
    ...sandbox.psp,
    // oxlint-disable-next-line require-yield
    async *listReceipts() {
      throw new PspError("unavailable", "nobody there")
    },
  }
  await closeDays(withSharedClock({ ...sandbox, psp: silent }, afterToday()))
  const { closes, count } = await listDailyCloses(sandbox.db, { offset: 0, limit: 100 })
  const today = saoPauloDay(new Date())
  expect([count, closes[0]?.day, closes.at(-1)?.day]).toEqual([31, today, daysAfter(today, -30)])
  expect(new Set(closes.map(({ status }) => status))).toEqual(new Set(["failed"]))
  expect(closes[0]?.lastError).toBe("O banco não respondeu.")
  await closeDays(withSharedClock(sandbox, afterToday(4_000)))
  const again = await listDailyCloses(sandbox.db, { offset: 0, limit: 100 })
  expect(new Set(again.closes.map(({ status }) => status))).toEqual(new Set(["ok"]))
})

test("payouts are reconciled over an overlapping window: ours are settled, an unknown one is reported once", async () => {
  const { sellerId } = await liveADay()
  const { id } = await requested(sellerId, 1_500)
  await approveWithdrawal(sandbox, { id, admin: { id: adminId, address: null }, adminNotes: "" })
  await sandbox.control({ liquidacaoMs: 600_000 })
  await sendPayouts(sandbox)
  const statusOf = async () =>
    (await sandbox.db.selectFrom("withdrawals").select("status").where("id", "=", id).executeTakeFirst())?.status
  expect(await statusOf()).toBe("processing")
  const settled = {
    ...bankPayouts(),
    find: async (payoutId: string) => {
      const found = await bankPayouts().find(payoutId)
      return found && { ...found, state: "completed" as const }
    },
    async *list(window: Parameters<PspPayouts["list"]>[0]) {
      for await (const page of bankPayouts().list(window)) {
        yield page.map((payout) => ({ ...payout, state: "completed" as const }))
      }
    },
  }
  const stranger = { payoutId: "estranho", pixKey, amountCents: 50 as Cents, description: "?" }
  await bankPayouts().send(stranger)
  const deps = { ...sandbox, psp: { ...sandbox.psp, payouts: settled } }
  await Promise.all([reconcilePayouts(deps), reconcilePayouts(deps)])
  await reconcilePayouts(deps)
  expect(await statusOf()).toBe("completed")
  const close = await readClose()
  expect(close).toMatchObject({ status: "differences", differenceCount: 1, closedAt: null })
  expect(close.differences).toMatchObject([{ reference: "estranho", problem: "missing_with_us", bankCents: 50 }])
  expect(await mailed()).toHaveLength(1)
  expect((await sandbox.db.selectFrom("withdrawals").select("id").execute()).length).toBe(2)
})

test("a day is closed only when the bank's clock has passed it, whatever ours says", async () => {
  await payCharge(sandbox)
  const days = async () =>
    (await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })).closes.map(({ closedAt }) => closedAt)
  const fresh = connectSimulatorAnew()
  for (const clock of [afterToday(), afterToday(86_400), afterToday()])
    await closeDays({ ...sandbox, psp: fresh, clock })
  expect((await days()).filter((closedAt) => closedAt !== null)).toEqual([])

  await closeDays(withSharedClock(sandbox, afterToday()))
  expect(await readClose()).toMatchObject({ status: "ok", mendedCount: 1, comparisons: 1 })
})

test("a day that was closed by a clock that was ahead is compared again at its real end", async () => {
  const noDate = { ...sandbox, psp: { ...sandbox.psp, bankTime: () => null } }
  await closeDays({ ...noDate, clock: afterToday(86_400) })
  expect((await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })).closes).toMatchObject([
    { status: "ok" },
    { status: "ok" },
  ])
  const { endToEndId } = await payCharge(sandbox)
  await closeDays(noDate)
  expect((await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })).closes).toMatchObject([
    { closedAt: null },
    { closedAt: null },
  ])
  await closeDays({ ...noDate, clock: afterToday() })
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  const close = await getDailyClose(sandbox.db, closes.find(({ closedAt }) => closedAt !== null)?.id ?? "", 10)
  expect(close.differences).toMatchObject([{ reference: endToEndId, isMended: true }])
})

test("a day begins at São Paulo's midnight, also while there is summer time", () => {
  expect(boundsOf("2026-11-22")).toEqual({
    from: new Date("2026-11-22T03:00:00Z"),
    to: new Date("2026-11-23T03:00:00Z"),
  })
  expect(boundsOf("2018-11-04")).toEqual({
    from: new Date("2018-11-04T03:00:00Z"),
    to: new Date("2018-11-05T02:00:00Z"),
  })
  expect(boundsOf("2019-02-16").to).toEqual(new Date("2019-02-17T03:00:00Z"))
})

test("receipts and payouts that can't be read are in the close and in the list for people until they can", async () => {
  const missed = await payCharge(sandbox)
  const receipt = await sandbox.psp.findReceipt(missed.endToEndId)
  const bad = [
    { kind: "receipt", reference: missed.endToEndId, amountText: "100,00", happenedAt: null },
    { kind: "payout", reference: "pagamento-1", amountText: "", happenedAt: new Date() },
  ] as const
  let unread = [...bad]
  async function* nothing() {
    yield []
  }
  const payouts = { ...bankPayouts(), list: nothing }
  const psp = {
    ...sandbox.psp,
    listReceipts: nothing,
    listRefundedReceipts: nothing,
    payouts,
    takeUnreadable: () => unread.splice(0),
  }
  await Promise.all([reconcileReceipts({ ...sandbox, psp }), reconcilePayouts({ ...sandbox, psp })])
  unread = [...bad]
  await reconcileReceipts({ ...sandbox, psp })
  expect(await listUnreadable(sandbox.db)).toHaveLength(2)
  await closeDays(withSharedClock({ ...sandbox, psp }, afterToday()))
  const named = bad.map(({ kind, reference }) => expect.objectContaining({ kind, reference, problem: "unreadable" }))
  const close = await readClose()
  expect(close).toMatchObject({ status: "differences", differenceCount: 2 })
  expect(close.differences).toEqual(expect.arrayContaining(named))
  await closeDays(withSharedClock({ ...sandbox, psp }, afterToday(7 * 3600)))
  expect(await readClose()).toMatchObject({ comparisons: 2, differenceCount: 2 })

  invariant(receipt !== null, "the bank knows what it was paid")
  await bookPayments(sandbox, [receipt])
  expect(await listUnreadable(sandbox.db)).toMatchObject([{ kind: "payout", reference: "pagamento-1" }])
  await Promise.all([tidyUp(sandbox), tidyUp(sandbox)])
  await closeDays(withSharedClock(sandbox, afterToday(14 * 3600)))
  expect((await readClose()).differences.map(({ reference }) => reference)).toEqual(["pagamento-1"])
})

test("an unreadable entry that an admin closed is open nowhere, and the daily close still lists it", async () => {
  const entry = { kind: "payout", amountText: "?", happenedAt: null } as const
  let unread = ["pagamento-1", "pagamento-2"].map((reference) => ({ ...entry, reference }))
  const psp = { ...sandbox.psp, takeUnreadable: () => unread.splice(0) }
  await reconcileReceipts({ ...sandbox, psp })
  const [one, two] = await listUnreadable(sandbox.db)
  const close = (id = "") => {
    const admin = { id: adminId, address: null }
    return closeUnreadable(sandbox, { id, admin, reason: "Teste do banco" })
  }
  const outcomes = await Promise.allSettled([close(one?.id), close(one?.id)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
  await expect(close("nada")).rejects.toMatchObject({ code: "unreadable_entry_not_found" })
  unread = [{ ...entry, reference: one?.reference ?? "" }]
  await reconcileReceipts({ ...sandbox, psp })
  expect(await listUnreadable(sandbox.db)).toMatchObject([{ reference: two?.reference }])

  await closeDays(withSharedClock(sandbox, afterToday()))
  expect(await readClose()).toMatchObject({ status: "differences", differenceCount: 1, mendedCount: 1 })
  await close(two?.id)
  expect(await readClose()).toMatchObject({ status: "ok", differenceCount: 0, mendedCount: 2 })
  await redoDailyClose(withSharedClock(sandbox, afterToday()), {
    id: (await readClose()).id,
    admin: { id: adminId, address: null },
  })
  await closeDays(withSharedClock(sandbox, afterToday(3600)))
  expect(await readClose()).toMatchObject({ comparisons: 2, differenceCount: 0, mendedCount: 2 })
  const audit = sandbox.db
    .selectFrom("audit_records")
    .select("actor_id")
    .where("action", "=", "unreadable_entry.closed")
  expect(await audit.execute()).toEqual([{ actor_id: adminId }, { actor_id: adminId }])
})
