import { randomInt } from "node:crypto"
import { enterOwnNamespaces } from "./drill/own-namespaces.ts"
import { type Round, runDrill } from "./drill/run-drill.ts"

/** `npm run drill:failover -- [rounds] [seed] [fault]`: one thing breaks each round while people buy. Needs root. */
const rounds = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? randomInt(2 ** 30))
const only = process.argv[4] ?? ""

await enterOwnNamespaces()
console.log(`${rounds} rounds, seed ${seed}`)
const tell = ({ fault, limitMs, ...seen }: Round) =>
  console.log(
    `${fault}: writes again after ${seen.gapMs} ms (limit ${limitMs ?? "none"}), paid again after ${seen.unbookedMs} ms, ` +
      `${seen.turnedAway} of ${seen.asked} payers turned away, ${seen.lost} of ${seen.acknowledged} lost; ` +
      `open pages told ${seen.pageMs} ms after their payment, ${seen.toldByStream} of ${seen.pages} by the stream`,
  )
const outcome = await runDrill({ rounds, only, seed, sellers: 6, lanes: 4, tell })
const { rounds: played, differences, answers, restoredMs } = outcome

const slow = played.filter(({ gapMs, limitMs }) => limitMs !== null && gapMs > limitMs)
const lost = Math.max(0, ...played.map((round) => round.lost))
const silent = played.reduce((sum, round) => sum + round.silentPages, 0)
console.table([...answers].map(([status, count]) => ({ status, count })))
for (const difference of differences) console.log(`DIFFERENCE: ${difference}`)
for (const { fault, gapMs } of slow) console.log(`SLOW: ${fault}, ${gapMs} ms`)
console.log(`restored to a moment in ${restoredMs} ms`)
console.log(
  `${lost} acknowledged writes lost, ${differences.length} differences, ${silent} open pages never told, ` +
    `${slow.length} rounds too slow`,
)
process.exit(lost + differences.length + silent + slow.length === 0 ? 0 : 1)
