import { type ChildProcess, execFile, spawn } from "node:child_process"
import { existsSync, openSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Machine } from "./network.ts"

/** A program that is started again after a kill, as its supervisor would. */
export interface Program {
  start(): void
  /** The whole process group. */
  signal(signal: NodeJS.Signals): void
  /** With SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  isRunning(): boolean
}

const execute = promisify(execFile)

interface ProgramOptions {
  command: string
  args: readonly string[]
  logFile: string
  machine?: Machine
  /** The account of PostgreSQL, which refuses to run as root. */
  asPostgres?: boolean
  env?: Record<string, string>
}

export function defineProgram({ logFile, env = {}, ...options }: ProgramOptions): Program {
  let child: ChildProcess | null = null
  const log = openSync(logFile, "a")
  const words = wordsOf(options)
  const program: Program = {
    start() {
      if (program.isRunning()) return
      const [first = "", ...rest] = words
      const surroundings = { cwd: "/", env: { ...plainEnvironment, ...env } }
      child = spawn(first, rest, { ...surroundings, detached: true, stdio: ["ignore", log, log] })
      child.on("error", () => undefined)
    },
    signal(signal) {
      try {
        if (child?.pid !== undefined) process.kill(-child.pid, signal)
      } catch {
        // It has ended by itself.
      }
    },
    async kill() {
      const dying = child
      const ended = new Promise<void>((resolve) => {
        if (dying === null || dying.exitCode !== null || dying.signalCode !== null) resolve()
        else dying.once("exit", () => resolve())
      })
      program.signal("SIGCONT")
      program.signal("SIGKILL")
      await ended
    },
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
  }
  return program
}

/** Runs it to its end as PostgreSQL's account; throws with what it said when it fails. */
export async function runAsPostgres(machine: Machine, command: string, args: readonly string[]): Promise<string> {
  const [first = "", ...rest] = wordsOf({ machine, command, args, asPostgres: true })
  return (await execute(first, rest, { cwd: "/", env: plainEnvironment })).stdout
}

function wordsOf({ machine, asPostgres = false, command, args }: Omit<ProgramOptions, "logFile" | "env">): string[] {
  const account = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
  return [
    ...(machine === undefined ? [] : ["ip", "netns", "exec", machine.name]),
    ...(asPostgres ? account : []),
    command,
    ...args,
  ]
}

const plainEnvironment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" }

/** Another Patroni than Debian's by its path, as long as this Debian has an older one. */
export const patroniCommand = process.env["PATRONI"] ?? "/usr/bin/patroni"
/**
 * Until 3.0.2 a primary that was frozen longer than its lease wrote its name over the new primary's when it went on
 * (etcd3, mended by https://github.com/patroni/patroni/pull/2689), and what the new one had acknowledged was lost.
 */
const oldestPatroni = [3, 1]

/** Debian's, of the newest version that is there; throws with what to install. */
export async function findPostgresFolder(): Promise<string> {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  const newest = Math.max(...versions)
  const needed = [patroniCommand, "/usr/bin/etcd", "/usr/sbin/haproxy", "/usr/bin/faketime", "/usr/bin/pgbackrest"]
  const missing = needed.filter((file) => !existsSync(file))
  if (versions.length === 0 || missing.length > 0) {
    throw new Error(
      "The drill needs Debian's packages: " +
        "apt-get install patroni python3-etcd python3-idna etcd-server haproxy postgresql pgbackrest faketime iproute2 openssl",
    )
  }
  await refuseOldPatroni()
  return join(root, String(newest), "bin")
}

async function refuseOldPatroni(): Promise<void> {
  const { stdout } = await execute(patroniCommand, ["--version"], { env: plainEnvironment })
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(stdout)?.[0] ?? "").split(".").map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestPatroni
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new Error(
    `${stdout.trim()} loses acknowledged writes: Debian 13 has a newer Patroni; PATRONI=/path/of/patroni names another`,
  )
}
