import { dueTermsOf } from "@tilinta/contract/vocabulary/invoices"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { createPool } from "#db/pools"
import { createDb, type Tx } from "#db/transaction"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { createCheckpointCopy } from "#money/chain/copy"
import { ensureSigningKeys, openSigningKeys } from "#money/chain/keys"
import { publishCheckpoint } from "#money/chain/seal"
import { sealedTableNames } from "#money/chain/sealed-rows-reads"
import { reconcileDisputes } from "#money/disputes/record"
import { createEntry } from "#money/manual-entries/entries"
import { bookPayments } from "#money/payments/book"
import { foldPayments } from "#money/payments/fold"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { insertRemittance } from "#money/remittances/table"
import { acceptUnmatchedPayment } from "#money/unmatched-payments/accept"
import { saveRule } from "#money/withdrawal-rules/table"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import { auditOfMember } from "#people/team/rules"
import { insertInvitation, insertMember } from "#people/team/table"
import { recordAudit } from "#platform/audit/record"
import { notifyOfSetting } from "#platform/mails/notify-owner"
import { changeSetting, initializeSettings } from "#platform/settings/manage"
import { ensureMoneyKind } from "#platform/system/node"
import { foldPlatformChanges } from "#platform/totals/totals"
import { noOrder } from "#selling/charge-pages/rules"
import { foldChargeChanges } from "#selling/charges/lists"
import { cancelInvoice } from "#selling/closings/invoices"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice } from "#selling/invoices/create"
import { enterAllMovements } from "../../../test-support/enter-all-movements.ts"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { insertDifferingDay } from "../../../test-support/insert-daily-close.ts"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { createAdmin, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { sealAll } from "../../../test-support/seal-all.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { type Tampering, tamperings } from "../../../test-support/tamperings.ts"
import { contest } from "../../../test-support/test-disputes.ts"
import { verifyBooks } from "./check.ts"

const now = new Date()
const sandbox = await openSandbox()
const { db } = sandbox
const signing = { ...sandbox, secretKeys }
const signingKeys = openSigningKeys(signing)
const thiefPool = createPool({ url: sandbox.url, max: 1, applicationName: "thief" })
const thief = createDb(thiefPool)
await ensureMoneyKind({ db, clock: { now: () => secondsAfter(new Date(), -86_400) } }, "sandbox")
await ensureSigningKeys(signing)
await playEverything()

afterAll(async () => {
  await thiefPool.end()
  await sandbox.close()
})

async function playMoney(admin: { id: string; address: null }): Promise<void> {
  await sandbox.control({ liquidacaoMs: 0 })
  const first = await openPaidCharge(sandbox)
  const second = await openPaidCharge(sandbox, { sellerId: first.sellerId })
  const third = await openPaidCharge(sandbox)
  await openPaidCharge(sandbox)
  const seller = { id: first.sellerId, address: null }
  for (const cents of [5_000, 4_000]) {
    const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
    const { id } = await requestWithdrawal(sandbox, {
      seller,
      amountCents: cents as Cents,
      destination,
      idempotencyKey: null,
    })
    if (cents === 5_000) await approveWithdrawal(sandbox, { id, admin, adminNotes: "" })
    await sendPayouts(sandbox)
    await settlePayouts(sandbox)
  }
  await db
    .updateTable("withdrawals")
    .set({ held_until: secondsAfter(now, 3_600), hold_reasons: '["new_destination"]' })
    .where("status", "=", "pending")
    .execute()
  for (const amountCents of [1_000, 900] as Cents[]) {
    const refund = { chargeId: second.id, amountCents, reason: "", origin: "seller" } as const
    await requestRefund(sandbox, { ...refund, actor: seller, idempotencyKey: null })
    if (amountCents === 1_000) await settleRefunds(sandbox)
  }
  await playInvoices(seller)
  await contest(sandbox, third.endToEndId, "10.00")
  await reconcileDisputes(sandbox)
  await bookPayments(sandbox, [receiptOf(null, 700), receiptOf(null, 800)])
  const stray = await db.selectFrom("unmatched_payments").select("id").limit(1).executeTakeFirstOrThrow()
  await acceptUnmatchedPayment(sandbox, { id: stray.id, admin, sellerId: first.sellerId, adminNotes: "" })
  const entry = { kind: "capital_in", direction: null, amountCents: 700 as Cents, reason: "aporte" } as const
  const rest = { sellerId: null, reference: null, reverses: null, provider: sandbox.psp.name, idempotencyKey: null }
  await createEntry(sandbox, { ...entry, ...rest, admin })
}

async function playInvoices(seller: { id: string; address: null }): Promise<void> {
  const customer = customerFieldsFrom({ name: "Bruno Lima", document: "52998224725" })
  const terms = dueTermsOf({ amount: 80, dueDate: saoPauloDay(now), daysAfterDue: 30 })
  const draft = { seller, customer, terms, description: "Aula", order: noOrder, mode: "daily" } as const
  await createInvoice(sandbox, { ...draft, idempotencyKey: null })
  const { id } = await createInvoice(sandbox, { ...draft, idempotencyKey: null })
  await cancelInvoice(sandbox, { id, seller })
}

/** Enters as the servers would write it. */
async function playPeople(admin: { id: string; address: null }): Promise<void> {
  await createAdmin(sandbox)
  const { id: userId } = await db.selectFrom("users").select("id").where("role", "=", "user").executeTakeFirstOrThrow()
  await initializeSettings(sandbox, admin)
  await changeSetting({ ...sandbox, notifyOfSetting }, admin, {
    key: "TRANSACTION_FEE_PERCENTAGE",
    changes: { value: 12 },
  })
  await insertApiKey(db, userId)
  const frozen = { id: newId(), user_id: userId, frozen_at: now, address: "", trusts_factors_until: now }
  await db.insertInto("freezes").values(frozen).execute()
  await playTeam(userId)
  const about = { id: newId(), act: "setting.change", subject_id: "KEY", subject_name: "KEY", changes: "[]" } as const
  const asked = { digest: Buffer.alloc(32), asked_by: admin.id, asked_at: now, expires_at: secondsAfter(now, 3_600) }
  await db
    .insertInto("second_approvals")
    .values({ ...about, ...asked })
    .execute()
  const factor = { user_id: userId, id: newId(), key_id: "k", sealed_secret: Buffer.alloc(8), created_at: now }
  await db.insertInto("totp_factors").values(factor).execute()
  const notice = {
    id: newId(),
    user_id: userId,
    told_at: now,
    topic: "security",
    content: '{"kind":"x"}',
    dedupe_key: "x",
  } as const
  await db.insertInto("notices").values(notice).execute()
  const closeId = await insertDifferingDay(db)
  const balance = { bank_cents: 5 as Cents, our_cents: 5 as Cents, difference_cents: 0 as Cents }
  await db
    .insertInto("bank_balances")
    .values({ close_id: closeId, at: now, ...balance })
    .execute()
  const hook = { id: newId(), seller_id: userId, url: "https://loja.example/", types: [], created_at: now }
  const secret = { key_id: "k", sealed_secret: Buffer.alloc(8), told_sequence: 0 }
  await db
    .insertInto("webhook_endpoints")
    .values({ ...hook, ...secret })
    .execute()
}

async function playTeam(shopId: string): Promise<void> {
  const { id, email } = await db
    .selectFrom("users")
    .select(["id", "email"])
    .where("role", "=", "user")
    .where("id", "<>", shopId)
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    await insertMember(tx, { shopId, userId: id, role: "cashier", joinedAt: now })
    const joined = { shopId, before: null, after: "cashier" } as const
    await recordAudit(tx, auditOfMember("member.joined", joined, { id, by: { id, address: null }, now }))
    const invitation = {
      id: newId(),
      shopId,
      email,
      emailKey: email,
      role: "cashier",
      createdAt: now,
      expiresAt: secondsAfter(now, 3_600),
    } as const
    await insertInvitation(tx, { ...invitation, tokenHash: Buffer.alloc(32), invitedBy: shopId })
  })
}

