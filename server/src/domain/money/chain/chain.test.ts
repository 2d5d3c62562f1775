import { openCheckpoint } from "@tilinta/contract/proofs/checkpoint"
import { isConsistent } from "@tilinta/contract/proofs/tree"
import { readVerifierKeys, verifierKey } from "@tilinta/contract/proofs/verifier-key"
import { assert, asyncProperty, constantFrom, nat } from "fast-check"
import { type RawBuilder, sql } from "kysely"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createPool } from "#db/pool"
import { createDb, type Db, type Tx } from "#db/transaction"
import { createEntry } from "#domain/money/manual-entries/create-entry"
import { bookPayments } from "#domain/money/payments/book-payments"
import { requestRefund } from "#domain/money/refunds/request-refund"
import { requestWithdrawal } from "#domain/money/withdrawals/request-withdrawal"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { ensureSigningKeys } from "#domain/platform/signing-keys/ensure-signing-keys"
import { openSigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import { rotateSigningKey } from "#domain/platform/signing-keys/rotate-signing-key"
import { createCharge } from "#domain/selling/charges/create-charge"
import { secondsAfter } from "#kit/clock"
import type { Cents } from "#kit/money"
import { verifyLedger } from "#ledger/verify-ledger"
import { asOwner, tamper } from "../../../../test-support/as-owner.ts"
import {
  createAdmin,
  createPage,
  createSeller,
  openSandbox,
  receiptOf,
  type Sandbox,
} from "../../../../test-support/sandbox.ts"
import { sealAll } from "../../../../test-support/seal-all.ts"
import { secretKeys } from "../../../../test-support/secret-keys.ts"
import { isSoak } from "../../../../test-support/test-sizes.ts"
import { readHead } from "./chain-repository.ts"
import { nameRow } from "./name-row.ts"
import { publishCheckpoint } from "./publish-checkpoint.ts"
import { readCheckpoint, readConsistencyOf } from "./read-checkpoint.ts"
import { readSigned } from "./read-signed.ts"
import { mostUnsigned, sealRows } from "./seal-rows.ts"
import { type VerifiedChain, verifyChain } from "./verify-chain.ts"

let sandbox: Sandbox
let thiefPool: ReturnType<typeof createPool>
let thief: Db

beforeAll(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ webhooksAtivos: false })
  thiefPool = createPool({ url: sandbox.url, max: 1, applicationName: "thief" })
  thief = createDb(thiefPool)
  const admin = await createAdmin(sandbox)
  for (let block = 0; block < 5; block += 1) {
    await play(admin)
    await sealAll(sandbox.db)
  }
})

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
  const wish = { seller, amountCents: 5_000 as Cents, destination, idempotencyKey: null }
  await requestWithdrawal(sandbox, wish)
  const entry = { kind: "capital_in", direction: null, amountCents: 700 as Cents, reason: "aporte" } as const
  const rest = { sellerId: null, reference: null, reverses: null, provider: sandbox.psp.name, idempotencyKey: null }
  await createEntry(sandbox, { ...entry, ...rest, admin: { id: adminId, address: null } })
}

async function auditSomething(tx: Tx, userId: string): Promise<string> {
  const entry = { actor: { id: userId, address: null }, happenedAt: new Date(), before: null, after: null } as const
  await recordAudit(tx, { ...entry, action: "session.ended", entity: "user", entityId: userId })
  const own = tx.selectFrom("audit_records").select("id").where("entity_id", "=", userId).orderBy("xid", "desc")
  return (await own.executeTakeFirstOrThrow()).id
}

class Undone extends Error {}

/** Looks at what a superuser's statements would leave, and undoes them. */
async function verifyAfter(...edits: RawBuilder<unknown>[]): Promise<VerifiedChain & { ledger: number }> {
  let verified: (VerifiedChain & { ledger: number }) | undefined
  const attempt = thief.transaction().execute(async (tx) => {
    await sql`set local role none`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const edit of edits) await edit.execute(tx)
    verified = { ...(await verifyChain(tx, { checkpoints: [] })), ledger: (await verifyLedger(tx)).length }
    throw new Undone()
  })
  await attempt.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  if (verified === undefined) throw new Error("nothing was verified")
  return verified
}

async function sealedKeys(): Promise<string[]> {
  const blocks = await sandbox.db.selectFrom("chain_blocks").select("keys").orderBy("number").execute()
  return blocks.flatMap(({ keys }) => keys)
}

