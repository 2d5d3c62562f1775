import { setTimeout as sleep } from "node:timers/promises"
import { type Chance, createChance } from "../../server/crash-tests/chance.ts"
import { query } from "../../server/crash-tests/embedded-books.ts"
import { eventually } from "../../server/crash-tests/eventually.ts"
import { exchangeSomething } from "../../server/crash-tests/exchanges/exchange-kinds.ts"
import { type Market, openMarket, replaceNode } from "../../server/crash-tests/exchanges/market.ts"
import { findDifferences } from "../../server/crash-tests/exchanges/run-exchanges.ts"
import { untilSettled } from "../../server/crash-tests/exchanges/settle-market.ts"
import { openInstallation } from "../../server/crash-tests/installation.ts"
import { openCluster } from "./cluster.ts"
import { type Fault, faults } from "./faults.ts"
import { type Seen, watchPayers } from "./watch-payers.ts"

export interface Round extends Seen {
  fault: string
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
  /** Part of the names of the faults to play; all of them when it is empty. */
  only: string
  seed: number
  sellers: number
  lanes: number
  tell(round: Round): void
}

const wholeWithinMs = 120_000
const calmMs = 2_000

/** Sellers, payers and withdrawals go on while one thing at a time breaks; both books are compared at the end. */
export async function runDrill({ rounds, only, seed, sellers, lanes, tell }: Wishes): Promise<DrillOutcome> {
  const cluster = await openCluster()
  const nothing = async () => undefined
  const installation = await openInstallation({ url: cluster.databaseUrl, kill: nothing, stop: nothing })
  const market = await openMarket(installation, { nodes: 2, sellers })
  const load = keepTrading(market, lanes, seed)
  const done: Round[] = []
  for (const fault of inTurns(rounds, only, createChance(seed))) {
    const round = await playRound({ cluster, market }, fault)
    done.push(round)
    tell(round)
  }
  await load.stop()
  await replaceNode(market)
  await untilSettled(market)
  return { rounds: done, differences: await findDifferences(market), answers: market.counts.answers }
}

/** Each fault once, in an order that the seed decides, then all of them again. */
function inTurns(rounds: number, only: string, chance: Chance): Fault[] {
  const wanted = faults.filter(({ name }) => name.includes(only))
  if (wanted.length === 0) throw new Error(`no fault is named "${only}"`)
  const turns: Fault[] = []
  while (turns.length < rounds) {
    const drawn = wanted.map((fault) => ({ fault, at: chance.draw() })).sort((one, other) => one.at - other.at)
    turns.push(...drawn.map(({ fault }) => fault))
  }
  return turns.slice(0, rounds)
}

async function playRound(scene: { cluster: Awaited<ReturnType<typeof openCluster>>; market: Market }, fault: Fault) {
  const { cluster, market } = scene
  const payers = watchPayers(market)
  await sleep(calmMs)
  try {
    const heal = await fault.strike(scene)
    await sleep(fault.lastsMs)
    await heal()
    await cluster.untilWhole(wholeWithinMs)
    await sleep(calmMs)
  } catch (cause) {
    throw new Error(`in the round "${fault.name}"`, { cause })
  }
  const seen = await payers.stop()
  const lost = await countLost(market)
  const acknowledged = market.acknowledged.charges.length + market.acknowledged.withdrawals.length
  return { ...seen, fault: fault.name, limitMs: fault.limitMs, acknowledged, lost }
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

/** Each charge and withdrawal that anybody was answered with 201 for must be there. */
async function countLost({ installation, acknowledged }: Market): Promise<number> {
  const missing = `select
    (select count(*) from unnest($1::uuid[]) told (id) where not exists (select from charges where charges.id = told.id))
    + (select count(*) from unnest($2::uuid[]) told (id)
       where not exists (select from withdrawals where withdrawals.id = told.id)) as lost`
  const values = [acknowledged.charges, acknowledged.withdrawals]
  const [row] = await eventually(
    () => query<{ lost: string }>(installation.databaseUrl, missing, values).catch(() => []),
    (rows) => rows.length === 1,
    wholeWithinMs,
  )
  return Number(row?.lost)
}
