import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findFreePort } from "../../server/test-support/free-port.ts"
import { compileCache } from "../../server/test-support/run-program.ts"
import { admin } from "./api.ts"
import { watchInstallation } from "./installation-watchdog.ts"

const repositoryFolder = fileURLToPath(new URL("../..", import.meta.url))
const readyWithinMs = 240_000
const stopWithinMs = 12_000

/** The product as an operator runs it: one process and one data folder, both gone after the test. */
export interface Installation {
  url: string
  dataDir: string
  /** Returns what it printed until it was ready. */
  start(): Promise<string>
  /** Sends SIGINT and returns the exit code. */
  stop(): Promise<number | null>
  remove(): Promise<void>
}

/** The address survives restarts, because a browser's session belongs to it. `env` adds to the operator's variables. */
export async function createInstallation(env: Record<string, string> = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-e2e-"))
  const watchdog = watchInstallation(folder)
  const port = await findFreePort()
  const dataDir = join(folder, "data")
  let server: ChildProcess | null = null

  async function start(): Promise<string> {
    server = spawnServer(port, { ...env, DATA_DIR: dataDir })
    await writeFile(join(folder, "server.pid"), String(server.pid))
    return untilReady(server)
  }

  async function stop(): Promise<number | null> {
    const stopping = server
    server = null
    if (stopping === null) return null
    if (stopping.exitCode === null && stopping.signalCode === null) {
      const ended = once(stopping, "exit")
      const late = setTimeout(() => stopping.kill("SIGKILL"), stopWithinMs)
      stopping.kill("SIGINT")
      await ended
      clearTimeout(late)
    }
    await rm(join(folder, "server.pid"), { force: true })
    return stopping.exitCode
  }

  async function remove(): Promise<void> {
    await stop()
    await watchdog.release()
  }

  return { url: `http://localhost:${port}`, dataDir, start, stop, remove }
}

function spawnServer(port: number, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ["--import", "./server/test-support/patient-queues.ts", "server/src/main.ts"], {
    cwd: repositoryFolder,
    env: {
      PATH: process.env["PATH"],
      ...compileCache,
      HOME: process.env["HOME"],
      PORT: String(port),
      LOG_LEVEL: "warn",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...env,
    },
    // Ctrl+C reaches a terminal's whole process group, but only the tests may stop this server.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
}

async function untilReady(server: ChildProcess): Promise<string> {
  let output = ""
  await new Promise<void>((resolve, reject) => {
    const giveUp = (reason: string) => reject(new Error(`the server ${reason}:\n${output}`))
    const late = setTimeout(() => giveUp("did not get ready"), readyWithinMs)
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (!output.includes("Tilinta pronta")) return
      clearTimeout(late)
      resolve()
    }
    server.stdout?.on("data", hear)
    server.stderr?.on("data", hear)
    server.once("exit", () => giveUp("ended"))
    server.once("error", (error) => giveUp(error.message))
  })
  return output
}
