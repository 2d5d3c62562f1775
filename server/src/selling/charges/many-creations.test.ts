import { afterAll, expect, test } from "vitest"
import { createPool } from "#db/pools"
import { createDb } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import type { ChargePage } from "#selling/charge-pages/rules"
import { cancelChargePage } from "#selling/closings/closings"
import { asOwner } from "../../../test-support/as-owner.ts"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { createCharge } from "./create.ts"
import { type ChargeSteps, createChargeSteps, openCharges, storeCharges } from "./open.ts"
import { findChargeRow } from "./reads.ts"
import type { PageCharge } from "./rules.ts"

const sandbox = await openSandbox()
const pool = createPool({ url: sandbox.url, max: 8, applicationName: "other node", connectionMs: 60_000 })
const otherNode: { chargeSteps: ChargeSteps; close(): Promise<void> } = {
  chargeSteps: createChargeSteps(createDb(pool)),
  close: () => pool.end(),
}

afterAll(async () => {
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await otherNode.close()
  await sandbox.close()
})

async function pages(count: number, maxPayments: number | null = null): Promise<ChargePage[]> {
  const sellerId = await createSeller(sandbox)
  return Promise.all(Array.from({ length: count }, () => createPage(sandbox, { sellerId, maxPayments })))
}

function ask({ chargeSteps }: { chargeSteps: ChargeSteps }, page: ChargePage, idempotencyKey: string | null = null) {
  return createCharge({ ...sandbox, chargeSteps }, { pageId: page.id, customerInfo: null, idempotencyKey })
}

async function outcomeOf(requested: Promise<PageCharge>): Promise<string> {
  return requested.then(
    (charge) => charge.status,
    (error: unknown) => (error instanceof DomainError ? error.code : Promise.reject(error as Error)),
  )
}

test("concurrent payers get an answer each: a refusal doesn't undo another's Pix", async () => {
  const [open, [cancelled], [completed], [ofInactive]] = await Promise.all([pages(12), pages(1), pages(1), pages(1)])
  if (cancelled === undefined || completed === undefined || ofInactive === undefined) throw new Error("no pages")
  await cancelChargePage(sandbox, cancelled)
  await sandbox.db.updateTable("charge_pages").set({ status: "completed" }).where("id", "=", completed.id).execute()
  await sandbox.db.updateTable("users").set({ active: false }).where("id", "=", ofInactive.sellerId).execute()
  const requested = [...open, cancelled, ...open, completed, ofInactive, ...open]
  const outcomes = await Promise.all(requested.map((page) => outcomeOf(ask(sandbox, page))))
  expect(outcomes).toEqual([
    ...open.map(() => "pending"),
    "public_charge_page_not_found",
    ...open.map(() => "pending"),
    "charge_page_already_paid",
    "public_charge_page_not_found",
    ...open.map(() => "pending"),
  ])
  const { rows } = await countOf(open)
  expect(rows).toBe(36)
})

async function updatesOfCharges(): Promise<{ all: number; inPlace: number }> {
  const { rows } = await sandbox.pool.query<{ all: number; inPlace: number }>(
    `select n_tup_upd::int as all, n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables where relname = 'charges'`,
  )
  return rows[0] ?? { all: 0, inPlace: 0 }
}

// An index that names the code would be written twice for each charge, as would all others.
test("a charge gets its code in place, without writing an index", async () => {
  await asOwner(sandbox, "alter table charges set (autovacuum_enabled = off)")
  // One session, which can be told to report what it did.
  const pool = createPool({ url: sandbox.url, max: 1, applicationName: "tilinta-test opening" })
  const session = { chargeSteps: createChargeSteps(createDb(pool)) }
  const shareInPlace = async (): Promise<number> => {
    const some = await pages(20)
    const before = await updatesOfCharges()
    for (let round = 0; round < 10; round += 1) await Promise.all(some.map((page) => ask(session, page)))
    await pool.query("select pg_stat_force_next_flush()")
    const after = await updatesOfCharges()
    expect(after.all - before.all).toBeGreaterThanOrEqual(200)
    return (after.inPlace - before.inPlace) / (after.all - before.all)
  }
  await expect.poll(shareInPlace, { interval: 1_000, timeout: 30_000 }).toBeGreaterThan(0.5)
  await pool.end()
})

test("two nodes with the same keys in opposite orders create one Pix per key", async () => {
  const some = await pages(15)
  const keyed = some.map((page, at) => [page, `key ${at}`] as const)
  const [here, there] = await Promise.all([
    Promise.all(keyed.map(([page, key]) => ask(sandbox, page, key))),
    Promise.all(keyed.toReversed().map(([page, key]) => ask(otherNode, page, key))),
  ])
  expect(there.toReversed().map(({ pixCode }) => pixCode)).toEqual(here.map(({ pixCode }) => pixCode))
  expect(await countOf(some)).toEqual({ rows: 15, pending: 15 })
})

test("storing or opening again after a lost answer changes nothing", async () => {
  const [page] = await pages(1)
  if (page === undefined) throw new Error("no page")
  const open = await ask(sandbox, page)
  const draft: PageCharge = {
    ...open,
    id: newId(),
    txid: `${open.txid.slice(1)}x`,
    status: "creating",
  }
  const store = () => storeCharges(sandbox.db, [draft])
  const show = () => openCharges(sandbox.db, [{ charge: draft, pixCode: open.pixCode, now: sandbox.clock.now() }])
  expect([await store(), await store()]).toEqual([[draft], [draft]])
  const [[first], [second]] = [await show(), await show()]
  expect(first).toMatchObject({ id: draft.id, status: "pending", pixCode: open.pixCode })
  expect(second).toMatchObject({ id: draft.id, status: "pending", pixCode: open.pixCode })
  expect(await findChargeRow(sandbox.db, draft.id)).toMatchObject({ status: "pending", pixCode: open.pixCode })
})

async function countOf(some: ChargePage[]): Promise<{ rows: number; pending: number }> {
  const ids = some.map(({ id }) => id)
  const charges = await sandbox.db.selectFrom("charges").select("status").where("page_id", "in", ids).execute()
  return { rows: charges.length, pending: charges.filter(({ status }) => status === "pending").length }
}
