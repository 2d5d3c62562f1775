import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Chance, createChance } from "../crash-tests/chance.ts"
import { query } from "../crash-tests/embedded-books.ts"
import { eventually } from "../crash-tests/eventually.ts"
import { exchangeSomething } from "../crash-tests/exchanges/exchange-kinds.ts"
import { type Market, openMarket, replaceNode } from "../crash-tests/exchanges/market.ts"
import { findDifferences } from "../crash-tests/exchanges/run-exchanges.ts"
import { untilSettled } from "../crash-tests/exchanges/settle-market.ts"
import { type Installation, openInstallation } from "../crash-tests/installation.ts"
import { beginArchive, restoreToBeforeMistake } from "./archive.ts"
import { checkBooks, untilReady } from "./check-scene.ts"
import { type Cluster, openCluster, serverPorts } from "./cluster.ts"
import { type Fault, faults, type Scene } from "./faults.ts"
import { openPages, type PagesSeen } from "./open-pages.ts"
import { openQuietPage } from "./quiet-page.ts"
import { type Seen, watchPayers } from "./watch-payers.ts"

export interface Round extends Seen, PagesSeen {
  fault: string
  limitMs: number | null
  acknowledged: number
  lost: number
}

interface DrillOutcome {
  rounds: Round[]
  differences: string[]
  answers: Map<number, number>
  /** The restore to a moment by pgBackRest, until the database takes writes. */
  restoredMs: number
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
  await beginArchive(cluster)
  const nothing = async () => undefined
  const opened = await openInstallation({ url: cluster.databaseUrl, kill: nothing, stop: nothing })
  const installation = whereHaproxyLooks(opened, cluster)
  const market = await openMarket(installation, { nodes: 2, sellers })
  const scene = { cluster, market, pageId: await openQuietPage(market) }
  const done: Round[] = []
  const differences: string[] = []
  for (const cycle of inCycles(rounds, only, createChance(seed))) {
    const load = keepTrading(market, lanes, seed + done.length)
    for (const fault of cycle) {
      const round = await playRound(scene, fault)
      done.push(round)
      tell(round)
    }
    await load.stop()
    differences.push(...(await checkBooks(market)))
  }
  await replaceNode(market)
  await untilSettled(market)
  differences.push(...(await findDifferences(market)))
  const restored = await restoreToBeforeMistake(cluster)
  const { code, output } = await installation.verify(restored.url)
  await restored.stop()
  differences.push(...restored.differences, ...(code === 0 ? [] : [`restored: ${output}`]))
  return { rounds: done, differences, answers: market.counts.answers, restoredMs: restored.tookMs }
}

/** Each server takes the first port of HAProxy's that is free. */
function whereHaproxyLooks(installation: Installation, cluster: Cluster): Installation {
  const taken = new Set<number>()
  return {
    ...installation,
    async startNode(more = {}, script) {
      const port = serverPorts.find((each) => !taken.has(each))
      if (port === undefined) throw new Error("all ports of HAProxy's have a server")
      taken.add(port)
      const variables = { ...(await cluster.serverVariables(port)), ...more }
      const node = await installation.startNode(variables, script, join(cluster.folder, `server-${port}.log`))
      void node.exited.then(() => taken.delete(port))
      return node
    },
  }
}

/** Each cycle is every fault once, in an order that the seed decides; the last one is cut short. */
function inCycles(rounds: number, only: string, chance: Chance): Fault[][] {
  const wanted = faults.filter(({ name }) => name.includes(only))
  if (wanted.length === 0) throw new Error(`no fault is named "${only}"`)
  const cycles: Fault[][] = []
  for (let left = rounds; left > 0; left -= wanted.length) {
    const drawn = wanted.map((fault) => ({ fault, at: chance.draw() })).sort((one, other) => one.at - other.at)
    cycles.push(drawn.slice(0, left).map(({ fault }) => fault))
  }
  return cycles
}

async function playRound(scene: Scene, fault: Fault): Promise<Round> {
  try {
    await fault.prepare?.(scene)
    const pages = await openPages(scene)
    const seen = await strike(scene, fault)
    const pagesSeen = await pages.payAll()
    const { charges, withdrawals } = scene.market.acknowledged
    const acknowledged = charges.length + withdrawals.length
    const { name, limitMs } = fault
    return { ...seen, ...pagesSeen, fault: name, limitMs, acknowledged, lost: await countLost(scene.market) }
  } catch (cause) {
    throw new Error(`in the round "${fault.name}"`, { cause })
  }
}

/** Ends when the cluster is whole and each server ready again. */
async function strike(scene: Scene, fault: Fault): Promise<Seen> {
  const { cluster, market } = scene
  const payers = watchPayers(scene)
  await sleep(calmMs)
  const heal = await fault.strike(scene)
  await sleep(fault.lastsMs)
  await heal()
  await cluster.untilWhole(wholeWithinMs)
  await sleep(calmMs)
  const seen = await payers.stop()
  await untilReady(market, cluster)
  return seen
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