test("what was sealed verifies, as often as it is looked at, and nothing is sealed twice", async () => {
  const keys = await sealedKeys()
  expect(new Set(keys).size).toBe(keys.length)
  expect(new Set(keys.map((key) => key[0]))).toEqual(new Set(["a", "j", "m", "p", "r", "w"]))
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

const tables = {
  a: "audit_records",
  j: "journal",
  m: "manual_entries",
  p: "payments",
  r: "refunds",
  w: "withdrawals",
} as const
type Letter = keyof typeof tables

const otherId = sql`gen_random_uuid()`
const later = (column: string) => sql`${sql.ref(column)} + interval '1 microsecond'`
const more = (column: string) => sql`${sql.ref(column)} + 1`

/** The lies that a thief may write over each column. */
const lies: Record<Letter, [column: string, value: RawBuilder<unknown>][]> = {
  a: [
    ["happened_at", later("happened_at")],
    ["actor_id", sql`(select id from users where id is distinct from actor_id limit 1)`],
    ["action", sql`action || '.x'`],
    ["entity_id", sql`entity_id || 'x'`],
    ["after", sql`'{"name": "Eva"}'::jsonb`],
    ["before", sql`'{"name": "Ana"}'::jsonb`],
  ],
  j: [
    ["amount_cents", more("amount_cents")],
    ["debit_account", sql`debit_account || 'x'`],
    ["credit_account", sql`'fee-revenue-x'`],
    ["occurred_at", later("occurred_at")],
    ["booked_at", later("booked_at")],
    ["number", sql`default`],
    ["may_overdraw", sql`not may_overdraw`],
    ["seller_id", otherId],
  ],
  m: [
    ["amount_cents", more("amount_cents")],
    ["reason", sql`reason || ' '`],
    ["reference", sql`'E1'`],
    ["created_at", later("created_at")],
  ],
  p: [
    ["amount_cents", more("amount_cents")],
    ["fee_cents", more("fee_cents")],
    ["seller_id", otherId],
    ["charge_id", otherId],
    ["provider", sql`'outro'`],
    ["txid", sql`txid || 'x'`],
    ["paid_at", later("paid_at")],
    ["received_at", later("received_at")],
  ],
  r: [
    ["amount_cents", more("amount_cents")],
    ["fee_cents", more("fee_cents")],
    ["reason", sql`'outro'`],
    ["created_at", later("created_at")],
  ],
  w: [
    ["amount_cents", more("amount_cents")],
    ["pix_key", sql`'ladrao@exemplo.com'`],
    ["seller_id", otherId],
    ["created_at", later("created_at")],
  ],
}

const letterOf = (key: string) => key[0] as Letter
const tableOf = (key: string) => sql.table(tables[letterOf(key)])

function isRow(key: string): RawBuilder<boolean> {
  const id = key.slice(2)
  if (letterOf(key) === "p") return sql`end_to_end_id = ${id}`
  if (letterOf(key) === "j") return sql`kind || '/' || reference || '/' || line = ${id}`
  return sql`id = ${id}::uuid`
}

interface Edit {
  edits: RawBuilder<unknown>[]
  /** The names that must be told. */
  names: string[]
}

type Theft = (key: string, luck: number, keys: readonly string[]) => Edit

function pick<Item>(items: readonly Item[], luck: number): Item {
  const item = items[luck % items.length]
  if (item === undefined) throw new Error("nothing to pick from")
  return item
}

const alter: Theft = (key, luck) => {
  const [column, value] = pick(lies[letterOf(key)], luck)
  return {
    edits: [sql`update ${tableOf(key)} set ${sql.ref(column)} = ${value} where ${isRow(key)}`],
    names: [nameRow(key)],
  }
}

const remove: Theft = (key) => ({
  edits: [sql`delete from ${tableOf(key)} where ${isRow(key)}`],
  names: [nameRow(key)],
})

/** A copy of a sealed row under another key, as if it had been there from the beginning. */
const insert: Theft = (key, luck) => {
  const number = String(luck).padStart(12, "0")
  const id = `00000000-0000-4000-8000-${number}`
  const copies: Record<Letter, { columns: object; added: string }> = {
    a: { columns: { id }, added: `a:${id}` },
    m: { columns: { id }, added: `m:${id}` },
    r: { columns: { id, psp_refund_id: `x${number}` }, added: `r:${id}` },
    w: { columns: { id, payout_id: `x${number}` }, added: `w:${id}` },
    p: { columns: { end_to_end_id: `E${number}` }, added: `p:E${number}` },
    j: { columns: { kind: "capital-in", reference: id, line: 1 }, added: `j:capital-in/${id}/1` },
  }
  const { columns, added } = copies[letterOf(key)]
  const name = tables[letterOf(key)]
  const listed = sql`(
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and attgenerated = '' and not attisdropped
  )`
  const copy = sql`
    create function pg_temp.copy_row() returns void language plpgsql as $$
    begin
      execute format(
        'insert into ${sql.raw(name)} (%1$s) overriding system value select %1$s from jsonb_populate_record(null::${sql.raw(name)}, %2$L)',
        current_setting('thief.columns'), current_setting('thief.row')
      );
    end $$`
  return {
    edits: [
      sql`select set_config('thief.columns', ${listed}, true), set_config('thief.row', (
        select (to_jsonb(item) || ${JSON.stringify(columns)}::jsonb)::text from ${tableOf(key)} item where ${isRow(key)}
      ), true)`,
      copy,
      sql`select pg_temp.copy_row()`,
    ],
    names: [nameRow(added)],
  }
}

/** Two rows of the books change places: each gets the moment of the other one. */
const swapMoments: Theft = (_key, luck, keys) => {
  const bookings = keys.filter((key) => letterOf(key) === (luck % 2 === 0 ? "p" : "j"))
  const one = pick(bookings, luck)
  const other = pick(bookings, luck + 1)
  const column = sql.ref(letterOf(one) === "p" ? "received_at" : "booked_at")
  const momentOf = (key: string) => sql`(select ${column} from ${tableOf(key)} where ${isRow(key)})`
  return {
    edits: [
      sql`update ${tableOf(one)} set ${column} = case when ${isRow(one)} then ${momentOf(other)} else ${momentOf(one)} end
        where ${isRow(one)} or ${isRow(other)}`,
    ],
    names: [nameRow(one), nameRow(other)],
  }
}

const isOfSeveralRows = sql`number = (select max(number) from chain_blocks where cardinality(keys) > 1)`

/** The order that a block stores, with the rows as they are. */
const swapPlaces: Theft = () => ({
  edits: [sql`update chain_blocks set keys[2] = keys[1], keys[1] = keys[2] where ${isOfSeveralRows}`],
  names: ["fora da ordem em que foi selado"],
})

const swapWhole: Theft = () => ({
  edits: [
    sql`update chain_blocks set keys[2] = keys[1], keys[1] = keys[2], hashes =
      substr(hashes, 33, 32) || substr(hashes, 1, 32) || substr(hashes, 65) where ${isOfSeveralRows}`,
  ],
  names: ["ordem ou resumos das linhas"],
})

/** The payment, its charge and the balances say the same: the books agree with themselves. */
const consistently: Theft = (_key, luck, keys) => {
  const payment = pick(
    keys.filter((key) => letterOf(key) === "p"),
    luck,
  )
  const own = sql`select charge_id, seller_id, provider from payments where ${isRow(payment)}`
  return {
    edits: [
      sql`update payments set amount_cents = amount_cents + 500 where ${isRow(payment)}`,
      sql`update charges set amount_cents = amount_cents + 500, net_cents = net_cents + 500 where id = (select charge_id from (${own}) own)`,
      sql`update ledger_accounts set balance_cents = balance_cents + 500
        where id = (select 'seller-available:' || seller_id from (${own}) own)`,
      sql`update ledger_accounts set balance_cents = balance_cents - 500
        where id = (select 'psp-clearing:' || provider from (${own}) own)`,
    ],
    names: [nameRow(payment)],
  }
}

const thefts = { alter, remove, insert, swapMoments, swapPlaces, swapWhole, consistently }

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

test("whatever a superuser changes, removes, inserts or reorders is named", async () => {
  const keys = await sealedKeys()
  await assert(
    asyncProperty(
      constantFrom(...(Object.keys(thefts) as (keyof typeof thefts)[])),
      nat(1e9),
      nat(1e9),
      async (kind, a, b) => {
        const { edits, names } = thefts[kind](pick(keys, a), b, keys)
        const { differences, ledger } = await verifyAfter(...edits)
        for (const name of names) expect(differences.map(({ what }) => what).join("\n")).toContain(name)
        if (kind === "consistently") expect(ledger).toBe(0)
      },
    ),
    { numRuns: isSoak ? 1_000 : 30 },
  )
  expect((await verifyChain(sandbox.db, { checkpoints: [] })).differences).toEqual([])
})

const publicUrl = "https://pix.example.com"

function publisher(now: () => Date = () => new Date()) {
  const deps = { ...sandbox, clock: { now }, secretKeys }
  return { ...deps, publicUrl, signingKeys: openSigningKeys(deps) }
}

async function checkpointOf(note: string) {
  const keys = await publisher().signingKeys.listPublicKeys("checkpoint")
  const lines = await Promise.all(keys.map(({ publicKey }) => verifierKey("pix.example.com/tilinta", publicKey)))
  const opened = await openCheckpoint(note, await readVerifierKeys(lines.join("\n")))
  if (opened === null) throw new Error("nobody signed it")
  return opened
}

test("each checkpoint begins with the one before, also after a rotation, and is mailed once a day", async () => {
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
