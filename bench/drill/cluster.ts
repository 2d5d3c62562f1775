import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chown, mkdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { query } from "../../server/crash-tests/embedded-books.ts"
import { eventually } from "../../server/crash-tests/eventually.ts"
import { type Machine, type Network, openNetwork } from "./network.ts"
import { defineProgram, findPostgresFolder, type Program, patroniCommand } from "./programs.ts"

const execute = promisify(execFile)
const templates = fileURLToPath(new URL("../../deploy/cluster/", import.meta.url))
const machineCount = 3
const diskMegabytes = 1_200
const firstPrimaryWithinMs = 120_000

/** A database machine: etcd, Patroni and PostgreSQL, on a disk of its own. */
export interface Node {
  machine: Machine
  folder: string
  etcd: Program
  patroni: Program
  /** Every process on it. */
  signalAll(signal: NodeJS.Signals): Promise<void>
  /** PostgreSQL's main process alone. */
  signalPostmaster(signal: NodeJS.Signals): Promise<void>
  start(): void
}

/** Three database machines with synchronous replication, and HAProxy before them. */
export interface Cluster {
  databaseUrl: string
  network: Network
  nodes: readonly Node[]
  haproxy: Program
  /** The primary by Patroni's word; null while there is none. */
  findPrimary(): Promise<Node | null>
  findEtcdLeader(): Promise<Node | null>
  switchOver(from: Node): Promise<void>
  /** Resolves when all three are members again and a standby is synchronous. */
  untilWhole(withinMs: number): Promise<void>
}

/** Everything of it ends with this process, see `enterOwnNamespaces`. */
export async function openCluster(): Promise<Cluster> {
  const binaries = await findPostgresFolder()
  const folder = tmpdir()
  const network = await openNetwork(machineCount)
  const password = randomBytes(12).toString("hex")
  const nodes = await Promise.all(
    network.machines.map((machine) => prepareNode({ machine, folder, network, binaries, password })),
  )
  const haproxy = await prepareHaproxy(folder, network)
  for (const node of nodes) node.start()
  haproxy.start()
  const server = `postgres://postgres:${password}@${network.address}:5000`
  await eventually(
    () => query(`${server}/postgres`, "select 1").catch(() => []),
    (rows) => rows.length === 1,
    firstPrimaryWithinMs,
  )
  await query(`${server}/postgres`, "create database tilinta")
  const cluster: Cluster = {
    databaseUrl: `${server}/tilinta?sslmode=disable`,
    ...{ network, nodes, haproxy },
    findPrimary: () => findNode(nodes, isPrimary),
    findEtcdLeader: () => findNode(nodes, isEtcdLeader),
    switchOver: (from) => switchOver(from),
    untilWhole: (withinMs) => untilWhole(nodes, withinMs),
  }
  await cluster.untilWhole(firstPrimaryWithinMs)
  return cluster
}

interface Preparing {
  machine: Machine
  folder: string
  network: Network
  binaries: string
  password: string
}

