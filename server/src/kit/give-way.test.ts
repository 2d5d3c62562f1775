import { expect, test } from "vitest"
import { keepBusy } from "../../test-support/keep-busy.ts"
import { giveWay } from "./give-way.ts"

async function msAway(): Promise<number> {
  const startedAt = performance.now()
  await giveWay()
  return performance.now() - startedAt
}

test("where each turn takes long, it stays away for many, and else comes back at once", async () => {
  const stop = keepBusy(5)
  expect(await msAway()).toBeGreaterThan(90)
  stop()
  await expect.poll(msAway).toBeLessThan(40)
})
