import { type Chance, createChance } from "../chance.ts"
import { readBankTotals } from "../embedded-books.ts"
import { openInstallation } from "../installation.ts"
import { auditMarket, readShown } from "./audit-market.ts"
import { beginTrouble, endTrouble } from "./bank-trouble.ts"
import { compareBooks } from "./compare-books.ts"
import { exchangeSomething, payWhileCancelling } from "./exchange-kinds.ts"
import { killSomething, type Market, openMarket, replaceNode } from "./market.ts"
import { closeTheDay, untilSettled } from "./settle-market.ts"

interface Wishes {
  seed: number
  exchanges: number
  /** Races between a payer and a cancelling seller, before the faults begin. */
  races: number
  nodes: number
  sellers: number
  /** Number of parallel lanes. */
  lanes: number
  /** After each so many exchanges a node, the database, or both are killed, in turns; 0 is never. */
  killEvery: number
}

interface Outcome {
  /** One sentence per difference; empty as it should be. */
  differences: string[]
  figures: {
    kinds: Map<string, number>
    answers: Map<number, number>
    struck: Map<string, number>
    kills: number
    exchangesMs: number
    settledMs: number
    bank: ReturnType<typeof readBankTotals>
  }
}

/** Despite all faults and kills, both books must be equal in the end, to the centavo. */
export async function runExchanges(wishes: Wishes): Promise<Outcome> {
  const installation = await openInstallation()
  try {
    const market = await openMarket(installation, wishes)
    const chance = createChance(wishes.seed)
    const begin = performance.now()
    await inLanes(wishes.lanes, wishes.races, chance, (lane) => payWhileCancelling(market, lane))
    await beginTrouble(market, wishes.seed)
    const killing = killNow(market, wishes)
    await inLanes(wishes.lanes, wishes.exchanges, chance, async (lane, index) => {
      killing(index)
      await exchangeSomething(market, lane)
    })
    await killing.done()
    const struck = await endTrouble(market)
    const exchangesMs = performance.now() - begin
    // A node runs every job at its start, earlier than the schedules of running ones.
    await replaceNode(market)
    await untilSettled(market)
    const settledMs = performance.now() - begin - exchangesMs
    const differences = await findDifferences(market)
    const { kinds, answers, kills } = market.counts
    const bank = readBankTotals(installation.bankDataDir)
    return { differences, figures: { kinds, answers, struck, kills, exchangesMs, settledMs, bank } }
  } finally {
    await installation.close()
  }
}

/** Each lane draws from a random series of its own, so that it doesn't depend on the others. */
async function inLanes(
  lanes: number,
  count: number,
  chance: Chance,
  work: (lane: Chance, index: number) => Promise<void>,
): Promise<void> {
  let begun = 0
  async function live(): Promise<void> {
    const lane = createChance(chance.between(0, 2 ** 31))
    while (begun < count) {
      begun += 1
      await work(lane, begun)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, live))
}

function killNow(market: Market, { killEvery }: Wishes) {
  let under: Promise<void> = Promise.resolve()
  const kill = (index: number) => {
    if (killEvery > 0 && index % killEvery === 0) under = under.then(() => killSomething(market))
  }
  return Object.assign(kill, { done: () => under })
}

/** Ends the nodes and the bank; both books must then be equal. */
export async function findDifferences(market: Market): Promise<string[]> {
  const { installation, counts } = market
  const failures = counts.answers.get(500) ?? 0
  const closed = await closeTheDay(market)
  const shown = await readShown(market)
  for (const node of market.nodes) node.kill("SIGTERM")
  await Promise.all(market.nodes.map((node) => node.exited))
  const { code, output } = await installation.verify()
  await installation.endBank()
  return [
    ...(failures === 0 ? [] : [`${failures} answers were a 500`]),
    ...closed,
    ...(code === 0 ? [] : [output]),
    ...(await compareBooks(market)),
    ...(await auditMarket(market, shown)),
  ]
}
