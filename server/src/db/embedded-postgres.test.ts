import { type ChildProcess, execFile, spawn } from "node:child_process"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import { watchOver } from "../../test-support/postgres-watchdog.ts"
import { compileCache } from "../../test-support/run-program.ts"
import { connectEmbedded, type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts"
import { createPool } from "./pools.ts"
import { choosePostgresIdentity, findPostgresBinaries } from "./postgres-program.ts"
import { findPostmaster, stopPostmaster } from "./postmaster.ts"

const log = createLog("silent")
const serverFile = fileURLToPath(new URL("../../test-support/embedded-server.ts", import.meta.url))

let workshop: string
let watchdog: ReturnType<typeof watchOver>
let seed: string
let home: string
let dataDir: string
let open: { stop(): Promise<void> }[]
let children: ChildProcess[]

beforeAll(async () => {
  workshop = await mkdtemp(join(tmpdir(), "tilinta-embedded-"))
  watchdog = watchOver(workshop)
  seed = join(workshop, "seed")
  await (await startEmbeddedPostgres({ dataDir: seed, log, isDurable: false })).stop()
})

afterAll(() => {
  watchdog.release()
})

beforeEach(async () => {
  home = await mkdtemp(join(workshop, "home-"))
  dataDir = join(home, "data")
  open = []
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL")
  await Promise.all(open.map((postgres) => postgres.stop()))
  const folder = join(dataDir, "postgres")
  const leftOver = await findPostmaster(folder)
  if (leftOver !== null) await stopPostmaster(leftOver.pid, folder)
})

/** Copies a data folder that a server has used before, which is quicker than initialising one. */
async function useSeed(): Promise<void> {
  await promisify(execFile)("cp", ["-R", seed, dataDir])
}

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log, isDurable: false })
  open.push(postgres)
  return postgres
}

/** Starts another process; its first line is the database's address, or the reason why it could not start. */
async function startElsewhere(): Promise<{ child: ChildProcess; firstLine: string }> {
  const env = { ...process.env, ...compileCache }
  const child = spawn(process.execPath, [serverFile, dataDir], { env, stdio: ["pipe", "pipe", "inherit"] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  const [firstLine] = await new Promise<[string]>((resolve) => lines.once("line", (line) => resolve([line])))
  return { child, firstLine }
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  const { rows } = await client.query<Row>(sql).finally(() => client.end())
  return rows
}

async function readPid(): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0])
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (isAlive(pid)) {
    if (Date.now() > giveUpAt) throw new Error(`process ${pid} is still there`)
    await sleep(20)
  }
}

async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === 100) throw error
      await sleep(100)
    }
  }
}

function exit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)))
}

async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartError)
  const { message } = error as StartError
  expect(message).not.toContain("\n")
  return message
}

describe("the embedded database", () => {
  test("starts in a folder closed to everybody else, keeps its data over a restart, and leaves no process behind", async () => {
    expect((await stat(home)).mode & 0o777).toBe(0o700)
    const first = await start()
    await query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer")
    const pid = await readPid()
    await first.stop()
    expect(isAlive(pid)).toBe(false)

    const second = await start()
    expect(await query(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }])
    expect((await stat(join(dataDir, "postgres-password"))).mode & 0o777).toBe(0o600)
  })

  test("is safe against power cuts unless it is meant to be thrown away, and listens on this machine only", async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    open.push(postgres)
    const names = ["fsync", "synchronous_commit", "full_page_writes", "listen_addresses", "data_checksums", "TimeZone"]
    const [row] = await query(
      postgres.url,
      `SELECT ${names.map((name) => `current_setting('${name}') AS "${name}"`).join(", ")}, current_setting('server_encoding') AS encoding`,
    )
    expect(row).toEqual({
      ...{ fsync: "on", synchronous_commit: "on", full_page_writes: "on", listen_addresses: "127.0.0.1" },
      ...{ data_checksums: "on", TimeZone: "UTC", encoding: "UTF8" },
    })
  })

  test("never writes statements or rows to its log", async () => {
    await useSeed()
    const { url } = await start()
    await query(url, "CREATE TABLE people (email text UNIQUE, age int)")
    await query(url, "INSERT INTO people VALUES ('ana@loja.com.br', 1)")
    await expect(query(url, "INSERT INTO people VALUES ('ana@loja.com.br', 1)")).rejects.toThrow("duplicate key")
    await expect(query(url, "SELECT 'ana@loja.com.br'::int")).rejects.toThrow("invalid input")
    const written = await readFile(join(dataDir, "postgres.log"), "utf8")
    expect(written).toContain("ready to accept connections")
    expect(written).not.toContain("ana@")
  })

  test("a log of more than 10 MB is put aside at start", async () => {
    await useSeed()
    await writeFile(join(dataDir, "postgres.log"), Buffer.alloc(10 * 1024 * 1024 + 1, "x"))
    await start()
    expect((await stat(join(dataDir, "postgres.log"))).size).toBeLessThan(100_000)
    expect((await stat(join(dataDir, "postgres.log.1"))).size).toBeGreaterThan(10 * 1024 * 1024)
  })

  test("an initialisation that was cut off is done again", async () => {
    const unfinished = join(dataDir, "postgres-unfinished-abc123")
    await mkdir(join(unfinished, "cluster"), { recursive: true })
    await writeFile(join(unfinished, "cluster", "PG_VERSION"), "18\n")
    await utimes(unfinished, new Date(0), new Date(0))
    await mkdir(join(dataDir, "postgres"))

    const { url } = await start()
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }])
    expect((await readdir(dataDir)).filter((name) => name.includes("unfinished"))).toEqual([])
  })
})

