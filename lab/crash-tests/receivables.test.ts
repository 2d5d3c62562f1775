import { randomInt } from "node:crypto"
import { expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { report } from "./eventually.ts"
import { runReceivables } from "./receivables/run-receivables.ts"

/** Set it to the seed that a failure printed, to repeat the same invoices. */
const seed = Number(process.env["RECEIVABLES_SEED"] ?? randomInt(2 ** 30))

test("months of invoices in both modes, subscriptions and reminders survive kills", { timeout: 600_000 }, async () => {
  const { problems, counts } = await runReceivables({ seed, ...testSizes.receivables })
  report(`${JSON.stringify(counts)}, seed ${seed}`)
  expect({ seed, problems }).toEqual({ seed, problems: [] })
  expect(counts.payments).toBeGreaterThan(0)
})
