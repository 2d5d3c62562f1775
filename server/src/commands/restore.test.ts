import { randomBytes } from "node:crypto"
import { readFileSync, truncateSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { readBackupFile, writeBackupFile } from "#db/backup/backup-file"
import { type LoadedBackup, loadBackup } from "#db/backup/load-backup"
import { takeBackup } from "#db/backup/take-backup"
import { createPool } from "#db/pools"
import { createDb, type SoleDb } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { createCheckpointCopy } from "#money/chain/copy"
import { ensureSigningKeys, openSigningKeys } from "#money/chain/keys"
import { readHead } from "#money/chain/reads"
import { publishCheckpoint } from "#money/chain/seal"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import { verifyBooks, verifyingPool } from "#overviews/ledger-checks/check"
import { notifyOfSetting } from "#platform/mails/notify-owner"
import { changeSetting } from "#platform/settings/manage"
import { createChargeSteps } from "#selling/charges/open"
import { readEnv } from "#start/env"
import { backUpBeforeUpgrade } from "#start/storage"
import { tamper } from "../../test-support/as-owner.ts"
import { administer, createEmptyDatabase, type EmptyDatabase } from "../../test-support/empty-database.ts"
import { openPaidCharge } from "../../test-support/paid-charges.ts"
import { openPayoutDesk, type PayoutDesk } from "../../test-support/payout-desk.ts"
import { readCatalog } from "../../test-support/read-catalog.ts"
import { sealAll } from "../../test-support/seal-all.ts"
import { secretKeys } from "../../test-support/secret-keys.ts"
import { testSizes } from "../../test-support/test-sizes.ts"
import { checkRestored, suspendAfterRestore } from "./check-restored.ts"

const log = createLog("silent")

const keyFile = Buffer.from(`${secretKeys()[0].key.toString("base64")}\n`)

let desk: PayoutDesk
let target: EmptyDatabase
let folder: string
let pool: ReturnType<typeof createPool> | null

beforeEach(async () => {
  desk = await openPayoutDesk()
  target = await createEmptyDatabase()
  folder = await mkdtemp(join(tmpdir(), "tilinta-backup-"))
  pool = null
})

afterEach(async () => {
  await pool?.end()
  await target.drop()
  await desk.close()
  await rm(folder, { recursive: true })
})

async function backUp(name = "one"): Promise<string> {
  const path = join(folder, name)
  const records = takeBackup({ ownerUrl: desk.sandbox.url, log, version: "test", secrets: keyFile })
  await writeBackupFile(path, null, records)
  return path
}

function load(path: string): Promise<LoadedBackup> {
  return loadInto(target.url, path)
}

function loadInto(ownerUrl: string, path: string): Promise<LoadedBackup> {
  return loadBackup({ ownerUrl, log, records: readBackupFile(path, null), beforeCommit: suspendAfterRestore })
}

async function restored(path: string): Promise<SoleDb> {
  await load(path)
  pool = createPool({ url: target.url, max: 4, applicationName: "tilinta-test" })
  return createDb(pool)
}

describe("a restored database", () => {
  test("has the schema, the rows and the books of its backup", async () => {
    const paid = await openPaidCharge(desk.sandbox)
    await desk.request(1_000)
    const loaded = await load(await backUp())
    expect(loaded).toMatchObject({ secrets: keyFile, about: { version: "test" } })
    expect(await readCatalog(target.owner)).toEqual(await catalogOf(desk.sandbox.url))
    pool = createPool({ url: target.url, max: 4, applicationName: "tilinta-test" })
    const db = createDb(pool)
    const { differences, postings } = await verifyBooks(db)
    expect({ differences, hasPostings: postings > 0 }).toEqual({ differences: [], hasPostings: true })
    expect(await chargesOf(db, paid.sellerId)).toEqual(await chargesOf(desk.sandbox.db, paid.sellerId))
  })

  test("needs an owner, and no superuser", async () => {
    const path = await backUp()
    const [user, name] = [`owner_${randomBytes(4).toString("hex")}`, new URL(target.url).pathname.slice(1)]
    await administer(
      `create role ${user} login createrole password 'x1'`,
      `grant tilinta_app to ${user} with admin true, set false`,
      `alter database ${name} owner to ${user}`,
    )
    try {
      const ownerUrl = Object.assign(new URL(target.url), { username: user, password: "x1" }).toString()
      await loadInto(ownerUrl, path)
      const { rows } = await target.owner.query("select count(*)::int as charges from charges")
      expect(rows).toEqual([{ charges: 1 }])
    } finally {
      await target.owner.query(`reassign owned by ${user} to current_user; drop owned by ${user}`)
      await administer(`alter database ${name} owner to current_user`, `drop owned by ${user}`, `drop role ${user}`)
    }
  })

  test("goes on with ids of its own, takes no session over, and suspends withdrawals", async () => {
    await desk.sandbox.db
      .insertInto("sessions")
      .values({ id: newId(), token_hash: Buffer.alloc(32), user_id: desk.sellerId, expires_at: new Date(), mac: "" })
      .execute()
    const db = await restored(await backUp())
    expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([])
    const setting = db.selectFrom("settings").select("value").where("key", "=", "WITHDRAWALS_ENABLED")
    expect(await setting.executeTakeFirst()).toEqual({ value: false })
    const records = db.selectFrom("audit_records").select("action").where("entity_id", "=", "WITHDRAWALS_ENABLED")
    expect(await records.execute()).toHaveLength(1)
    // Books a payment behind those of the backup, whose transaction ids this database has yet to reach.
    await openPaidCharge({ ...desk.sandbox, db, chargeSteps: createChargeSteps(db) }, { sellerId: desk.sellerId })
    expect((await verifyBooks(db)).differences).toEqual([])
  })

  test("is never seen with withdrawals on, not even at the moment of its commit", async () => {
    const path = await backUp()
    const seen = new Set<unknown>()
    let isOver = false
    const loading = load(path).finally(() => {
      isOver = true
    })
    while (!isOver) for (const value of await seenSetting()) seen.add(value)
    await loading
    expect([...seen]).toEqual([false])
  })

  /** Empty as long as nothing is committed; `on` stands for no row at all, the setting's default. */
  async function seenSetting(): Promise<unknown[]> {
    const { rows: tables } = await target.owner.query("select where to_regclass('settings') is not null")
    if (tables.length === 0) return []
    const { rows } = await target.owner.query<{ value: unknown }>(
      "select coalesce((select value from settings where key = 'WITHDRAWALS_ENABLED'), '\"on\"'::jsonb) as value",
    )
    return rows.map(({ value }) => value)
  }

  test("has a clean chain where the backup's transaction ids are ahead of this PostgreSQL's", async () => {
    await openPaidCharge(desk.sandbox)
    await sealAll(desk.sandbox.db)
    const { until } = await readHead(desk.sandbox.db)
    await tamper(desk.sandbox, "update chain_head set until = '900000000000'")
    const db = await restored(await backUp())
    await tamper(desk.sandbox, `update chain_head set until = '${until}'`)
    expect((await verifyBooks(db)).differences).toEqual([])
  })

  test("is filled by one of two restores at once, and the other is refused", async () => {
    const path = await backUp()
    const outcomes = await Promise.allSettled([load(path), load(path)])
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []))
    expect(refused).toEqual([expect.stringContaining("já tem tabelas")])
    const { rows } = await target.owner.query("select count(*)::int as charges from charges")
    expect(rows).toEqual([{ charges: 1 }])
  })

  test("is empty as before when the last step of its transaction fails", async () => {
    const path = await backUp()
    const beforeCommit = () => Promise.reject(new Error("planted"))
    const failing = loadBackup({ ownerUrl: target.url, log, records: readBackupFile(path, null), beforeCommit })
    await expect(failing).rejects.toThrow("A restauração falhou, e nada ficou gravado: planted")
    const { rowCount } = await target.owner.query("select from pg_class where relnamespace = 'public'::regnamespace")
    expect(rowCount).toBe(0)
  })

  test("is one moment, however much is booked meanwhile", async () => {
    let isOver = false
    let booked = 0
    const busy = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        await openPaidCharge(desk.sandbox, { sellerId: desk.sellerId })
        booked += 1
      }
    })
    try {
      for (let round = 0; round < testSizes.restores; round += 1) {
        const before = booked
        await expect.poll(() => booked).toBeGreaterThan(before)
        await expectSound(await backUp(`round ${round}`))
      }
    } finally {
      isOver = true
      await Promise.all(busy)
    }
  })

  async function expectSound(path: string): Promise<void> {
    const own = await createEmptyDatabase()
    const reader = createPool({ url: own.url, ...verifyingPool })
    try {
      await loadInto(own.url, path)
      expect((await verifyBooks(createDb(reader))).differences).toEqual([])
    } finally {
      await reader.end()
      await own.drop()
    }
  }
})

