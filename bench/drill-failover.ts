import { randomInt } from "node:crypto"
import { runDrill } from "./drill/run-drill.ts"

/** `npm run drill:failover -- [rounds] [seed]`: one thing breaks each round while people buy and sell. Needs root. */
const rounds = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? randomInt(2 ** 30))

console.log(`${rounds} rounds, seed ${seed}`)
const tell = ({ fault, gapMs, limitMs, acknowledged, lost }: Parameters<Parameters<typeof runDrill>[0]["tell"]>[0]) =>
  console.log(`${fault}: writes again after ${gapMs} ms (limit ${limitMs ?? "none"}), ${lost} of ${acknowledged} lost`)
const { rounds: played, differences, answers } = await runDrill({ rounds, seed, sellers: 6, lanes: 4, tell })

const slow = played.filter(({ gapMs, limitMs }) => limitMs !== null && gapMs > limitMs)
const lost = Math.max(0, ...played.map((round) => round.lost))
console.table([...answers].map(([status, count]) => ({ status, count })))
for (const difference of differences) console.log(`DIFFERENCE: ${difference}`)
for (const { fault, gapMs } of slow) console.log(`SLOW: ${fault}, ${gapMs} ms`)
console.log(`${lost} acknowledged writes lost, ${differences.length} differences, ${slow.length} rounds too slow`)
process.exit(lost + differences.length + slow.length === 0 ? 0 : 1)
