import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { asOwner } from "../../../test-support/as-owner.ts"
import { buffersOf } from "../../../test-support/query-plans.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { createNumberingRun } from "./append.ts"
import { isAnythingUnnumbered } from "./reads.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

test("what a transaction under way holds back is looked for again and again, until it is numbered", async () => {
  const { db } = database
  const sellerId = await createSeller(database)
  const sequences = () =>
    sql`select from events where seller_id = ${sellerId}`.execute(db).then(({ rows }) => rows.length)
  const held = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const long = db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    began.resolve()
    await held.promise
  })
  await began.promise
  await sql`
    insert into event_drafts (occurred_at, seller_id, subject_id, type)
    values (now(), ${sellerId}, ${newId()}, 'charge.disputed')`.execute(db)

  let runs = 0
  let last = Promise.resolve()
  const numbering = createNumberingRun({ db }, () => {
    runs += 1
    if (runs === 3) {
      held.resolve()
      last = long.then(numbering.run)
    } else last = numbering.run()
  })
  numbering.ask()
  await expect.poll(() => runs, { timeout: 20_000 }).toBe(3)
  await last
  expect(await sequences()).toBe(1)
  numbering.stop()
})

test("but not for ever: a longer transaction leaves it to the next event", async () => {
  const { db } = database
  const sellerId = await createSeller(database)
  await db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    await sql`
      insert into event_drafts (occurred_at, seller_id, subject_id, type)
      values (now(), ${sellerId}, ${newId()}, 'charge.disputed')`.execute(db)
    const asked = Promise.withResolvers<void>()
    let runs = 0
    const numbering = createNumberingRun({ db }, () => {
      runs += 1
      void numbering.run().then(() => runs === 5 && asked.resolve(), asked.reject)
    })
    numbering.ask()
    await asked.promise
    await numbering.run()
    numbering.stop()
    expect(runs).toBe(5)
  })
})

test("looking whether anything waits reads no more after many payments", async () => {
  await asOwner(database, "alter table payments disable trigger payments_move_balances")
  // Between two analyses, as after a busy hour.
  await asOwner(database, "alter table payments set (autovacuum_enabled = off)")
  await asOwner(
    database,
    `insert into payments (end_to_end_id, provider, amount_cents, paid_at, disposition, reason, xid)
     select 'E' || number, 'simulator', 1, now(), 'suspense', 'unknown_txid', '1' from generate_series(1, 30000) number`,
  )
  await asOwner(database, "alter table payments enable trigger payments_move_balances")
  await asOwner(database, "delete from event_drafts")
  await asOwner(database, "update numbered_events set until = '2'")
  expect(await buffersOf(database, (recorded) => isAnythingUnnumbered(recorded))).toBeLessThan(20)
})