async function catalogOf(url: string) {
  const other = createPool({ url, max: 1, applicationName: "tilinta-test" })
  const client = await other.connect()
  try {
    return await readCatalog(client)
  } finally {
    client.release()
    await other.end()
  }
}

function chargesOf(db: SoleDb, sellerId: string) {
  return db.selectFrom("charges").selectAll().where("seller_id", "=", sellerId).orderBy("id").execute()
}

test("before an upgrade the database is copied next to itself, the last two copies stay, and each can be restored", async () => {
  const env = { dataDir: folder, backupKeys: null, secretsKey: null }
  const copies = () => readdir(join(folder, "before-upgrade"))
  // As a start leaves it that is killed while it copies.
  await mkdir(join(folder, "before-upgrade"))
  await writeFile(join(folder, "before-upgrade", "x.backup.unfinished"), "half")
  for (const next of ["0002_a.sql", "0003_b.sql", "0004_c.sql"]) {
    await backUpBeforeUpgrade(env, desk.sandbox.url, log, next)
  }
  const names = (await copies()).toSorted()
  expect(names).toEqual([expect.stringMatching(/-0003_b\.backup$/), expect.stringMatching(/-0004_c\.backup$/)])
  expect((await load(join(folder, "before-upgrade", names[1] ?? ""))).rows).toBeGreaterThan(5)
})

