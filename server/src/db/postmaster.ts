import { execFile, spawn } from "node:child_process"
import { open, readFile, readlink, realpath, stat, unlink } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { StartError } from "#kit/errors"
import type { PostgresCluster } from "./postgres-cluster.ts"
import { commandAs, giveFolder, postgresEnvironment } from "./postgres-program.ts"

/** The main process of a running PostgreSQL; `port` is null until it listens. */
type Postmaster = { pid: number; port: number | null; isReady: boolean }

const execute = promisify(execFile)
const fastShutdownMs = 4_000
const immediateShutdownMs = 8_000

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "128MB",
  huge_pages: "off",
  min_wal_size: "80MB",
  max_wal_size: "1GB",
  // After each checkpoint every page is logged in full once more, so checkpoints are rare. `max_wal_size` bounds the
  // recovery of a start.
  checkpoint_timeout: "15min",
  wal_compression: "on",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
}

/** Logs neither statements nor parameters nor rows of violated constraints: all of them hold personal data. */
const discreetLog = {
  logging_collector: "off",
  log_destination: "stderr",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_checkpoints: "off",
}

const durable = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" }
const fleeting = { ...durable, fsync: "off", full_page_writes: "off" }

/** Runs in a session of its own: Ctrl+C on the terminal must not end the database before the server is done with it. */
export async function spawnPostmaster(
  cluster: PostgresCluster,
  port: number,
): Promise<{ pid: number; exited: Promise<void> }> {
  const { binaries, identity, folder, logFile, isDurable, connections } = cluster
  const all = {
    ...settings,
    ...discreetLog,
    ...(isDurable ? durable : fleeting),
    port: String(port),
    max_connections: String(connections),
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const [command, args] = commandAs(identity, binaries.postgres, ["-D", folder, ...flags])
  await giveFolder(identity, folder)
  const log = await open(logFile, "a", 0o600)
  try {
    const child = spawn(command, args, {
      cwd: "/",
      env: postgresEnvironment,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    })
    const exited = new Promise<void>((resolve) => {
      child.once("exit", () => resolve())
      child.once("error", () => resolve())
    })
    child.unref()
    return { pid: child.pid ?? 0, exited }
  } finally {
    await log.close()
  }
}

/** The postmaster of this folder, whoever started it; the pid file of a crashed one is ignored. */
export async function findPostmaster(folder: string): Promise<Postmaster | null> {
  const pidFile = join(folder, "postmaster.pid")
  const text = await readFile(pidFile, "utf8").catch(() => null)
  if (text === null) return null

  const [firstLine, , , port, , , , status] = text.split("\n")
  const pid = Math.abs(Number(firstLine))
  if (!(pid > 0)) {
    await removeWhenOld(pidFile)
    return null
  }
  const state = stateOf(pid)
  if (state === "gone") return null
  if (state === "another user's") return refuseAnotherUsers(pid, folder)
  if (await isPostmasterOf(pid, folder)) {
    return { pid, port: port ? Number(port) : null, isReady: status?.trim() === "ready" }
  }
  await removeUnchanged(pidFile, text)
  return null
}

/** PostgreSQL takes another user's process for a stale pid file, and would run twice in a folder that changed hands. */
async function refuseAnotherUsers(pid: number, folder: string): Promise<null> {
  if (!(await isStartedFor(pid, folder))) return null
  throw new StartError(`O banco de DATA_DIR já roda com outro usuário do sistema (processo ${pid}): encerre-o antes.`)
}

/** An empty pid file, as a power cut can leave, keeps PostgreSQL from starting. */
async function removeWhenOld(pidFile: string): Promise<void> {
  const { mtimeMs } = await stat(pidFile).catch(() => ({ mtimeMs: Date.now() }))
  if (Date.now() - mtimeMs > 2_000) await unlink(pidFile).catch(() => undefined)
}

async function removeUnchanged(pidFile: string, text: string): Promise<void> {
  const now = await readFile(pidFile, "utf8").catch(() => null)
  if (now === text) await unlink(pidFile).catch(() => undefined)
}

function stateOf(pid: number): "gone" | "ours" | "another user's" {
  try {
    process.kill(pid, 0)
    return "ours"
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "another user's" : "gone"
  }
}

/** Checks the process's working directory, since the pid may by now belong to another program. */
async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  const program = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => null)
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  const realFolder = await realpath(folder).catch(() => folder)
  if (program?.trim() === "postgres" && workingFolder === realFolder) return true
  return isStartedFor(pid, folder)
}

async function isStartedFor(pid: number, folder: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => commandOf(pid))
  return command.replaceAll("\0", " ").includes(`/postgres -D ${folder} `)
}

/** For systems without /proc. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === "linux") return ""
  const { stdout } = await execute("ps", ["-ww", "-o", "command=", "-p", String(pid)]).catch(() => ({ stdout: "" }))
  return stdout
}

/** Fast shutdown first, then an immediate one (the next start recovers), and SIGKILL as the last resort. */
export async function stopPostmaster(pid: number, folder: string): Promise<void> {
  const begin = Date.now()
  const steps: { afterMs: number; signal: NodeJS.Signals }[] = [
    { afterMs: 0, signal: "SIGINT" },
    { afterMs: fastShutdownMs, signal: "SIGQUIT" },
    { afterMs: immediateShutdownMs, signal: "SIGKILL" },
  ]
  while (await isRunning(pid, folder)) {
    if (steps[0] !== undefined && Date.now() - begin >= steps[0].afterMs) {
      sendSignal(pid, steps[0].signal)
      steps.shift()
    }
    await sleep(20)
  }
}

export async function isRunning(pid: number, folder: string): Promise<boolean> {
  return stateOf(pid) === "ours" && (await isPostmasterOf(pid, folder))
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It exited between the check and the signal, which is fine.
  }
}

/** Stays below the ephemeral ports: a retrying client can otherwise connect to itself and keep the port. */
export async function pickFreePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}
