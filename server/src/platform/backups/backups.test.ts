import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { type BackupMaker, backupName, createBackupMaker } from "./make.ts"
import { backUpDaily, readBackupState } from "./request.ts"

let database: TestDatabase
let folder: string
let now: Date
let write: (path: string) => Promise<number>
const alarms: unknown[] = []
const plan = { isElsewhere: false, isEncrypted: false, isExposed: false, isRealMoney: false }
const clock = { now: () => now }
const log = Object.assign(createLog("silent"), {
  error: (facts: { alarm?: string }) => void alarms.push(facts.alarm),
})

beforeEach(async () => {
  database = await createTestDatabase()
  folder = join(await mkdtemp(join(tmpdir(), "tilinta-backups-")), "new")
  now = new Date("2026-11-21T12:00:00Z")
  write = (path) => writeFile(path, "backup").then(() => 6)
  alarms.length = 0
})

afterEach(async () => {
  await database.drop()
  await rm(dirname(folder), { recursive: true, force: true })
})

function makerOf(where: string | null = folder): BackupMaker {
  const writeNow = (path: string) => write(path)
  return createBackupMaker({
    ...{ url: database.url, db: database.db, clock, log, plan: { ...plan, folder: where } },
    write: writeNow,
  })
}

async function daily(maker: BackupMaker): Promise<void> {
  await backUpDaily({ db: database.db, clock, log, backupMaker: maker })
  await maker.idle()
}

async function at(maker: BackupMaker, iso: string): Promise<number> {
  now = new Date(iso)
  await daily(maker)
  return (await readdir(folder)).length
}

test("one is made a day, from two in the morning on, whatever server makes it", async () => {
  const [one, other] = [makerOf(), makerOf()]
  await Promise.all([daily(one), daily(other)])
  expect(await readdir(folder)).toEqual([backupName(now)])
  expect(await at(one, "2026-11-21T23:00:00Z")).toBe(1)
  expect(await at(other, "2026-11-22T04:59:00Z")).toBe(1)
  expect(await at(one, "2026-11-22T05:01:00Z")).toBe(2)
  expect(alarms).toEqual([])
})

test("one that fails leaves its reason and no file, and is tried again an hour later", async () => {
  const maker = makerOf()
  write = async (path) => {
    await writeFile(`${path}.unfinished`, "half")
    throw new Error("no space")
  }
  expect(await at(maker, "2026-11-21T12:00:00Z")).toBe(0)
  expect(await readBackupState(database.db)).toMatchObject({
    isRunning: false,
    last: { error: "no space" },
    done: null,
  })
  write = (path) => writeFile(path, "backup").then(() => 6)
  expect(await at(maker, "2026-11-21T12:59:00Z")).toBe(0)
  expect(await at(maker, "2026-11-21T13:01:00Z")).toBe(1)
  expect(alarms).toEqual(["backup_failed"])
})

test("a last one of more than 36 hours is an alarm, and old files go once a new one is whole", async () => {
  const maker = makerOf()
  await at(maker, "2026-01-02T12:00:00Z")
  await at(maker, "2026-01-03T12:00:00Z")
  write = async () => {
    throw new Error("no space")
  }
  expect(await at(maker, "2026-11-21T12:00:00Z")).toBe(2)
  expect(alarms).toEqual(["backup_too_old", "backup_failed"])
  write = (path) => writeFile(path, "backup").then(() => 6)
  expect(await at(maker, "2026-11-21T14:00:00Z")).toBe(3)
  expect(await at(maker, "2026-11-22T14:00:00Z")).toBe(4)
})

test("what hard kills left is deleted before the next one is written, and what is still being written stays", async () => {
  const at = (iso: string) => `${backupName(new Date(iso))}.unfinished`
  const [killed, writing, foreign] = [at("2026-11-20T05:00:00Z"), at("2026-11-21T11:59:00Z"), "x.backup.unfinished"]
  await mkdir(folder)
  for (const [file, changedAt] of [
    [killed, "2026-11-20T05:03:00Z"],
    [writing, "2026-11-21T11:59:30Z"],
    [foreign, "2026-01-01T00:00:00Z"],
  ] as const) {
    await writeFile(join(folder, file), "half")
    await utimes(join(folder, file), new Date(changedAt), new Date(changedAt))
  }
  let there: string[] = []
  write = async () => {
    there = await readdir(folder)
    throw new Error("no space")
  }
  await daily(makerOf())
  expect(there.toSorted()).toEqual([writing, foreign].toSorted())
})

test("two are never made at once, by whichever servers", async () => {
  let finish = () => undefined as void
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  write = (path) => finished.then(() => writeFile(path, "backup")).then(() => 6)
  const makers = [makerOf(), makerOf(), makerOf()]
  const outcomes = await Promise.all(makers.map((maker) => maker.start(null)))
  expect(outcomes.sort()).toEqual(["running", "running", "started"])
  finish()
  await Promise.all(makers.map((maker) => maker.idle()))
  expect(await readdir(folder)).toHaveLength(1)
})

test("without a folder none is made, and none is missed", async () => {
  const maker = makerOf(null)
  await daily(maker)
  expect(await maker.start(null)).toBe("off")
  expect([existsSync(folder), alarms]).toEqual([false, []])
})

test("a server that stops ends its backup, which nobody takes for a failure", async () => {
  let begun = () => undefined as void
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const maker = createBackupMaker({
    ...{ url: database.url, db: database.db, clock, log, plan: { ...plan, folder } },
    write: (_path, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("ended")))
        begun()
      }),
  })
  await maker.start(null)
  await hasBegun
  expect(await readBackupState(database.db)).toMatchObject({ isRunning: true })
  await maker.stop()
  expect(await readBackupState(database.db)).toMatchObject({
    isRunning: false,
    last: { error: null, finishedAt: null },
  })
  expect(alarms).toEqual([])
})
