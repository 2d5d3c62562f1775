import { randomInt } from "node:crypto"
import { expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { report } from "./eventually.ts"
import { runMandates } from "./mandates/run-mandates.ts"

/** Set it to the seed that a failure printed, to repeat the same authorisations. */
const seed = Number(process.env["MANDATES_SEED"] ?? randomInt(2 ** 30))

test("weeks of authorisations and their debits survive kills and a bank in trouble", { timeout: 600_000 }, async () => {
  const { problems, counts } = await runMandates({ seed, ...testSizes.mandates })
  report(`${JSON.stringify(counts)}, seed ${seed}`)
  expect({ seed, problems }).toEqual({ seed, problems: [] })
  expect(counts.payments + counts.issued).toBeGreaterThan(0)
})