/** A rule, and a file that paid, as the servers write them. */
async function playPayouts(admin: { id: string }): Promise<void> {
  const withdrawal = await db
    .selectFrom("withdrawals")
    .select("id")
    .where("status", "=", "completed")
    .executeTakeFirstOrThrow()
  const { id: destinationId, seller_id: sellerId } = await db
    .selectFrom("destinations")
    .select(["id", "seller_id"])
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    const lines = [{ line: 1, withdrawalId: withdrawal.id }]
    await insertRemittance(tx, { sequence: 1, id: newId(), file: "x", madeBy: admin.id, madeAt: now, lines })
    const next = { nextAt: now, pausedBecause: null, failure: "", lastWithdrawalId: null, mac: null }
    await saveRule(tx, { sellerId, destinationId, every: "day", aboveCents: 100 as Cents, ...next })
  })
}

async function playEverything(): Promise<void> {
  const admin = { id: await createAdmin(sandbox), address: null }
  await playMoney(admin)
  await playPeople(admin)
  await playPayouts(admin)
  await foldPayments(sandbox)
  await foldPlatformChanges(sandbox)
  await foldChargeChanges(sandbox)
  await numberAllEvents(db)
  await enterAllMovements(db)
  await sealAll(db)
  const checkpointCopy = createCheckpointCopy({ file: null, url: null, log: sandbox.log })
  const publish = () =>
    publishCheckpoint({ ...sandbox, signingKeys, checkpointCopy, publicUrl: "https://pix.example.com" })
  await publish()
  // Seals the day's checkpoint.
  await sealAll(db)
  await publish()
}

