import { execFile } from "node:child_process"
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { killNode, type Market, replaceInOrder, replaceNode, startAnother } from "../crash-tests/exchanges/market.ts"
import type { ServerProcess } from "../crash-tests/server-process.ts"
import type { Cluster } from "./cluster.ts"
import type { DatabaseNode } from "./database-node.ts"

const execute = promisify(execFile)

export interface Scene {
  cluster: Cluster
  market: Market
  /** The page whose payers are watched. */
  pageId: string
}

/** Something that goes wrong, and is put right again after a while. */
export interface Fault {
  name: string
  /** The longest time until writes are taken again; null where the fault itself decides how long. */
  limitMs: number | null
  /** Makes ready for it, while nobody measures. */
  prepare?(scene: Scene): Promise<void>
  strike(scene: Scene): Promise<() => Promise<void>>
  /** How long it lasts before it is put right. */
  lastsMs: number
}

const lostMachineMs = 30_000
const lostPostmasterMs = 10_000
const switchoverMs = 3_000
/** Nobody has to wait while a server leaves in order; new Pix are asked for every tenth of a second or so. */
const inOrderMs = 1_000

async function primaryOf({ cluster }: Scene): Promise<DatabaseNode> {
  for (let tries = 0; tries < 100; tries += 1) {
    const primary = await cluster.findPrimary()
    if (primary !== null) return primary
    await sleep(200)
  }
  throw new Error("the cluster has no primary")
}

export const faults: readonly Fault[] = [
  {
    ...{ name: "kill -9 of the primary's postmaster", limitMs: lostPostmasterMs, lastsMs: 5_000 },
    async strike(scene) {
      await (await primaryOf(scene)).signalPostmaster("SIGKILL")
      return async () => undefined
    },
  },
  {
    ...{ name: "kill -9 of all on the primary's machine", limitMs: lostMachineMs, lastsMs: 20_000 },
    async strike(scene) {
      const primary = await primaryOf(scene)
      await primary.signalAll("SIGKILL")
      return async () => primary.start()
    },
  },
  {
    ...{ name: "kill -9 of etcd's leader", limitMs: lostPostmasterMs, lastsMs: 5_000 },
    async strike({ cluster }) {
      const leader = await cluster.findEtcdLeader()
      await leader?.etcd.kill()
      return async () => leader?.etcd.start()
    },
  },
  {
    ...{ name: "kill -9 of HAProxy", limitMs: lostPostmasterMs, lastsMs: 1_000 },
    async strike({ cluster }) {
      await cluster.haproxy.kill()
      return async () => cluster.haproxy.start()
    },
  },
  {
    ...{ name: "kill -9 of a server", limitMs: switchoverMs, lastsMs: 1_000 },
    async strike({ market }) {
      await killNode(market)
      return () => startAnother(market)
    },
  },
  {
    ...{ name: "primary frozen (SIGSTOP)", limitMs: lostMachineMs, lastsMs: 25_000 },
    async strike(scene) {
      const primary = await primaryOf(scene)
      await primary.signalAll("SIGSTOP")
      return () => primary.signalAll("SIGCONT")
    },
  },
  {
    ...{ name: "primary's disk is full", limitMs: lostMachineMs, lastsMs: 8_000 },
    async strike(scene) {
      const { folder } = await primaryOf(scene)
      const waste = join(folder, "waste")
      // Ends with "no space left": others write meanwhile, so that the number of free bytes is of no use.
      await execute("dd", ["if=/dev/zero", `of=${waste}`, "bs=1M"]).catch(() => undefined)
      return () => rm(waste, { force: true })
    },
  },
  {
    ...{ name: "network cut between the primary and its standbys", limitMs: lostMachineMs, lastsMs: 15_000 },
    async strike(scene) {
      const { cluster } = scene
      const primary = await primaryOf(scene)
      const others = cluster.nodes.filter((node) => node !== primary)
      for (const other of others) await cluster.network.cut(primary.machine, other.machine)
      return async () => {
        for (const other of others) await cluster.network.mend(primary.machine, other.machine)
      }
    },
  },
  clockJump(),
  {
    ...{ name: "planned switchover", limitMs: switchoverMs, lastsMs: 3_000 },
    async strike(scene) {
      await scene.cluster.switchOver(await primaryOf(scene))
      return async () => undefined
    },
  },
  {
    ...{ name: "both servers restarted, one after the other", limitMs: switchoverMs, lastsMs: 1_000 },
    async strike({ market }) {
      await replaceNode(market)
      return () => replaceNode(market)
    },
  },
  {
    ...{ name: "both servers stopped in order and replaced", limitMs: inOrderMs, lastsMs: 1_000 },
    async strike({ market }) {
      await replaceInOrder(market)
      return () => replaceInOrder(market)
    },
  },
]

/** In a third server, which is there before anything is measured and goes again afterwards. */
function clockJump(): Fault {
  let clock: Awaited<ReturnType<typeof openClock>> | null = null
  let jumping: ServerProcess | null = null
  return {
    ...{ name: "a server's clock jumps two hours ahead", limitMs: switchoverMs, lastsMs: 10_000 },
    async prepare({ market }) {
      clock = await openClock(await mkdtemp(join(tmpdir(), "tilinta-clock-")))
      jumping = await market.installation.startNode(clock.environment)
      market.nodes = [...market.nodes, jumping]
    },
    async strike({ market }) {
      await clock?.set("+2h")
      return async () => {
        await clock?.set("+0")
        market.nodes = market.nodes.toSorted((one, other) => Number(other === jumping) - Number(one === jumping))
        await killNode(market)
      }
    },
  }
}

/** Debian's libfaketime, whose file is read anew; the monotonic clock stays right, as when an operator sets the time. */
async function openClock(folder: string) {
  const file = join(folder, "now")
  const set = async (offset: string) => {
    await writeFile(`${file}.new`, offset)
    await rename(`${file}.new`, file)
  }
  await set("+0")
  const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
  const settings = { FAKETIME_NO_CACHE: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1", FAKETIME_DONT_RESET: "1" }
  return { set, environment: { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, ...settings } }
}