describe.runIf(process.getuid?.() === 0)("root without user namespaces", () => {
  const withoutNamespaces = { log, isDurable: false, userNamespaces: false }

  async function startWithout(): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir, ...withoutNamespaces })
    open.push(postgres)
    return postgres
  }

  test("starts, comes back after a crash, stops and starts again in a folder that stays closed to everybody else", async () => {
    const first = await startWithout()
    await query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer")
    const killed = await readPid()
    process.kill(killed, "SIGKILL")
    await untilGone(killed)
    expect(await eventually(() => query(first.url, "SELECT answer FROM kept"))).toEqual([{ answer: 42 }])
    const pid = await readPid()
    expect(await readFile(`/proc/${pid}/status`, "utf8")).not.toMatch(/^Uid:.*\b0\b/m)
    await first.stop()
    expect(isAlive(pid)).toBe(false)

    for (let round = 0; round < 2; round += 1) {
      const again = await startWithout()
      expect(await query(again.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }])
      await again.stop()
    }
    for (const folder of [home, dataDir]) expect(await stat(folder)).toMatchObject({ uid: 0, mode: 0o40700 })
    expect((await stat(join(dataDir, "postgres"))).mode & 0o777).toBe(0o700)
  })

  test("a folder of a start with namespaces serves without them, and the other way round", async () => {
    await useSeed()
    await query((await startWithout()).url, "CREATE TABLE kept AS SELECT 42 AS answer")
    await open.pop()?.stop()
    await chmod(dataDir, 0o711)
    expect(await query((await start()).url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }])
  })

  test("the program may lie below a folder that is closed to everybody else", async () => {
    const { postgres } = await findPostgresBinaries()
    await promisify(execFile)("cp", ["-R", dirname(dirname(postgres)), join(home, "native")])
    const binaries = { postgres: join(home, "native/bin/postgres"), initdb: join(home, "native/bin/initdb") }
    const { prefix } = await choosePostgresIdentity(binaries, { userNamespaces: false })
    expect(prefix[0]).toBe("setpriv")
  })
})

describe("after a crash", () => {
  test("the database of a killed server is taken over, with its data, and stopped in the end", async () => {
    await useSeed()
    const { child, firstLine } = await startElsewhere()
    await query(firstLine, "CREATE TABLE kept AS SELECT 42 AS answer")
    const pid = await readPid()
    child.kill("SIGKILL")
    await exit(child)
    expect(isAlive(pid)).toBe(true)

    const heir = await start()
    expect(await readPid()).toBe(pid)
    expect(await query(heir.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }])
    await heir.stop()
    await untilGone(pid)
  })

  test("a database that is killed under the server comes back on the same port", async () => {
    await useSeed()
    const { url } = await start()
    const pool = createPool({ url, max: 2, applicationName: "test" })
    try {
      await query(
        url,
        "CREATE ROLE tilinta_app; CREATE TABLE kept AS SELECT 42 AS answer; GRANT SELECT ON kept TO tilinta_app",
      )
      for (let round = 0; round < 2; round += 1) {
        const pid = await readPid()
        process.kill(pid, "SIGKILL")
        await untilGone(pid)
        const { rows } = await eventually(() => pool.query("SELECT answer FROM kept"))
        expect(rows).toEqual([{ answer: 42 }])
        expect(await readPid()).not.toBe(pid)
      }
    } finally {
      await pool.end()
    }
  })

  test("one that was taken over is watched as well", async () => {
    await useSeed()
    const { child } = await startElsewhere()
    child.kill("SIGKILL")
    await exit(child)
    const { url } = await start()
    const pid = await readPid()
    process.kill(pid, "SIGKILL")
    await untilGone(pid)
    expect(await eventually(() => query(url, "SELECT 1 AS one"))).toEqual([{ one: 1 }])
  })

  test.each([102, 104, 106])(
    "a stop %i ms into a restart ends, also where the server is held up until the database is back",
    async (ms) => {
      await useSeed()
      const postgres = await start()
      const pid = await readPid()
      process.kill(pid, "SIGKILL")
      await untilGone(pid)
      await sleep(ms)
      const stopping = postgres.stop()
      await sleep(3)
      for (const heldUpUntil = performance.now() + 700; performance.now() < heldUpUntil; );
      await stopping
      const later = await readPid().catch(() => pid)
      expect(isAlive(later)).toBe(false)
    },
  )

  test("a stop in the middle of a restart leaves nothing running", async () => {
    await useSeed()
    const postgres = await start()
    const pid = await readPid()
    process.kill(pid, "SIGKILL")
    await untilGone(pid)
    await sleep(130)
    await postgres.stop()
    const later = await readPid().catch(() => pid)
    expect(isAlive(later)).toBe(false)
  })

  test.each([
    ["names a process that is gone", () => 2 ** 22 - 1],
    ["names another living program", () => process.pid],
    ["is empty", () => null],
  ])("a pid file that %s does not keep the database from starting", async (_name, pidOf) => {
    await useSeed()
    const pidFile = join(dataDir, "postgres", "postmaster.pid")
    const pid = pidOf()
    const lines = [pid, join(dataDir, "postgres"), 1_700_000_000, 15_432, "", "127.0.0.1", "  1 2", "ready   ", ""]
    await writeFile(pidFile, pid === null ? "" : lines.join("\n"), { mode: 0o600 })
    await utimes(pidFile, new Date(0), new Date(0))

    const { url } = await start()
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }])
    expect(await readPid()).not.toBe(pid)
  })
})

