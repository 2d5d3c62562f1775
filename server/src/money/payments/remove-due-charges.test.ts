import { afterAll, expect, test } from "vitest"
import { type Clock, secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { PspError } from "#psp/psp"
import { cancelChargePage } from "#selling/closings/closings"
import { payCharge } from "../../../test-support/paid-charges.ts"
import { createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { removeDueCharges } from "./book.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })

afterAll(() => sandbox.close())

const DAY_SECONDS = 86_400

async function cancelledCharge(): Promise<string> {
  const sellerId = await createSeller(sandbox)
  const charge = await payCharge(sandbox, { sellerId })
  await cancelChargePage(sandbox, { id: charge.pageId, sellerId })
  return charge.id
}

const removalOf = async (id: string) =>
  (await sandbox.db.selectFrom("charges").select("removal").where("id", "=", id).executeTakeFirst())?.removal

/** Runs the job every ten seconds at first, then every quarter of an hour; tells when the bank was asked. */
async function askFor(days: number, failure: "rejected" | "unavailable") {
  const queriedAt: number[] = []
  const alarms: { alarm?: string; txids: string[]; givenUp: number }[] = []
  const log = createLog("error", { write: (line) => void alarms.push(JSON.parse(line) as (typeof alarms)[number]) })
  let seconds = 0
  const removeCharge = async (): Promise<"removed"> => {
    queriedAt.push(seconds)
    throw new PspError(failure, "the charge is still ATIVA")
  }
  const begin = new Date()
  const clock: Clock = { now: () => secondsAfter(begin, seconds) }
  while (seconds < days * DAY_SECONDS) {
    await removeDueCharges({ ...sandbox, psp: { ...sandbox.psp, removeCharge }, clock, log })
    seconds += seconds < 600 ? 10 : 900
  }
  return { queriedAt: queriedAt, alarms }
}

test("a code that the bank won't change is asked about ever more seldom, then given up with an alarm", async () => {
  const id = await cancelledCharge()
  const { queriedAt, alarms } = await askFor(6, "rejected")
  expect(queriedAt.filter((seconds) => seconds < 120).length).toBeGreaterThan(2)
  expect(queriedAt.length).toBeLessThan(45)
  expect(await removalOf(id)).toBe("given_up")
  expect(alarms.length).toBeGreaterThan(0)
  expect(alarms.length).toBeLessThan(40)
  expect(alarms.at(-1)).toMatchObject({ alarm: "code_not_removed", givenUp: 1, txids: [expect.any(String)] })
})

test("a bank that doesn't answer is asked in each of these runs, so that the code goes when it is back", async () => {
  const id = await cancelledCharge()
  const { queriedAt } = await askFor(0.25, "unavailable")
  const gaps = queriedAt.slice(1).map((seconds, index) => seconds - (queriedAt[index] ?? 0))
  expect(Math.max(...gaps)).toBeLessThan(1_000)
  expect(await removalOf(id)).toBe("due")
  await removeDueCharges({ ...sandbox, clock: { now: () => secondsAfter(new Date(), DAY_SECONDS) } })
  expect(await removalOf(id)).toBe("done")
})