describe("the check of a restored database", () => {
  async function check(changes: Partial<LoadedBackup> = {}): Promise<{ count: number; told: string }> {
    const { sandbox } = desk
    const loaded = { ...(await load(await backUp())), ...changes }
    const lines: string[] = []
    pool = createPool({ url: target.url, max: 4, applicationName: "tilinta-test" })
    const account = { SIMULATOR_URL: sandbox.simulatorUrl, SIMULATOR_RECEIVER_KEY: sandbox.receiverKey }
    const env = readEnv({ DATA_DIR: folder, ...account })
    const count = await checkRestored(env, createDb(pool), loaded, (line) => void lines.push(line))
    return { count, told: lines.join("\n") }
  }

  async function sign(): Promise<void> {
    const deps = { db: desk.sandbox.db, clock: { now: () => new Date() }, secretKeys }
    await ensureSigningKeys(deps)
    await sealAll(desk.sandbox.db)
    const checkpointCopy = createCheckpointCopy({ file: null, url: null, log })
    await publishCheckpoint({
      ...deps,
      log,
      publicUrl: "http://localhost:3000",
      signingKeys: openSigningKeys(deps),
      checkpointCopy,
    })
  }

  test("compares the signatures of its checkpoints by the keys that the backup carries", async () => {
    await sign()
    const { count, told } = await check()
    expect(told).toContain("cada ponto de controle tem a assinatura da plataforma")
    expect(count).toBe(0)
  })

  test("names a checkpoint that somebody else signed", async () => {
    await sign()
    await tamper(
      desk.sandbox,
      "update chain_head set note = regexp_replace(note, '.{20}\\n$', repeat('A', 20) || e'\\n')",
    )
    const { count, told } = await check()
    expect(told).toContain("DIFERENÇA: ponto de controle atual: esperado assinado com a chave da plataforma")
    expect(count).toBe(1)
  })

  test("says that it compared no signature where the keys are neither in the backup nor here", async () => {
    await sign()
    const { count, told } = await check({ secrets: null })
    expect(told).toContain("as assinaturas dos pontos de controle não foram conferidas")
    expect(count).toBe(0)
  })
})

