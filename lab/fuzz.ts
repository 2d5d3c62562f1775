import { randomInt } from "node:crypto"
import { runFuzz } from "./crash-tests/fuzz/run-fuzz.ts"

/** `npm run fuzz [count] [seed]`: valid and wrong requests of every endpoint; none may be answered by an error. */
const requests = Number(process.argv[2] ?? 200_000)
const seed = Number(process.argv[3] ?? randomInt(2 ** 30))

const { faults, statuses, refusals, tookMs } = await runFuzz({ seed, requests, lanes: 16 })
console.log(`${requests} requests, seed ${seed}, in ${(tookMs / 1000).toFixed(1)} s`)
console.table([...statuses].sort(([a], [b]) => a - b).map(([status, count]) => ({ status, count })))
console.table([...refusals].map(([code, count]) => ({ code, count })))
for (const fault of faults.slice(0, 100)) console.log(`FAULT: ${fault}`)
console.log(`${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1