describe("two on one DATA_DIR", () => {
  test("the second server ends with one line and leaves the first alone", async () => {
    await useSeed()
    const { url } = await start()
    const { child, firstLine } = await startElsewhere()
    expect(firstLine).toBe(
      `StartError: DATA_DIR (${dataDir}) já está em uso por outro servidor: pare-o ou escolha outra pasta.`,
    )
    expect(await exit(child)).toBe(1)
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }])
  })

  test("of two that start at once on an empty folder exactly one serves", async () => {
    const both = await Promise.all([startElsewhere(), startElsewhere()])
    const served = both.filter(({ firstLine }) => firstLine.startsWith("postgres://"))
    const refused = both.filter(({ firstLine }) => firstLine.includes("já está em uso"))
    expect([served.length, refused.length]).toEqual([1, 1])
    for (const { child, firstLine } of served) {
      expect(await query(firstLine, "SELECT 1 AS one")).toEqual([{ one: 1 }])
      child.kill("SIGTERM")
      expect(await exit(child)).toBe(0)
    }
    await expect(readPid()).rejects.toThrow("ENOENT")
  })

  test("a tool uses the database of a running server and leaves it running", async () => {
    await useSeed()
    const { url } = await start()
    const tool = await connectEmbedded({ dataDir, log, isDurable: false })
    expect(tool.url).toBe(url)
    await tool.stop()
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }])
  })

  test("a tool alone starts the database and stops it, unless a server came to use it", async () => {
    await useSeed()
    const alone = await connectEmbedded({ dataDir, log, isDurable: false })
    expect(await query(alone.url, "SELECT 1 AS one")).toEqual([{ one: 1 }])
    const pid = await readPid()
    await alone.stop()
    expect(isAlive(pid)).toBe(false)

    const tool = await connectEmbedded({ dataDir, log, isDurable: false })
    const server = await start()
    await tool.stop()
    expect(await query(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }])
  })
})

describe("a DATA_DIR that cannot be used ends the start with one line that names it", () => {
  test("a file stands in its place", async () => {
    await writeFile(dataDir, "")
    expect(await refusalOf(start())).toBe(`DATA_DIR (${dataDir}) não pode ser usada: o caminho não é uma pasta.`)
  })

  test("a file stands in the place of a folder above it", async () => {
    await writeFile(dataDir, "")
    expect(await refusalOf(start(join(dataDir, "below")))).toContain("o caminho não é uma pasta")
  })

  test("the system takes no files there", async () => {
    expect(await refusalOf(start("/proc/tilinta"))).toMatch(/^DATA_DIR \(\/proc\/tilinta\) não pode ser usada: /)
  })

  test("its database is of another PostgreSQL version", async () => {
    await mkdir(join(dataDir, "postgres"), { recursive: true })
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n")
    await writeFile(join(dataDir, "postgres-password"), "x")
    expect(await refusalOf(start())).toContain("contém um banco do PostgreSQL 17")
  })

  test("the database's password is missing", async () => {
    await useSeed()
    await rm(join(dataDir, "postgres-password"))
    expect(await refusalOf(start())).toContain("postgres-password")
  })
})
