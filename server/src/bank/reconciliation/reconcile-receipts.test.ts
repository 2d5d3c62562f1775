import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { readReceiptsSeenUntil, saveReceiptsSeenUntil } from "#bank/psp-inbox/connection"
import { type Clock, secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { bookPayments } from "#money/payments/book"
import { findBookedIds } from "#money/payments/reads"
import type { PspWindow } from "#psp/psp"
import { asOwner } from "../../../test-support/as-owner.ts"
import { payCharge } from "../../../test-support/paid-charges.ts"
import { openSandbox, receiptOf, type Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { reconcileReceipts } from "./reconcile.ts"

const DAY_SECONDS = 86_400

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ webhooksAtivos: false })
})

beforeEach(() => asOwner(sandbox, "update psp_connections set receipts_seen_until = now()"))

afterAll(async () => {
  await sandbox.close()
})

const inSeconds = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })
const readLagSeconds = async () =>
  (Date.now() - (await readReceiptsSeenUntil(sandbox.db, sandbox.psp.name)).getTime()) / 1000
const isBooked = async (endToEndId: string) => (await findBookedIds(sandbox.db, [endToEndId])).has(endToEndId)

function withLog() {
  const lines: string[] = []
  const log = createLog("error", { write: (line) => void lines.push(line) })
  return { log, alarms: () => lines.map((line) => (JSON.parse(line) as { alarm?: string }).alarm) }
}

describe.each([
  ["two days ahead", 2 * DAY_SECONDS],
  ["two hours ahead", 7_200],
  ["a year ahead", 365 * DAY_SECONDS],
])("a clock of ours that is %s", (_name, aheadSeconds) => {
  test("doesn't pretend to have seen the future: the next payment without a webhook is found at once", async () => {
    await reconcileReceipts({ ...sandbox, clock: inSeconds(aheadSeconds) })
    expect(await readLagSeconds()).toBeGreaterThanOrEqual(0)
    expect(await readLagSeconds()).toBeLessThan(30)
    const { endToEndId } = await payCharge(sandbox)
    await reconcileReceipts({ ...sandbox, clock: inSeconds(aheadSeconds) })
    expect(await isBooked(endToEndId)).toBe(true)
  })

  test("leaves nothing behind where the bank sends no Date: a moment in the future is clamped, with an alarm", async () => {
    const silent = { ...sandbox.psp, bankTime: () => null }
    await reconcileReceipts({ ...sandbox, psp: silent, clock: inSeconds(aheadSeconds) })
    expect(await readLagSeconds()).toBeLessThan(-60)
    const { endToEndId } = await payCharge(sandbox)
    const { log, alarms } = withLog()
    await Promise.all([1, 2].map(() => reconcileReceipts({ ...sandbox, psp: silent, log })))
    expect(await isBooked(endToEndId)).toBe(true)
    expect(alarms()).toContain("reconciliation_ahead")
    expect(await readLagSeconds()).toBeLessThan(30)
    expect(await readLagSeconds()).toBeGreaterThanOrEqual(-1)
    const calm = withLog()
    await reconcileReceipts({ ...sandbox, psp: silent, log: calm.log })
    expect(calm.alarms()).toEqual([])
  })
})

test("a receipt that the bank's clock stamps twenty minutes ago is found at the next run", async () => {
  const late = { ...receiptOf(null, 700), paidAt: secondsAfter(new Date(), -1_200) }
  const psp = {
    ...sandbox.psp,
    async *listReceipts({ from, to }: PspWindow) {
      yield from <= late.paidAt && late.paidAt < to ? [late] : []
    },
  }
  await reconcileReceipts({ ...sandbox, psp })
  expect(await isBooked(late.endToEndId)).toBe(true)
})

test("a bank whose Date is twenty minutes behind moves what was seen no further than its own time", async () => {
  const behind = () => secondsAfter(new Date(), -1_200)
  await asOwner(sandbox, "update psp_connections set receipts_seen_until = now() - interval '1 hour'")
  await reconcileReceipts({ ...sandbox, psp: { ...sandbox.psp, bankTime: behind } })
  expect(await readLagSeconds()).toBeGreaterThan(1_195)
  expect(await readLagSeconds()).toBeLessThan(1_260)
})

test("the overlap is an hour while payments are few; else short, and long for the first poll of every ten minutes", async () => {
  const windows: PspWindow[] = []
  const psp = {
    ...sandbox.psp,
    async *listReceipts(window: PspWindow) {
      windows.push(window)
      yield []
    },
  }
  const pollAt = async (moment: string) => {
    const now = new Date(moment)
    await reconcileReceipts(withSharedClock({ ...sandbox, psp }, { now: () => now }))
    return secondsAfter(windows.at(-1)?.from ?? now, 0)
      .toISOString()
      .slice(11, 19)
  }
  const until = new Date("2031-05-05T12:00:05Z")
  await sandbox.db.transaction().execute((tx) => saveReceiptsSeenUntil(tx, psp.name, { until, believableUntil: until }))
  expect(await pollAt("2031-05-05T12:00:20Z")).toBe("11:00:05")

  const busy = Array.from({ length: 100 }, () => ({ ...receiptOf(null, 100), paidAt: until }))
  await bookPayments(sandbox, busy)
  expect(await pollAt("2031-05-05T12:00:35Z")).toBe("11:59:50")
  expect(await pollAt("2031-05-05T12:09:59Z")).toBe("12:00:05")
  expect(await pollAt("2031-05-05T12:10:01Z")).toBe("11:39:59")
  expect(await pollAt("2031-05-05T12:10:16Z")).toBe("12:09:31")
})

describe("what a process has found out about the bank's stamps", () => {
  const hoursOf = async () =>
    (await sandbox.db.selectFrom("psp_connections").select("stamps_missing_hours").executeTakeFirstOrThrow())
      .stamps_missing_hours
  const processWith = (hours: number, isNews: boolean) => ({ ...sandbox.psp, stampOffset: { hours, isNews } })

  test("is stored once, taken over by other processes, and kept over a restart", async () => {
    const first = processWith(3, true)
    await reconcileReceipts({ ...sandbox, psp: first })
    expect(await hoursOf()).toBe(3)
    const [second, restarted] = [processWith(0, false), processWith(0, false)]
    await Promise.all([second, restarted, first].map((psp) => reconcileReceipts({ ...sandbox, psp })))
    for (const { stampOffset } of [second, restarted, first]) expect(stampOffset).toEqual({ hours: 3, isNews: false })
    expect(await hoursOf()).toBe(3)
  })

  test("ends for all of them, once one finds the stamps right again", async () => {
    const [first, second] = [processWith(0, true), processWith(3, false)]
    await reconcileReceipts({ ...sandbox, psp: first })
    await reconcileReceipts({ ...sandbox, psp: second })
    expect(second.stampOffset.hours).toBe(0)
    expect(await hoursOf()).toBe(0)
  })
})
