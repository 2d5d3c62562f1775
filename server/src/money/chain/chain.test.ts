import { openCheckpoint, readVerifierKeys, verifierKey } from "@tilinta/contract/proofs/checkpoint"
import { isConsistent } from "@tilinta/contract/proofs/tree"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { assert, asyncProperty, constantFrom, nat } from "fast-check"
import { type RawBuilder, sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { recordedTables } from "#db/catalog"
import { createPool } from "#db/pools"
import { createDb, type Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { createEntry } from "#money/manual-entries/entries"
import { bookPayments } from "#money/payments/book"
import { requestRefund } from "#money/refunds/request"
import { requestWithdrawal } from "#money/withdrawals/request"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { recordAudit } from "#platform/audit/record"
import { ensureMoneyKind } from "#platform/system/node"
import { createCharge } from "#selling/charges/create"
import { asOwner, tamper } from "../../../test-support/as-owner.ts"
import { createAdmin, createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { sealAll } from "../../../test-support/seal-all.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { isSoak } from "../../../test-support/test-sizes.ts"
import {
  consistentThefts,
  insertBackdated,
  insertNow,
  insertRefund,
  insertWithdrawal,
  pick,
  replaceRow,
  sealedThefts,
} from "../../../test-support/thefts.ts"
import { createCheckpointCopy } from "./copy.ts"
import { ensureSigningKeys, openSigningKeys, rotateSigningKey } from "./keys.ts"
import { readSigned } from "./prove.ts"
import { readHead } from "./reads.ts"
import { mostUnsigned, publishCheckpoint, readCheckpoint, readConsistencyOf, sealRows } from "./seal.ts"
import { type VerifiedChain, verifyChain } from "./verify.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })
const thiefPool = createPool({ url: sandbox.url, max: 1, applicationName: "thief" })
const thief = createDb(thiefPool)
const admin = await createAdmin(sandbox)
for (let block = 0; block < 5; block += 1) {
  await play(admin)
  await sealAll(sandbox.db)
}

afterAll(async () => {
  await thiefPool.end()
  await sandbox.close()
})

/** A little of everything that is sealed. */
async function play(adminId: string): Promise<void> {
  const sellerId = await createSeller(sandbox)
  const seller = { id: sellerId, address: null }
  for (let count = 0; count < 4; count += 1) {
    const page = await createPage(sandbox, { sellerId, reais: 100 })
    const { id, txid } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
    await bookPayments(sandbox, [receiptOf(txid, 10_000)])
    if (count > 0) continue
    const refund = { chargeId: id, amountCents: 4_000 as Cents, reason: "", origin: "seller" } as const
    await requestRefund(sandbox, { ...refund, actor: seller, idempotencyKey: null })
  }
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  const options = { seller, amountCents: 5_000 as Cents, destination, idempotencyKey: null }
  await requestWithdrawal(sandbox, options)
  const entry = { kind: "capital_in", direction: null, amountCents: 700 as Cents, reason: "aporte" } as const
  const rest = { sellerId: null, reference: null, reverses: null, provider: sandbox.psp.name, idempotencyKey: null }
  await createEntry(sandbox, { ...entry, ...rest, admin: { id: adminId, address: null } })
}

async function auditSomething(tx: Tx, userId: string, happenedAt = new Date()): Promise<string> {
  const entry = { actor: { id: userId, address: null }, happenedAt, before: null, after: null } as const
  await recordAudit(tx, { ...entry, action: "session.ended", entity: "user", entityId: userId })
  const own = tx.selectFrom("audit_records").select("id").where("entity_id", "=", userId).orderBy("xid", "desc")
  return (await own.executeTakeFirstOrThrow()).id
}

class Undone extends Error {}

interface Verified extends VerifiedChain {
  /** The number of differences that the balances show. */
  ledger: number
}

/** Looks at what a superuser's statements would leave, and undoes them. */
function verifyAfter(edits: readonly RawBuilder<unknown>[]): Promise<Verified> {
  return undone(edits, async (tx) => {
    return { ...(await verifyChain(tx, { checkpoints: [] })), ledger: (await verifyLedger(tx)).length }
  })
}

/** As `verifyAfter`, and what all other checks find. */
async function verifyAllAfter(edits: readonly RawBuilder<unknown>[]): Promise<string[]> {
  const { differences } = await undone(edits, (tx) => verifyBooks(tx))
  return differences.map(({ what }) => what)
}

async function undone<Result>(
  edits: readonly RawBuilder<unknown>[],
  verified: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let seen: Result | undefined
  const attempt = thief.transaction().execute(async (tx) => {
    await steal(tx, edits)
    seen = await verified(tx)
    throw new Undone()
  })
  await attempt.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  if (seen === undefined) throw new Error("nothing was verified")
  return seen
}

async function steal(tx: Tx, edits: readonly RawBuilder<unknown>[]): Promise<void> {
  await sql`set local role none`.execute(tx)
  await sql`set local session_replication_role = replica`.execute(tx)
  for (const edit of edits) await edit.execute(tx)
}

/** A transaction after all that are sealed. */
async function endedTransaction(): Promise<string> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(sandbox.db)
  return rows[0]?.xid ?? ""
}

async function sealedKeys(): Promise<string[]> {
  const blocks = await sandbox.db.selectFrom("chain_blocks").select("keys").orderBy("number").execute()
  return blocks.flatMap(({ keys }) => keys)
}

/** Keys of the books alone: states and checkpoints are tried out with all other tampering. */
async function sealedBookKeys(): Promise<string[]> {
  return (await sealedKeys()).filter((key) => !/^[cs]:/.test(key))
}

test("what was sealed verifies, as often as it is looked at, and nothing is sealed twice", async () => {
  const keys = await sealedKeys()
  expect(new Set(keys).size).toBe(keys.length)
  expect(new Set(keys.map((key) => key[0]))).toEqual(new Set(["a", "j", "m", "p", "r", "s", "w"]))
  const { blockCount } = await readHead(sandbox.db)
  await sealAll(sandbox.db)
  expect((await readHead(sandbox.db)).blockCount).toBe(blockCount)
  expect(await verifyChain(sandbox.db, { checkpoints: [] })).toEqual({
    blocks: blockCount,
    rows: keys.length,
    differences: [],
  })
})

test("a chain that nobody has signed goes only as far as verify allows", async () => {
  const before = await readHead(sandbox.db)
  await tamper(sandbox, `update chain_head set block_count = ${mostUnsigned}`)
  try {
    const sellerId = await createSeller(sandbox)
    await sandbox.db.transaction().execute((tx) => auditSomething(tx, sellerId))
    await sealRows(sandbox)
    expect(await readHead(sandbox.db)).toMatchObject({ blockCount: mostUnsigned, note: null, until: before.until })
  } finally {
    await tamper(sandbox, `update chain_head set block_count = ${before.blockCount}`)
  }
})

test("servers that seal at once seal each row once, and none that commits late is left out", async () => {
  const sellerId = await createSeller(sandbox)
  const late = sandbox.db.transaction().execute(async (tx) => {
    const first = await auditSomething(tx, sellerId)
    // Others commit with later ids meanwhile, and are sealed no further than the one that is under way.
    const others = await Promise.all(
      [1, 2, 3].map(() => sandbox.db.transaction().execute((other) => auditSomething(other, sellerId))),
    )
    await Promise.all([1, 2, 3].map(() => sealRows(sandbox)))
    return [first, ...others]
  })
  const ids = await late
  await Promise.all([1, 2, 3].map(() => sealAll(sandbox.db)))
  const keys = await sealedKeys()
  for (const id of ids) expect(keys.filter((key) => key === `a:${id}`)).toHaveLength(1)
  expect((await verifyChain(sandbox.db, { checkpoints: [] })).differences).toEqual([])
})

/** A thousand thefts, each followed by a check of everything, take minutes. */
const manyThefts = { timeout: isSoak ? 1_200_000 : 120_000 }

test("whatever a superuser changes, removes, inserts or reorders is named", manyThefts, async () => {
  const keys = await sealedBookKeys()
  await assert(
    asyncProperty(
      constantFrom(...(Object.keys(sealedThefts) as (keyof typeof sealedThefts)[])),
      nat(1e9),
      nat(1e9),
      async (kind, a, luck) => {
        const plan = { key: pick(keys, a), luck, keys, xid: await endedTransaction() }
        const { edits, names } = sealedThefts[kind](plan)
        const { differences, ledger } = await verifyAfter(edits)
        for (const name of names) expect(differences.map(({ what }) => what).join("\n")).toContain(name)
        if (consistentThefts.has(kind)) expect(ledger).toBe(0)
      },
    ),
    { numRuns: isSoak ? 1_000 : 40 },
  )
  expect((await verifyChain(sandbox.db, { checkpoints: [] })).differences).toEqual([])
})

test("a row that a superuser inserts as of now is named by what it contradicts", manyThefts, async () => {
  const keys = await sealedBookKeys()
  expect(await verifyAllAfter([])).toEqual([])
  await assert(
    asyncProperty(nat(1e9), async (luck) => {
      const { edits, names } = insertNow({ key: "", luck, keys, xid: await endedTransaction() })
      const named = (await verifyAllAfter(edits)).join("\n")
      for (const name of names) expect(named).toContain(name)
    }),
    { numRuns: isSoak ? 300 : 15 },
  )
})

/** `row`: as in withdrawals id=… */
function forgedState(row: string, xid: string): RawBuilder<unknown> {
  const [name = "", id = ""] = row.split(" id=")
  const columns = recordedTables.find(({ table }) => table === name)?.columns ?? []
  return sql`
    insert into recorded_states (subject, digest, made_by, xid)
    select ${`${name}/${id}`}, state_digest(item, ${columns}::text[]), 'tilinta_app', ${xid}::xid8
    from ${sql.table(name)} item where id = ${id}::uuid`
}

test("of rows that agree with everything state and date are told, and nothing where that is now", async () => {
  const keys = await sealedBookKeys()
  for (const theft of [insertWithdrawal, insertRefund]) {
    const plan = { key: "", luck: 5, keys, xid: await endedTransaction() }
    const { edits, names } = theft(plan, true)
    const [row = ""] = names
    const unrecorded = `${row}: inserido fora da plataforma`
    const places = names.map((name) => `${name}: datado muito antes das linhas seladas antes dele (ainda não selado)`)
    expect((await verifyAllAfter(edits)).toSorted()).toEqual([...places, unrecorded].toSorted())
    const now = theft(plan, false).edits
    expect(await verifyAllAfter(now)).toEqual([unrecorded])
    // With its state, as the servers' role would have left it, nothing tells it from a booking: the bank's lists do.
    expect(await verifyAllAfter([...now, forgedState(row, plan.xid)])).toEqual([])
  }
})

test("a clock that was ahead for a while, and rows that were sealed late, are no tampering", async () => {
  const sellerId = await createSeller(sandbox)
  const days = (count: number) => secondsAfter(new Date(), count * 86_400)
  const audit = (happenedAt: Date) => sandbox.db.transaction().execute((tx) => auditSomething(tx, sellerId, happenedAt))
  for (const [written, sealed] of [
    [2, 2],
    [0, 0],
    [0, 1],
    [0, 0],
    [-60, -60],
    [0, 0],
  ] as const) {
    await audit(days(written))
    await sealAll(sandbox.db, { clock: { now: () => days(sealed) } })
    await audit(days(written))
    expect((await verifyChain(sandbox.db, { checkpoints: [] })).differences).toEqual([])
    await sealAll(sandbox.db, { clock: { now: () => days(sealed) } })
  }
  expect((await verifyChain(sandbox.db, { checkpoints: [] })).differences).toEqual([])
})

const publicUrl = "https://pix.example.com"

function publisher(now: () => Date = () => new Date()) {
  const deps = { ...sandbox, clock: { now }, secretKeys }
  const checkpointCopy = createCheckpointCopy({ file: null, url: null, log: sandbox.log })
  return { ...deps, publicUrl, checkpointCopy, signingKeys: openSigningKeys(deps) }
}

async function checkpointOf(note: string) {
  const keys = await publisher().signingKeys.listPublicKeys("checkpoint")
  const lines = await Promise.all(keys.map(({ publicKey }) => verifierKey("pix.example.com/tilinta", publicKey)))
  const opened = await openCheckpoint(note, await readVerifierKeys(lines.join("\n")))
  if (opened === null) throw new Error("nobody signed it")
  return opened
}

test("each checkpoint begins with the one before, also after a rotation, and is mailed once a day", async () => {
  await ensureMoneyKind({ db: sandbox.db, clock: { now: () => new Date("2026-11-23T12:00:00Z") } }, "sandbox")
  await ensureSigningKeys({ ...sandbox, secretKeys })
  const sellerId = await createSeller(sandbox)
  const notes: string[] = []
  for (let day = 0; day < 3; day += 1) {
    const now = () => secondsAfter(new Date("2026-11-23T12:00:00Z"), day * 86_400)
    await sandbox.db.transaction().execute((tx) => auditSomething(tx, sellerId))
    await sealAll(sandbox.db)
    await Promise.all([1, 2, 3].map(() => publishCheckpoint(publisher(now))))
    notes.push(await publishCheckpoint(publisher(now)))
    expect(await readCheckpoint(sandbox.db)).toBe(notes.at(-1))
    if (day === 1) await rotateSigningKey({ ...sandbox, secretKeys }, "checkpoint")
  }
  const checkpoints = await Promise.all(notes.map(checkpointOf))
  for (const [at, larger] of checkpoints.entries()) {
    for (const smaller of checkpoints.slice(0, at)) {
      expect(smaller.size).toBeLessThan(larger.size)
      const proof = await readConsistencyOf(sandbox.db, { smaller: smaller.size, size: larger.size })
      const hashes = proof.map((hash) => new Uint8Array(hash))
      expect(await isConsistent(smaller, larger, hashes)).toBe(true)
    }
  }
  const mails = sandbox.db.selectFrom("mails").select("dedupe_key").where("dedupe_key", "like", "checkpoint:%")
  // The first day is mailed to nobody; the sandbox has one administrator.
  expect((await mails.execute()).map((mail) => mail.dedupe_key.slice(0, 21)).toSorted()).toEqual([
    "checkpoint:2026-11-24",
    "checkpoint:2026-11-25",
  ])
  const signed = await readSigned(sandbox.db, publisher().signingKeys)
  expect([signed.checkpoints.length, signed.differences]).toEqual([4, []])
  expect((await verifyChain(sandbox.db, signed)).differences).toEqual([])
})

test("a chain that was rewritten as a whole is named by what was signed, and never signed anew", async () => {
  await ensureSigningKeys({ ...sandbox, secretKeys })
  await sealAll(sandbox.db)
  await publishCheckpoint(publisher())
  const copies = ["chain_blocks", "chain_head", "chain_checkpoints"]
  await asOwner(sandbox, ...copies.map((table) => `create table copy_of_${table} as table ${table}`))
  const back = copies.flatMap((table) => [`delete from ${table}`, `insert into ${table} table copy_of_${table}`])
  const forget = ["delete from chain_blocks", "update chain_head set until = '0', block_count = 0"]
  await tamper(sandbox, "update payments set amount_cents = amount_cents + 1 where fee_cents > 0", ...forget)
  try {
    await sealAll(sandbox.db)
    const signed = await readSigned(sandbox.db, publisher().signingKeys)
    expect((await verifyChain(sandbox.db, { checkpoints: [] })).differences).toEqual([])
    expect((await verifyChain(sandbox.db, signed)).differences).not.toEqual([])
    await sandbox.db.transaction().execute(async (tx) => auditSomething(tx, await createSeller(sandbox)))
    await sealAll(sandbox.db)
    await expect(publishCheckpoint(publisher())).rejects.toThrow(/doesn't begin with/)
    await tamper(sandbox, "update chain_head set note = replace(note, 'example', 'exemplo')")
    expect((await readSigned(sandbox.db, publisher().signingKeys)).differences).toHaveLength(1)
  } finally {
    await tamper(sandbox, "update payments set amount_cents = amount_cents - 1 where fee_cents > 0", ...back)
  }
})

// The last test, since it leaves its traces.
test("rows that were dated back, or whose transaction was replaced, are named after they were sealed, too", async () => {
  await sealAll(sandbox.db)
  const [keys, xid] = [await sealedBookKeys(), await endedTransaction()]
  const backdated = ["a", "j", "m", "p", "r", "w"].map((letter, luck) => {
    const key = keys.find((each) => each.startsWith(`${letter}:`)) ?? ""
    return insertBackdated({ key, luck: 100 + luck, keys, xid })
  })
  const replaced = replaceRow({ key: "", luck: 200, keys, xid })
  const edits = [...backdated, replaced].flatMap((theft) => theft.edits)
  await thief.transaction().execute((tx) => steal(tx, edits))
  await sealAll(sandbox.db)
  const { differences } = await verifyChain(sandbox.db, { checkpoints: [] })
  const named = differences.map(({ what }) => what)
  const [original = "", added = ""] = replaced.names
  expect(named.filter((what) => what.includes(original))).toEqual([
    expect.stringContaining(`${original}: passou a outra transação depois de selado (bloco `),
    `${original}: selado mais de uma vez`,
  ])
  expect(named.filter((what) => what.includes(added))).toEqual([`${added}: inserido com a data de outra transação`])
  for (const name of backdated.flatMap(({ names }) => names)) {
    expect(named.filter((what) => what.includes(name))).toEqual([
      expect.stringContaining(`${name}: datado muito antes das linhas seladas antes dele (bloco `),
    ])
  }
  expect(named).toHaveLength(9)
})
