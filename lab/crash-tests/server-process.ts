import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { watchOver } from "../../server/test-support/postgres-watchdog.ts"
import { compileCache } from "../../server/test-support/run-program.ts"
import { secretKeyText } from "../../server/test-support/secret-keys.ts"
import { guardProcesses } from "./process-guard.ts"

export const repositoryFolder = fileURLToPath(new URL("../..", import.meta.url))
/** An upgrade beside servers at work waits for tables that are in use, and the machine may be busy. */
const readyWithinMs = 4 * 60_000
/** The environment of `npm start`. */
const npmStart = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072", ...compileCache }

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

/** One of our programs in a process of its own. */
interface OwnProcess {
  pid: number
  exited: Promise<Ended>
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Signals the whole process group, like Ctrl+C on a terminal. */
  killGroup(signal: NodeJS.Signals): void
}

export interface ServerProcess extends OwnProcess {
  url: string
  dataDir: string
  readyMs: number
}

export interface StartOptions {
  dataDir: string
  env?: Record<string, string>
  /** The script of `npm start` by default; another one of the repository, or of another copy by its whole path. */
  script?: string
  /** A file for the log instead of memory, for verbose runs. */
  logFile?: string
}

/** A folder and every process started in it; all are gone when it closes, or when the test run dies. */
export interface Workshop {
  newFolder(): Promise<string>
  run(script: string, env: Record<string, string>, args?: readonly string[]): OwnProcess
  startServer(options: StartOptions): Promise<ServerProcess>
  /** Runs `npm run verify`; returns its exit code and output. */
  verify(options: StartOptions): Promise<{ code: number | null; output: string }>
  close(): Promise<void>
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-crash-"))
  const watchdog = watchOver(folder)
  const guard = guardProcesses()
  const running = new Map<number, OwnProcess>()

  function run(
    script: string,
    env: Record<string, string>,
    args: readonly string[] = [],
    logFile?: string,
  ): OwnProcess {
    const started = runNode(script, { PATH: process.env.PATH ?? "", HOME: folder, ...env }, args, logFile)
    running.set(started.pid, started)
    guard.add(started.pid)
    void started.exited.then(() => {
      running.delete(started.pid)
      guard.remove(started.pid)
    })
    return started
  }

  async function startServer({
    dataDir,
    env = {},
    script = "server/src/main.ts",
    logFile,
  }: StartOptions): Promise<ServerProcess> {
    await ensureWebIsBuilt()
    const begin = performance.now()
    // Servers that share a database share it.
    const shared = env.DATABASE_URL === undefined ? {} : { SECRETS_KEY: secretKeyText }
    const server = run(script, { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn", ...shared, ...env }, [], logFile)
    const url = await untilAnnounced(server, /^Tilinta pronta em (http:\S+)$/m)
    return { ...server, url, dataDir, readyMs: Math.round(performance.now() - begin) }
  }

  async function verify({ dataDir, env = {} }: StartOptions) {
    const verification = run("server/src/commands/verify.ts", { DATA_DIR: dataDir, ...env })
    const { code } = await verification.exited
    // Its progress goes to stderr, too: that is of interest where it could not verify anything.
    return { code, output: verification.stdout() + (code === 0 || code === 1 ? "" : verification.stderr()) }
  }

  async function close(): Promise<void> {
    const left = [...running.values()]
    for (const each of left) each.kill("SIGKILL")
    await Promise.all(left.map((each) => each.exited))
    guard.release()
    watchdog.release()
  }

  return { newFolder: () => mkdtemp(join(folder, "data-")), run, startServer, verify, close }
}

function runNode(
  script: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  logFile?: string,
): OwnProcess {
  const log = logFile === undefined ? null : openSync(logFile, "a")
  const child = spawn(process.execPath, [resolve(repositoryFolder, script), ...args], {
    cwd: repositoryFolder,
    env: { ...npmStart, ...env },
    detached: true,
    stdio: ["ignore", log ?? "pipe", "pipe"],
  })
  if (log !== null) closeSync(log)
  const exited = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) => resolve({ code, signal }))
  })
  const pid = child.pid ?? 0
  return {
    pid,
    exited,
    stdout: logFile === undefined ? collect(child.stdout) : () => readFileSync(logFile, "utf8"),
    stderr: collect(child.stderr),
    kill: (signal) => void child.kill(signal),
    killGroup: (signal) => void (pid > 1 && process.kill(-pid, signal)),
  }
}

function collect(stream: ChildProcess["stdout"]): () => string {
  let text = ""
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
  })
  return () => text
}

/** The address in the line that announces readiness. */
export async function untilAnnounced(started: OwnProcess, line: RegExp): Promise<string> {
  let ended: Ended | undefined
  void started.exited.then((how) => {
    ended = how
  })
  const giveUpAt = Date.now() + readyWithinMs
  for (;;) {
    const found = line.exec(started.stdout())?.[1]
    if (found !== undefined) return found
    if (ended !== undefined || Date.now() > giveUpAt) {
      // Else it would get ready later, and keep its port from whoever is started in its place.
      started.kill("SIGKILL")
      const how = ended === undefined ? "its time was over" : `it ended with ${ended.code ?? ended.signal}`
      throw new Error(`it did not get ready, ${how}:\n${started.stdout()}\n${started.stderr()}`)
    }
    await sleep(5)
  }
}

let webIsBuilt: Promise<void> | undefined

/** Builds only when no build exists; its freshness doesn't matter to these tests. */
function ensureWebIsBuilt(): Promise<void> {
  webIsBuilt ??= buildMissingWeb()
  return webIsBuilt
}

async function buildMissingWeb(): Promise<void> {
  const isBuilt = () =>
    ["app/index.html", "checkout/render.js"].every((file) => existsSync(join(repositoryFolder, "web/dist", file)))
  if (isBuilt()) return
  const build = runNode("web/build.ts", { PATH: process.env.PATH ?? "" })
  await build.exited
  if (!isBuilt()) throw new Error(`web/dist could not be built:\n${build.stderr()}`)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
