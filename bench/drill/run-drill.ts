import { setTimeout as sleep } from "node:timers/promises"
import { createChance } from "../../server/crash-tests/chance.ts"
import { query } from "../../server/crash-tests/embedded-books.ts"
import { exchangeSomething } from "../../server/crash-tests/exchanges/exchange-kinds.ts"
import { askForPix, type Market, openMarket, replaceNode } from "../../server/crash-tests/exchanges/market.ts"
import { findDifferences } from "../../server/crash-tests/exchanges/run-exchanges.ts"
import { untilSettled } from "../../server/crash-tests/exchanges/settle-market.ts"
import { openInstallation } from "../../server/crash-tests/installation.ts"
import { openCluster } from "./cluster.ts"
import { type Fault, faults } from "./faults.ts"

interface Round {
  fault: string
  /** The longest time in which no write was taken. */
  gapMs: number
  limitMs: number | null
  acknowledged: number
  lost: number
}

interface DrillOutcome {
  rounds: Round[]
  differences: string[]
  answers: Map<number, number>
}

interface Wishes {
  rounds: number
  seed: number
  sellers: number
  lanes: number
  tell(round: Round): void
}

const wholeWithinMs = 120_000
const writeEveryMs = 100
const calmMs = 2_000

/** Sellers, payers and withdrawals go on while one thing at a time breaks; both books are compared at the end. */
export async function runDrill({ rounds, seed, sellers, lanes, tell }: Wishes): Promise<DrillOutcome> {
  const cluster = await openCluster()
  try {
    const nothing = async () => undefined
    const installation = await openInstallation({ url: cluster.databaseUrl, kill: nothing, stop: nothing })
    try {
      const market = await openMarket(installation, { nodes: 2, sellers })
      const load = keepTrading(market, lanes, seed)
      const done: Round[] = []
      try {
        for (const fault of inTurns(rounds)) {
          const round = await playRound({ cluster, market }, fault)
          done.push(round)
          tell(round)
        }
      } finally {
        await load.stop()
      }
      await replaceNode(market)
      await untilSettled(market)
      return { rounds: done, differences: await findDifferences(market), answers: market.counts.answers }
    } finally {
      await installation.close()
    }
  } finally {
    await cluster.close()
  }
}

function inTurns(rounds: number): Fault[] {
  return Array.from({ length: rounds }, (_, index) => faults[index % faults.length]).filter(
    (fault) => fault !== undefined,
  )
}

async function playRound(scene: { cluster: Awaited<ReturnType<typeof openCluster>>; market: Market }, fault: Fault) {
  const { cluster, market } = scene
  const writes = watchWrites(market)
  await sleep(calmMs)
  try {
    const heal = await fault.strike(scene)
    await sleep(fault.lastsMs)
    await heal()
    await cluster.untilWhole(wholeWithinMs)
    await sleep(calmMs)
  } catch (cause) {
    throw new Error(`in the round "${fault.name}"`, { cause })
  } finally {
    await writes.stop()
  }
  const gapMs = await writes.stop()
  const lost = await countLost(market)
  const acknowledged = market.acknowledged.charges.length + market.acknowledged.withdrawals.length
  return { fault: fault.name, gapMs, limitMs: fault.limitMs, acknowledged, lost }
}

function keepTrading(market: Market, lanes: number, seed: number) {
  let isOver = false
  const chance = createChance(seed)
  const trading = Array.from({ length: lanes }, async () => {
    const lane = createChance(chance.between(0, 2 ** 31))
    while (!isOver) {
      await exchangeSomething(market, lane)
      await sleep(lane.between(20, 120))
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(trading)
    },
  }
}

/** New Pix are asked for all the time, each a write of its own; the gap is between two that were answered with 201. */
function watchWrites(market: Market) {
  let isOver = false
  let lastAt = performance.now()
  let gapMs = 0
  const note = () => {
    const now = performance.now()
    gapMs = Math.max(gapMs, now - lastAt)
    lastAt = now
  }
  const [seller] = market.sellers
  const writing = Promise.all(
    Array.from({ length: 3 }, async () => {
      while (!isOver) {
        if ((await askForPix(market, seller?.pageId ?? "")) !== null) note()
        await sleep(writeEveryMs)
      }
    }),
  )
  return {
    async stop() {
      if (!isOver) note()
      isOver = true
      await writing
      return Math.round(gapMs)
    },
  }
}

/** Each charge and withdrawal that anybody was answered with 201 for must be there. */
async function countLost({ installation, acknowledged }: Market): Promise<number> {
  const missing = `select
    (select count(*) from unnest($1::uuid[]) told (id) where not exists (select from charges where charges.id = told.id))
    + (select count(*) from unnest($2::uuid[]) told (id)
       where not exists (select from withdrawals where withdrawals.id = told.id)) as lost`
  const values = [acknowledged.charges, acknowledged.withdrawals]
  const [row] = await query<{ lost: string }>(installation.databaseUrl, missing, values)
  return Number(row?.lost)
}
