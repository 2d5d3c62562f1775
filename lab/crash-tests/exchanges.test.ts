import { randomInt } from "node:crypto"
import { expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { report } from "./eventually.ts"
import { runExchanges } from "./exchanges/run-exchanges.ts"

/** Set it to the seed that a failure printed, to repeat the same faults. */
const seed = Number(process.env["EXCHANGES_SEED"] ?? randomInt(2 ** 30))

/** Settlements that the bank delays take long on a busy machine. */
const patience = { timeout: 600_000 }

test("H15, P07: after many exchanges with a bank in trouble both books are equal", patience, async () => {
  const { count: exchanges, races } = testSizes.exchanges
  const wishes = { seed, exchanges, races, nodes: 2, sellers: 3, lanes: 12, killEvery: Math.floor(exchanges / 3) }
  const { differences, figures } = await runExchanges(wishes)
  const struck = [...figures.struck.values()].reduce((sum, times) => sum + times, 0)
  const seconds = Math.round((figures.exchangesMs + figures.settledMs) / 1000)
  report(`${exchanges + races} exchanges, ${struck} faults, ${seconds} s, seed ${seed}`)
  expect({ seed, differences }).toEqual({ seed, differences: [] })
  expect(figures.bank.paidIn).toBeGreaterThan(0)
  expect(struck).toBeGreaterThan(10)
})
