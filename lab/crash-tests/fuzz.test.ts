import { randomInt } from "node:crypto"
import { expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { report } from "./eventually.ts"
import { runFuzz } from "./fuzz/run-fuzz.ts"

/** Set it to the seed that a failure printed, to draw the same requests. */
const seed = Number(process.env["FUZZ_SEED"] ?? randomInt(2 ** 30))

test("no request, valid or wrong, is answered by an error of the server", { timeout: 600_000 }, async () => {
  const { faults, statuses, tookMs } = await runFuzz({ seed, requests: testSizes.fuzzedRequests, lanes: 8 })
  report(`${testSizes.fuzzedRequests} requests in ${Math.round(tookMs / 1000)} s, seed ${seed}`)
  expect({ seed, faults: faults.slice(0, 20) }).toEqual({ seed, faults: [] })
  // Both kinds were sent: what is refused alone would prove little.
  expect(statuses.get(200)).toBeGreaterThan(10)
  expect(statuses.get(400)).toBeGreaterThan(10)
})