async function prepareNode({ machine, folder, network, binaries, password }: Preparing): Promise<Node> {
  const { name, address } = machine
  const disk = join(folder, name)
  await mkdir(disk)
  await execute("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=0700`, "tmpfs", disk])
  const { uid, gid } = await accountOf("postgres")
  await chown(disk, uid, gid)
  const etcdAddresses = network.machines.map((each) => `${each.address}:2379`).join(",")
  const facts = { name, address, folder: disk, binaries, password, network: network.range, etcd: etcdAddresses }
  const config = join(folder, `${name}.yaml`)
  await writeFile(config, await fill("patroni.yaml", { ...facts, maxWalSize: "256MB" }))
  await chown(config, uid, gid)
  const etcd = defineProgram({
    ...{ machine, asPostgres: true, command: "etcd", logFile: join(folder, `${name}.etcd.log`) },
    args: etcdArguments(machine, network, disk),
  })
  const patroni = defineProgram({
    ...{
      machine,
      asPostgres: true,
      command: patroniCommand,
      args: [config],
      logFile: join(folder, `${name}.patroni.log`),
    },
  })
  return {
    ...{ machine, folder: disk, etcd, patroni },
    signalAll: (signal) => signalEverythingOn(name, signal),
    async signalPostmaster(signal) {
      const [pid] = (await readFile(join(disk, "data/postmaster.pid"), "utf8")).split("\n")
      process.kill(Number(pid), signal)
    },
    start() {
      etcd.start()
      patroni.start()
    },
  }
}

function etcdArguments({ name, address }: Machine, { machines }: Network, disk: string): string[] {
  const peers = machines.map((each) => `${each.name}=http://${each.address}:2380`).join(",")
  return [
    ...["--name", name, "--data-dir", join(disk, "etcd"), "--initial-cluster", peers, "--initial-cluster-state", "new"],
    ...["--listen-peer-urls", `http://${address}:2380`, "--initial-advertise-peer-urls", `http://${address}:2380`],
    ...["--listen-client-urls", `http://${address}:2379`, "--advertise-client-urls", `http://${address}:2379`],
    ...["--heartbeat-interval", "200", "--election-timeout", "2000"],
  ]
}

async function prepareHaproxy(folder: string, { address, machines }: Network): Promise<Program> {
  const servers = machines.map((each) => `    server ${each.name} ${each.address}:5432 check port 8008`).join("\n")
  const config = join(folder, "haproxy.cfg")
  await writeFile(config, await fill("haproxy.cfg", { address, servers }))
  return defineProgram({ command: "haproxy", args: ["-db", "-f", config], logFile: join(folder, "haproxy.log") })
}

async function fill(file: string, facts: Record<string, string>): Promise<string> {
  const text = await readFile(join(templates, file), "utf8")
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const fact = facts[name]
    if (fact === undefined) throw new Error(`deploy/cluster/${file} names {{${name}}}`)
    return fact
  })
}

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const numbers = await Promise.all(["-u", "-g"].map(async (flag) => (await execute("id", [flag, name])).stdout))
  return { uid: Number(numbers[0]), gid: Number(numbers[1]) }
}

async function findNode(nodes: readonly Node[], isIt: (node: Node) => Promise<boolean>): Promise<Node | null> {
  const answers = await Promise.all(nodes.map((node) => isIt(node).catch(() => false)))
  return nodes[answers.indexOf(true)] ?? null
}

const shortly = () => ({ signal: AbortSignal.timeout(1_500) })

async function isPrimary({ machine }: Node): Promise<boolean> {
  return (await fetch(`http://${machine.address}:8008/primary`, shortly())).status === 200
}

async function isEtcdLeader({ machine }: Node): Promise<boolean> {
  const url = `http://${machine.address}:2379/v3/maintenance/status`
  const reply = await fetch(url, { method: "POST", body: "{}", ...shortly() })
  const { header, leader } = (await reply.json()) as { header: { member_id: string }; leader: string }
  return header.member_id === leader
}

async function switchOver({ machine }: Node): Promise<void> {
  const body = JSON.stringify({ leader: machine.name })
  const url = `http://${machine.address}:8008/switchover`
  const reply = await fetch(url, { method: "POST", body, signal: AbortSignal.timeout(60_000) })
  if (reply.status !== 200) throw new Error(`the switchover answered ${reply.status}: ${await reply.text()}`)
}

async function untilWhole(nodes: readonly Node[], withinMs: number): Promise<void> {
  await eventually(
    async () => {
      const states = await Promise.all(nodes.map((node) => membersOf(node).catch(() => [])))
      return states.find((members) => members.length > 0) ?? []
    },
    (members) =>
      members.length === machineCount &&
      members.every(({ state }) => state === "running" || state === "streaming") &&
      members.some(({ role }) => role === "sync_standby"),
    withinMs,
  )
}

async function membersOf({ machine }: Node): Promise<{ role: string; state: string }[]> {
  const reply = await fetch(`http://${machine.address}:8008/cluster`, shortly())
  return ((await reply.json()) as { members: { role: string; state: string }[] }).members
}

async function pidsOn(namespace: string): Promise<number[]> {
  const { stdout } = await execute("ip", ["netns", "pids", namespace]).catch(() => ({ stdout: "" }))
  return stdout.split("\n").filter(Boolean).map(Number)
}

async function signalEverythingOn(namespace: string, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await pidsOn(namespace)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
}
