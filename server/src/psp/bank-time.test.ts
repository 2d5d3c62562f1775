import { expect, test } from "vitest"
import { bankThat, reply } from "../../test-support/api-pix-bank.ts"
import { latestTime, provenTime } from "./psp.ts"
import { createBankTime } from "./watched-psp.ts"

test("the bank's time is unknown before its first Date, and goes on from it", () => {
  const time = createBankTime()
  expect(time.at(performance.now())).toBeNull()
  time.hear(null)
  time.hear(new Date(Number.NaN))
  expect(time.at(performance.now())).toBeNull()
  time.hear(new Date("2026-11-21T12:00:00Z"))
  const at = performance.now()
  expect(time.at(at + 90_000)?.getTime()).toBeGreaterThanOrEqual(Date.parse("2026-11-21T12:01:30Z"))
  expect(time.at(at + 90_000)?.getTime()).toBeLessThan(Date.parse("2026-11-21T12:01:31Z"))
})

test.for([
  ["behind", "2020-01-01T00:00:00Z", "bank", "ours"],
  ["ahead", "2040-01-01T00:00:00Z", "ours", "bank"],
] as const)(
  "with a bank that is %s, what has passed and what may come are told apart",
  async ([, date, proven, latest]) => {
    const { psp } = await bankThat((_request, response) => {
      response.setHeader("date", new Date(date).toUTCString())
      reply(response, 404, {})
    })
    const now = new Date("2026-11-21T12:00:00Z")
    const deps = { psp, clock: { now: () => now } }
    expect([psp.bankTime(), provenTime(deps), latestTime(deps)]).toEqual([null, now, now])
    expect(await psp.findReceipt("E1")).toBeNull()
    const yearOf = { bank: Number(date.slice(0, 4)), ours: 2026 }
    expect(provenTime(deps).getUTCFullYear()).toBe(yearOf[proven])
    expect(latestTime(deps).getUTCFullYear()).toBe(yearOf[latest])
  },
)
