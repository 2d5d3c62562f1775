import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { type AccountId, payoutsUnderWay, sellerAvailable } from "#ledger/accounts"
import { postTransactions } from "#ledger/post-transactions"
import type { MailContent } from "#platform/mails/mail-content"
import { type Psp, PspError } from "#psp/psp"
import { afterToday } from "../../../test-support/after-today.ts"
import { enterAllMovements } from "../../../test-support/enter-all-movements.ts"
import { bookReceipt, openPaidCharge, payCharge } from "../../../test-support/paid-charges.ts"
import { createAdmin, openSandbox } from "../../../test-support/sandbox.ts"
import { typeBankBalance } from "./balances.ts"
import { closeDays, redoDailyClose } from "./close.ts"
import { getDailyClose, listDailyCloses } from "./daily-close.ts"
import { type BankBalance, compareAgain, uncoveredCents, unexplainedCents } from "./rules.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })

afterAll(() => sandbox.close())

const cents = (value: number) => value as Cents

test("only what money under way does not explain is a difference", () => {
  const money = (clearing: number, underWay = 0) => ({ clearingCents: cents(clearing), underWayCents: cents(underWay) })
  expect(unexplainedCents(cents(100), [money(100), money(100)])).toBe(0)
  expect(unexplainedCents(cents(70), [money(100, 30), money(100, 30)])).toBe(0)
  expect(unexplainedCents(cents(69), [money(100, 30), money(100, 30)])).toBe(-1)
  expect(unexplainedCents(cents(150), [money(100), money(150)])).toBe(0)
  expect(unexplainedCents(cents(151), [money(100), money(150)])).toBe(1)
})

test("debts are uncovered by as much as they exceed the fees", () => {
  expect([uncoveredCents(cents(-50), cents(50)), uncoveredCents(cents(-51), cents(50))]).toEqual([0, 1])
})

test("a figure of the bank is explained once our account has reached it, and never less so than before", () => {
  const figures = { bankCents: cents(100), ourCents: cents(60), differenceCents: cents(40) }
  const before: BankBalance = { ...figures, at: new Date(), typedBy: null, readAgainUntil: new Date() }
  const after = (clearing: number) =>
    compareAgain(before, { clearingCents: cents(clearing), underWayCents: cents(0) }).differenceCents
  expect([after(60), after(90), after(100), after(130), after(40)]).toEqual([40, 10, 0, 0, 40])
})

const noMillis = { psp: (): Psp => ({ ...sandbox.psp, bankTime: () => null }) }

/** Seconds after the first moment at which today can be compared. */
const depsAt = (seconds: number, psp = noMillis.psp()) => ({ ...sandbox, psp, clock: afterToday(seconds) })

async function readDay() {
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  expect(closes).toHaveLength(1)
  return getDailyClose(sandbox.db, closes[0]?.id ?? "", 10)
}

async function closeToday(psp = noMillis.psp()) {
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 10 })
  const admin = { id: await createAdmin(sandbox), address: null }
  for (const { id } of closes) await redoDailyClose(depsAt(1, psp), { id, admin })
  await closeDays(depsAt(1, psp))
  return readDay()
}

function collectAlarms(): string[] {
  const alarms: string[] = []
  const log = createLog("silent")
  log.error = (facts: { alarm?: string }) => alarms.push(facts.alarm ?? "")
  sandbox.log = log
  return alarms
}

const mailedDifferences = async () => {
  const mails = await sandbox.db.selectFrom("mails").select(["content", "user_id"]).orderBy("id").execute()
  return mails.flatMap(({ content, user_id }) => {
    const mailed = content as MailContent
    return mailed.kind === "bank_balance_differs" ? [{ userId: user_id, ...mailed }] : []
  })
}

test("the close compares the bank's balance with that of our account", async () => {
  await openPaidCharge(sandbox)
  const clean = await closeToday()
  expect(clean).toMatchObject({ status: "ok", balance: { differenceCents: 0, typedBy: null, readAgainUntil: null } })
  expect(clean.balance?.bankCents).toBe(clean.balance?.ourCents)
})

/** Its balance always has one payment that we have not booked when we read ours after it. */
function busyBank(credited: string[]): Psp {
  const { psp } = sandbox
  const readBalance = async () => {
    credited.push((await payCharge(sandbox)).endToEndId)
    const cents = await psp.readBalance?.()
    if (cents === undefined) throw new Error("the simulator tells its balance")
    return cents
  }
  return { ...noMillis.psp(), readBalance }
}

