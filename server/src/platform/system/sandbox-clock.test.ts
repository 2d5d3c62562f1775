import { expect, test } from "vitest"
import { dueToday } from "#kit/clock"
import { simulatorAhead } from "#psp/watched-psp"
import { openClocks } from "#start/parts"
import { openSandbox } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { ensureMoneyKind } from "./node.ts"
import { openSandboxClocks } from "./sandbox-clock.ts"

const now = new Date("2026-11-23T12:00:00Z")
const clock = { now: () => now }
const dayMs = 86_400_000

test("days follow the simulated bank's clock, on every node and after a restart", async () => {
  const sandbox = await openSandbox()
  const { db, simulatorUrl } = sandbox
  await ensureMoneyKind({ db, clock }, "sandbox")
  const open = (url: string) => openSandboxClocks({ db, clock, readBankAhead: simulatorAhead(url, clock) })
  const [node, other] = [await open(simulatorUrl), await open("http://127.0.0.1:9")]

  await sandbox.passAtBank(31 * dayMs)
  await node.dueClock.refresh()
  expect([dueToday(node.clock), node.dueClock.now()]).toEqual(["2026-12-24", new Date("2026-12-24T12:00:00Z")])
  expect(node.clock.now()).toEqual(now)

  // It hears nothing of the bank.
  await other.dueClock.refresh()
  expect(dueToday(other.clock)).toBe("2026-12-24")
  expect(dueToday((await open("http://127.0.0.1:9")).clock)).toBe("2026-12-24")
  await sandbox.close()
})

test("a server whose own clock is as far ahead as the bank's doesn't count it twice", async () => {
  const sandbox = await openSandbox()
  await ensureMoneyKind({ db: sandbox.db, clock }, "sandbox")
  const late = { now: () => new Date(Date.now() + 31 * dayMs) }
  await sandbox.passAtBank(31 * dayMs)
  const readBankAhead = simulatorAhead(sandbox.simulatorUrl, late)
  const { dueClock, ...node } = await openSandboxClocks({ db: sandbox.db, clock: late, readBankAhead })
  await dueClock.refresh()
  expect(node.clock.aheadMs?.()).toBe(0)
  await sandbox.close()
})

test("days never go back, and those of real money never move", async () => {
  const [sandbox, real] = [await createTestDatabase(), await createTestDatabase()]
  await ensureMoneyKind({ db: sandbox.db, clock }, "sandbox")
  await ensureMoneyKind({ db: real.db, clock }, "real")
  let aheadAtBank = 2 * dayMs
  const readBankAhead = async () => aheadAtBank
  const [moved, fixed] = [
    await openSandboxClocks({ db: sandbox.db, clock, readBankAhead }),
    await openSandboxClocks({ db: real.db, clock, readBankAhead }),
  ]
  const refresh = () => Promise.all([moved.dueClock.refresh(), fixed.dueClock.refresh()])
  await refresh()
  aheadAtBank = 0
  await refresh()
  expect([dueToday(moved.clock), dueToday(fixed.clock)]).toEqual(["2026-11-25", "2026-11-23"])
  await Promise.all([sandbox.drop(), real.drop()])
})

test("a server with a real provider reads no bank's clock", async () => {
  const { db, drop } = await createTestDatabase()
  const clocks = await openClocks({ clock, db, simulatorUrl: null })
  expect(clocks.clock.aheadMs).toBeUndefined()
  expect(clocks.dueClock.now()).toEqual(now)
  await drop()
})
