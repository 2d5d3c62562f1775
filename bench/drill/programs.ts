import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, openSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { guardProcesses } from "../../server/crash-tests/process-guard.ts"
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

interface ProgramOptions {
  command: string
  args: readonly string[]
  logFile: string
  machine?: Machine
  /** The account of PostgreSQL, which refuses to run as root. */
  asPostgres?: boolean
}

const guard = guardProcesses()
const running = new Set<Program>()

export function defineProgram({ command, args, logFile, machine, asPostgres = false }: ProgramOptions): Program {
  let child: ChildProcess | null = null
  const log = openSync(logFile, "a")
  const account = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
  const words = [
    ...(machine === undefined ? [] : ["ip", "netns", "exec", machine.name]),
    ...(asPostgres ? account : []),
    command,
    ...args,
  ]
  const program: Program = {
    start() {
      if (program.isRunning()) return
      const [first = "", ...rest] = words
      child = spawn(first, rest, { detached: true, stdio: ["ignore", log, log], cwd: "/", env: plainEnvironment })
      child.on("error", () => undefined)
      if (child.pid !== undefined) guard.add(child.pid)
      running.add(program)
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
      if (dying?.pid !== undefined) guard.remove(dying.pid)
      running.delete(program)
    },
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
  }
  return program
}

const plainEnvironment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" }

export async function killAllPrograms(): Promise<void> {
  await Promise.all([...running].map((program) => program.kill()))
}

/** Debian's, of the newest version that is there; throws with what to install. */
export function findPostgresFolder(): string {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  const newest = Math.max(...versions)
  const needed = ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy", "/usr/bin/faketime"]
  const missing = needed.filter((file) => !existsSync(file))
  if (versions.length === 0 || missing.length > 0) {
    throw new Error(
      "The drill needs Debian's packages: apt-get install patroni etcd-server haproxy postgresql faketime iproute2",
    )
  }
  return join(root, String(newest), "bin")
}