test("what the bank credited and we book within a minute is no difference, whatever comes meanwhile", async () => {
  const alarms = collectAlarms()
  const credited: string[] = []
  const psp = busyBank(credited)
  const first = await closeToday(psp)
  expect(first).toMatchObject({ status: "checking", balance: { differenceCents: 10_000 } })

  await closeDays(depsAt(16, psp))
  expect(await readDay()).toMatchObject({ status: "checking", balance: { differenceCents: 10_000 } })
  await openPaidCharge(sandbox, { reais: 50 })
  for (const endToEndId of credited) await bookReceipt(sandbox, endToEndId)
  await closeDays(depsAt(31, psp))
  expect(await readDay()).toMatchObject({ status: "ok", balance: { differenceCents: 0, readAgainUntil: null } })
  expect(credited).toHaveLength(1)
  await closeDays(depsAt(120, psp))
  expect([alarms, await mailedDifferences()]).toEqual([[], []])
})

test("money that the bank has and nobody books within a minute makes the day differ, once, with a mail and an alarm", async () => {
  const alarms = collectAlarms()
  const credited: string[] = []
  const psp = busyBank(credited)
  await closeToday(psp)
  await closeDays(depsAt(46, psp))
  expect(await readDay()).toMatchObject({ status: "checking" })
  expect(alarms).toEqual([])
  await Promise.all([closeDays(depsAt(62, psp)), closeDays(depsAt(62, psp))])
  await closeDays(depsAt(80, psp))
  expect(await readDay()).toMatchObject({ status: "differences", balance: { differenceCents: 10_000 } })
  expect(alarms).toEqual(["bank_balance_differs"])
  const admins = await sandbox.db.selectFrom("users").select("id").where("role", "=", "admin").execute()
  const mailed = (await mailedDifferences()).map(({ userId }) => userId)
  expect(mailed.toSorted()).toEqual(admins.map(({ id }) => id).toSorted())
  for (const endToEndId of credited) await bookReceipt(sandbox, endToEndId)
  expect(await closeToday()).toMatchObject({ status: "ok" })
})

test("money that we have and the bank hasn't is asked about again for a minute, and then differs", async () => {
  const { sellerId } = await openPaidCharge(sandbox)
  const own = { sellerId, occurredAt: new Date(), kind: "payout" } as const
  const move = (reference: string, debit: AccountId, credit: AccountId) => {
    const entry = { ...own, reference, postings: [{ debit, credit, amountCents: cents(700) }] }
    return sandbox.db.transaction().execute((tx) => postTransactions(tx, [entry]))
  }
  const readBalance = async () => cents(Number(await sandbox.psp.readBalance?.()) - 700)
  const alarms = collectAlarms()
  const first = await closeToday({ ...noMillis.psp(), readBalance })
  expect(first).toMatchObject({ status: "checking", balance: { differenceCents: -700 } })

  // A payout after the bank told its balance explains nothing of it.
  await move("x/1", sellerAvailable(sellerId), payoutsUnderWay("simulator"))
  const silent = { ...noMillis.psp(), readBalance: () => Promise.reject(new PspError("unknown", "503")) }
  await closeDays(depsAt(62, silent))
  expect(await readDay()).toMatchObject({ status: "differences", balance: { differenceCents: -700 } })
  expect(alarms).toEqual(["bank_balance_differs"])
  await move("x/2", payoutsUnderWay("simulator"), sellerAvailable(sellerId))
})

test("a bank that does not tell its balance leaves the day as it is, and an administrator types it in", async () => {
  const silent = { ...noMillis.psp(), readBalance: () => Promise.reject(new PspError("unknown", "403")) }
  const before = await closeToday(silent)
  expect(before.balance).toMatchObject({ differenceCents: -700 })

  await enterAllMovements(sandbox.db)
  const id = before.id
  const admin = { id: await createAdmin(sandbox), address: null }
  const alarms = collectAlarms()
  const deps = depsAt(1, silent)
  const ours = before.balance?.ourCents ?? cents(0)
  const typed = [ours, cents(ours + 1)].map((bankCents) => typeBankBalance(deps, { id, admin, bankCents }))
  await Promise.all(typed)
  await typeBankBalance(deps, { id, admin, bankCents: cents(ours + 5) })
  await typeBankBalance(deps, { id, admin, bankCents: cents(ours + 5) })
  const after = await getDailyClose(sandbox.db, id, 10)
  expect(after).toMatchObject({
    status: "differences",
    balance: { bankCents: ours + 5, differenceCents: 5, typedBy: admin.id, readAgainUntil: null },
  })
  expect(alarms).toEqual(Array(3).fill("bank_balance_differs"))
  const mailed = (await mailedDifferences()).filter(({ userId }) => userId === admin.id)
  expect(mailed).toMatchObject([{ differenceCents: 1 }, { differenceCents: 5, day: after.day }])
  await expect(typeBankBalance({ ...deps, clock: systemClock }, { id, admin, bankCents: ours })).rejects.toThrow(
    "daily_close_too_early",
  )
  await typeBankBalance(deps, { id, admin, bankCents: ours })
  expect(await getDailyClose(sandbox.db, id, 10)).toMatchObject({ status: "ok" })
})
