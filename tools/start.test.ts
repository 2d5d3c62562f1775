import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { repositoryFolder } from "./run-tool.ts"

let dataDir: string
let npm: ChildProcess

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tilinta-start-"))
})

afterEach(async () => {
  npm.kill("SIGTERM")
  await exitCode()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

test("SIGTERM to npm alone, as a process manager sends it, stops the server and its database", async () => {
  const url = await startServer()
  npm.kill("SIGTERM")
  expect(await exitCode()).toBe(0)
  await expectNothingLeft(url)
}, 90_000)

test("Ctrl+C reaches everybody at once, and twice does no harm", async () => {
  const url = await startServer()
  sendToGroup("SIGINT")
  sendToGroup("SIGINT")
  expect(await exitCode()).toBe(0)
  await expectNothingLeft(url)
}, 90_000)

async function startServer(): Promise<string> {
  const { DATABASE_URL: _database, PUBLIC_URL: _url, ...environment } = process.env
  const env = { ...environment, DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error" }
  npm = spawn("npm", ["start"], { cwd: repositoryFolder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const url = await announcedUrl()
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  return url
}

function announcedUrl(): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ""
    const read = (text: string) => {
      output += text
      const url = /^Tilinta, versão \d+\.\d+\.\d+\nTilinta pronta em (http:\S+)/m.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    npm.stdout?.setEncoding("utf8").on("data", read)
    npm.stderr?.setEncoding("utf8").on("data", read)
    npm.once("exit", () => reject(new Error(`npm start ended: ${output}`)))
  })
}

async function exitCode(): Promise<number | null> {
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, "exit")
  return npm.exitCode
}

async function expectNothingLeft(url: string): Promise<void> {
  await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed")
  expect(() => process.kill(-(npm.pid ?? 0), 0)).toThrow("ESRCH")
}

function sendToGroup(signal: NodeJS.Signals): void {
  try {
    process.kill(-(npm.pid ?? 0), signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}
