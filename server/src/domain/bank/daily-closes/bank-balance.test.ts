import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import type { Cents } from "#kit/money"
import { pspClearing, sellerAvailable } from "#ledger/accounts"
import { postTransactions } from "#ledger/post-transactions"
import { PspError } from "#psp/psp"
import { afterToday } from "../../../../test-support/after-today.ts"
import { enterAllMovements } from "../../../../test-support/enter-all-movements.ts"
import { openPaidCharge } from "../../../../test-support/paid-charges.ts"
import { createAdmin, createSeller, openSandbox, type Sandbox } from "../../../../test-support/sandbox.ts"
import { uncoveredCents, unexplainedCents } from "./bank-balance.ts"
import { closeDays } from "./close-days.ts"
import { getDailyClose, listDailyCloses } from "./list-daily-closes.ts"
import { redoDailyClose } from "./redo-daily-close.ts"
import { typeBankBalance } from "./type-bank-balance.ts"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ webhooksAtivos: false })
})

afterAll(() => sandbox.close())

const cents = (value: number) => value as Cents

test("only what money under way does not explain is a difference", () => {
  const look = (clearing: number, underWay = 0) => ({ clearingCents: cents(clearing), underWayCents: cents(underWay) })
  expect(unexplainedCents(cents(100), [look(100), look(100)])).toBe(0)
  expect(unexplainedCents(cents(70), [look(100, 30), look(100, 30)])).toBe(0)
  expect(unexplainedCents(cents(69), [look(100, 30), look(100, 30)])).toBe(-1)
  expect(unexplainedCents(cents(150), [look(100), look(150)])).toBe(0)
  expect(unexplainedCents(cents(151), [look(100), look(150)])).toBe(1)
})

test("debts are uncovered by as much as they exceed the fees", () => {
  expect([uncoveredCents(cents(-50), cents(50)), uncoveredCents(cents(-51), cents(50))]).toEqual([0, 1])
})

const noMillis = { psp: () => ({ ...sandbox.psp, bankTime: () => null }) }

async function closeYesterday(psp = noMillis.psp()) {
  const { closes: before } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  const admin = { id: await createAdmin(sandbox), address: null }
  const deps = { ...sandbox, psp, clock: afterToday() }
  for (const { id } of before) await redoDailyClose(deps, { id, admin })
  await closeDays(deps)
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  expect(closes).toHaveLength(1)
  return getDailyClose(sandbox.db, closes[0]?.id ?? "", 10)
}

test("the close reads the bank's balance beside that of our account, and shows what differs", async () => {
  const sellerId = await createSeller(sandbox)
  await openPaidCharge(sandbox, { sellerId })
  const clean = await closeYesterday()
  expect(clean).toMatchObject({ status: "ok", balance: { differenceCents: 0, typedBy: null } })
  expect(clean.balance?.bankCents).toBe(clean.balance?.ourCents)

  // Money that our books have and the bank does not.
  const [debit, credit] = [pspClearing("simulator"), sellerAvailable(sellerId)]
  const posting = { debit, credit, amountCents: cents(700) }
  const extra = { kind: "payout-returned", reference: "x/1", sellerId, occurredAt: new Date() } as const
  await sandbox.db.transaction().execute((tx) => postTransactions(tx, [{ ...extra, postings: [posting] }]))
  const alarms: string[] = []
  const log = createLog("silent")
  log.error = (facts: { alarm?: string }) => alarms.push(facts.alarm ?? "")
  sandbox.log = log
  const differing = await closeYesterday()
  expect(differing.balance).toMatchObject({ differenceCents: -700 })
  expect(alarms).toContain("bank_balance_differs")
})

test("a bank that does not tell its balance leaves the day as it is, and an administrator types it in", async () => {
  const silent = { ...noMillis.psp(), readBalance: () => Promise.reject(new PspError("unknown", "403")) }
  const before = await closeYesterday(silent)
  expect(before.balance).toMatchObject({ differenceCents: -700 })

  await enterAllMovements(sandbox.db)
  const id = before.id
  const admin = { id: await createAdmin(sandbox), address: null }
  const deps = { ...sandbox, psp: silent, clock: afterToday() }
  const ours = before.balance?.ourCents ?? cents(0)
  const typed = [ours, cents(ours + 1)].map((bankCents) => typeBankBalance(deps, { id, admin, bankCents }))
  await Promise.all(typed)
  await typeBankBalance(deps, { id, admin, bankCents: cents(ours + 5) })
  const after = await getDailyClose(sandbox.db, id, 10)
  expect(after.balance).toMatchObject({ bankCents: ours + 5, differenceCents: 5, typedBy: admin.id })
  await expect(typeBankBalance({ ...deps, clock: systemClock }, { id, admin, bankCents: ours })).rejects.toThrow(
    "daily_close_too_early",
  )
})
