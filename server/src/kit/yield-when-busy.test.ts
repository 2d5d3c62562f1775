import { expect, test } from "vitest"
import { keepBusy } from "../../test-support/keep-busy.ts"
import { yieldWhenBusy } from "./waiting-line.ts"

async function msAway(): Promise<number> {
  const startedAt = performance.now()
  await yieldWhenBusy()
  return performance.now() - startedAt
}

test("while event-loop turns take long it pauses for many of them, and otherwise resumes at once", async () => {
  const stop = keepBusy(5)
  expect(await msAway()).toBeGreaterThan(90)
  stop()
  await expect.poll(msAway).toBeLessThan(40)
})
