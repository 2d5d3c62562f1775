import { randomInt } from "node:crypto"
import { runExchanges } from "./crash-tests/exchanges/run-exchanges.ts"

/** `npm run exchanges [count] [seed]`: exchanges with a faulty bank; both books are compared at the end. */
const exchanges = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? randomInt(2 ** 30))
const races = Math.ceil(exchanges / 10)

const wishes = { seed, exchanges, races, nodes: 2, sellers: 20, lanes: 16, killEvery: 50 }
const { differences, figures } = await runExchanges(wishes)
const seconds = (ms: number) => (ms / 1000).toFixed(1)
console.log(`${exchanges} exchanges and ${races} races of payer and seller, seed ${seed}`)
console.log(
  `in ${seconds(figures.exchangesMs)} s, settled ${seconds(figures.settledMs)} s after, ${figures.kills} kills`,
)
console.table([...figures.kinds].map(([kind, count]) => ({ kind, count })))
console.table([...figures.struck].map(([fault, count]) => ({ fault, count })))
console.table([...figures.answers].map(([status, count]) => ({ status, count })))
console.log(`at the bank, in centavos: ${JSON.stringify(figures.bank)}`)
for (const difference of differences) console.log(`DIFFERENCE: ${difference}`)
console.log(differences.length === 0 ? "Both books are equal." : `${differences.length} differences.`)
process.exitCode = differences.length === 0 ? 0 : 1
