import { randomInt } from "node:crypto"
import { runMandates } from "./crash-tests/mandates/run-mandates.ts"

/** `npm run mandates [days] [seed]`: as many days of authorisations and their debits, with kills of two nodes. */
const days = Number(process.argv[2] ?? 400)
const seed = Number(process.argv[3] ?? randomInt(2 ** 30))
const share = days / 400
const part = (whole: number) => Math.max(3, Math.round(whole * share))
const wishes = { days, seed, mandates: part(100), kills: part(40) }
const begin = performance.now()
const { problems, counts } = await runMandates(wishes)
console.log(JSON.stringify(wishes))
console.log(`in ${((performance.now() - begin) / 1000).toFixed(0)} s: ${JSON.stringify(counts)}`)
for (const problem of problems) console.log(`PROBLEM: ${problem}`)
console.log(problems.length === 0 ? "Every cycle was debited once, or not at all." : `${problems.length} problems.`)
process.exitCode = problems.length === 0 ? 0 : 1