describe("is refused, and leaves the database as it was:", () => {
  test("a file that was cut", async () => {
    const path = await backUp()
    truncateSync(path, readFileSync(path).length - 20)
    await expect(load(path)).rejects.toThrow(/^[^\n]*danificado[^\n]*$/)
    const { rowCount } = await target.owner.query("select from pg_class where relnamespace = 'public'::regnamespace")
    expect(rowCount).toBe(0)
  })

  test("a database with a table", async () => {
    const path = await backUp()
    await target.owner.query("create table somebodys (id int)")
    await expect(load(path)).rejects.toThrow("já tem tabelas (somebodys)")
  })
})

describe("money that left after the backup", () => {
  const later: Clock = { now: () => secondsAfter(new Date(), 600) }

  function askFor(sandbox: PayoutDesk["sandbox"], cents: number): Promise<unknown> {
    return requestWithdrawal(sandbox, {
      seller: { id: desk.sellerId, address: null },
      amountCents: cents as Cents,
      destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
      idempotencyKey: null,
    })
  }

  async function sent(): Promise<number> {
    const answer = await fetch(`${desk.sandbox.simulatorUrl}/simulador/api/envios`)
    const { envios } = (await answer.json()) as { envios: unknown[] }
    return envios.length
  }

  test.each(["approved", "pending"])("isn't sent again when its withdrawal was %s then", async (status) => {
    const id = status === "approved" ? await desk.approved(1_000) : await desk.request(1_000)
    const path = await backUp()
    const admin = { id: desk.adminId, address: null }
    if (status === "pending") await approveWithdrawal(desk.sandbox, { id, admin, adminNotes: "" })
    await sendPayouts(desk.sandbox)
    expect(await desk.rowOf(id)).toMatchObject({ status: "completed" })
    expect(await sent()).toBe(1)

    const there = { ...desk.sandbox, db: await restored(path), clock: later }
    await sendPayouts(there)
    expect(await statusOf(there.db, id)).toBe(status)
    const wanted = { key: "WITHDRAWALS_ENABLED", changes: { value: true } }
    await changeSetting({ ...there, notifyOfSetting }, admin, wanted)
    if (status === "pending") await approveWithdrawal(there, { id, admin, adminNotes: "" })
    await Promise.all([sendPayouts(there), sendPayouts(there)])
    await settlePayouts(there)
    expect(await statusOf(there.db, id)).toBe("completed")
    expect(await sent()).toBe(1)
    expect((await verifyBooks(there.db)).differences).toEqual([])
  })

  test("can't be withdrawn once more while nobody has looked: the backup doesn't know of it", async () => {
    const path = await backUp()
    await desk.approved(8_500)
    await sendPayouts(desk.sandbox)
    const there = { ...desk.sandbox, db: await restored(path) }
    await expect(askFor(there, 8_500)).rejects.toThrow("withdrawals_disabled")
    expect(await sent()).toBe(1)
  })

  test.each(["known to the backup", "unknown to it"])("isn't refunded again: a refund %s", async (how) => {
    const refund = { actor: { id: desk.sellerId, address: null }, origin: "seller", amountCents: null } as const
    const input = { ...refund, chargeId: desk.charge.id, reason: "Produto devolvido", idempotencyKey: null }
    let path = await backUp()
    await requestRefund(desk.sandbox, input)
    if (how === "known to the backup") path = await backUp("two")
    await settleRefunds(desk.sandbox)

    const there = { ...desk.sandbox, db: await restored(path), clock: later }
    await settleRefunds(there)
    await reconcileReceipts(there)
    await expect(requestRefund(there, input)).rejects.toThrow("transaction_not_refundable")
    const { rows } = await target.owner.query("select status, amount_cents::int from refunds")
    expect(rows).toEqual([{ status: "completed", amount_cents: 10_000 }])
    expect((await verifyBooks(there.db)).differences).toEqual([])
  })
})

async function statusOf(db: SoleDb, id: string): Promise<string | undefined> {
  return (await db.selectFrom("withdrawals").select("status").where("id", "=", id).executeTakeFirst())?.status
}
