import { execFile } from "node:child_process"
import { chown, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Machine } from "./network.ts"
import { defineProgram, type Program, patroniCommand } from "./programs.ts"
import { fill, readVariables } from "./templates.ts"

const execute = promisify(execFile)
const diskMegabytes = 1_200

/** A database machine: etcd, Patroni and PostgreSQL, on a disk of its own. */
export interface DatabaseNode {
  machine: Machine
  folder: string
  /** The configuration of pgBackRest. */
  backrest: string
  etcd: Program
  patroni: Program
  /** Every process on it. */
  signalAll(signal: NodeJS.Signals): Promise<void>
  /** PostgreSQL's main process alone. */
  signalPostmaster(signal: NodeJS.Signals): Promise<void>
  start(): void
}

/** Its configuration goes into `folder`, by the facts that are common to all machines. */
export async function prepareNode(
  machine: Machine,
  folder: string,
  common: Record<string, string>,
): Promise<DatabaseNode> {
  const { name, address } = machine
  const disk = join(folder, name)
  await mkdir(disk)
  await execute("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=0700`, "tmpfs", disk])
  const [config, backrest] = [join(folder, `${name}.yaml`), join(folder, `${name}.pgbackrest.conf`)]
  const facts = { ...common, name, address, folder: disk, etcdFolder: join(disk, "etcd"), backrest }
  await writeFile(config, await fill("patroni.yaml", facts))
  await writeFile(backrest, await fill("pgbackrest.conf", facts))
  const { uid, gid } = await accountOf("postgres")
  for (const path of [disk, config, backrest]) await chown(path, uid, gid)
  const asPostgres = { machine, asPostgres: true }
  const etcd = defineProgram({
    ...{ ...asPostgres, command: "etcd", args: [], logFile: join(folder, `${name}.etcd.log`) },
    env: readVariables(await fill("etcd.env", facts)),
  })
  const patroni = defineProgram({
    ...{ ...asPostgres, command: patroniCommand, args: [config], logFile: join(folder, `${name}.patroni.log`) },
  })
  return {
    ...{ machine, folder: disk, backrest, etcd, patroni },
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

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const numbers = await Promise.all(["-u", "-g"].map(async (flag) => (await execute("id", [flag, name])).stdout))
  return { uid: Number(numbers[0]), gid: Number(numbers[1]) }
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