class Undone extends Error {}

interface Result {
  outcome: Tampering["outcome"]
  /** The words of verify, or why it was refused. */
  said: string
}

async function tryOut({ sql: statements }: Pick<Tampering, "sql">): Promise<Result> {
  // As if it had been committed: rows of a transaction that is under way would be told by that alone.
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db)
  const ended = rows[0]?.xid ?? ""
  let result: Result = { outcome: "silent", said: "" }
  const attempt = thief.transaction().execute(async (tx) => {
    await steal(tx, statements)
    for (const table of sealedTableNames) {
      const isOwn = sql`xid = pg_current_xact_id()`
      await sql`update ${sql.table(table)} set xid = ${ended}::xid8 where ${isOwn}`.execute(tx)
    }
    const { differences } = await verifyBooks(tx, { signingKeys })
    if (differences.length > 0) result = { outcome: "named", said: differences.map(({ what }) => what).join("\n") }
    throw new Undone()
  })
  await attempt.catch((error: unknown) => {
    if (!(error instanceof Undone)) result = { outcome: "refused", said: String(error) }
  })
  return result
}

async function steal(tx: Tx, statements: string): Promise<void> {
  await sql`set local role none`.execute(tx)
  await sql`set local session_replication_role = replica`.execute(tx)
  await sql.raw(statements).execute(tx)
  await sql`set local role none`.execute(tx)
  await sql`set local session_replication_role = replica`.execute(tx)
}

const minutes = { timeout: 600_000 }

test("of everything that a superuser may do to the rows, three things stay silent", minutes, async () => {
  expect(await tryOut({ sql: "select" })).toEqual({ outcome: "silent", said: "" })
  const counts = { named: 0, silent: 0, refused: 0 }
  const [silent, unexpected]: [string[], string[]] = [[], []]
  for (const tampering of tamperings) {
    const { outcome, said } = await tryOut(tampering)
    counts[outcome] += 1
    if (outcome === "silent") silent.push(tampering.name)
    if (outcome !== tampering.outcome || /^null/m.test(said))
      unexpected.push(`${outcome}, not ${tampering.outcome}: ${tampering.name}: ${said}`)
  }
  expect(unexpected).toEqual([])
  expect(silent).toEqual([
    "audit_records: insertion as of now",
    "audit_records: address and device",
    "mails: marked as sent",
  ])
  expect(counts).toEqual({ named: tamperings.length - 9, silent: 3, refused: 6 })
})

/** As docs/security.md tells an operator to do it: by the servers' role, with an audit record. */
test("what an operator does as the platform would do it is no difference; without the record a role is", async () => {
  const asServer = "set local session_replication_role = origin; set local role tilinta_app;"
  const demotion = `${asServer} update users set role = 'user' where id = (select max(id::text)::uuid from users where role = 'admin')`
  expect(await tryOut({ sql: demotion })).toEqual({ outcome: "silent", said: "" })
  const record = (
    role: string,
  ) => `insert into audit_records (id, happened_at, action, entity, entity_id, before, after)
    select new_id(now()), now(), 'user.updated', 'user', id, '{}', '{"role": "${role}"}' from users
    where id = (select max(id::text)::uuid from users where role = 'user')`
  expect(await tryOut({ sql: `${asServer} ${record("user")}` })).toEqual({ outcome: "silent", said: "" })
  expect(await tryOut({ sql: `${asServer} ${record("admin")}` })).toMatchObject({
    said: expect.stringContaining("perfil de acesso"),
  })
})
