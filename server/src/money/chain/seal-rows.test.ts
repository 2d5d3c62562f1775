import { sql } from "kysely"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Clock, secondsAfter, systemClock } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { recordAudit } from "#platform/audit/record"
import { createCharge } from "#selling/charges/create"
import { createPage, createSeller, openSandbox, receiptOf, type Sandbox } from "../../../test-support/sandbox.ts"
import { sealAll } from "../../../test-support/seal-all.ts"
import { readHead } from "./reads.ts"
import { sealRowsInTime } from "./seal.ts"
import { verifyChain } from "./verify.ts"

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await openSandbox()
})

afterEach(() => sandbox.close())

async function pay(): Promise<void> {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const { txid } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  await bookPayments(sandbox, [receiptOf(txid, 10_000)])
}

const blocks = async () => (await readHead(sandbox.db)).blockCount

/** Webhooks that wait, so many that payments arrive faster than they are booked. */
async function beginRush(at: Date): Promise<void> {
  await sql`
    insert into psp_inbox (provider, received_at, body, lengths)
    values ('simulator', ${at}, '', array_fill(1, array[60]))`.execute(sandbox.db)
}

const at = (moment: Date) => ({ ...sandbox, clock: { now: () => moment } })

test("rows are sealed at once, and in a rush that never ends within a minute", async () => {
  await pay()
  await expect.poll(async () => [await sealRowsInTime(sandbox), await blocks()][1], { timeout: 30_000 }).toBe(1)

  await pay()
  const now = systemClock.now()
  await beginRush(now)
  await sealRowsInTime(at(now))
  await sealRowsInTime(at(secondsAfter(now, 20)))
  expect(await blocks()).toBe(1)

  const later = secondsAfter(now, 50)
  await beginRush(later)
  await expect.poll(async () => [await sealRowsInTime(at(later)), await blocks()][1], { timeout: 30_000 }).toBe(2)
  await pay()
  await sealRowsInTime(at(secondsAfter(now, 30)))
  expect(await blocks()).toBe(2)
})

async function auditOn({ clock }: { clock: Clock }): Promise<void> {
  const userId = await createSeller(sandbox)
  const entry = { actor: { id: userId, address: null }, happenedAt: clock.now(), before: null, after: null } as const
  const ended = { ...entry, action: "session.ended", entity: "user", entityId: userId } as const
  await sandbox.db.transaction().execute((tx) => recordAudit(tx, ended))
}

test("a server whose clock is two hours ahead writes and seals, and no row of the others was dated back", async () => {
  const ahead = at(secondsAfter(systemClock.now(), 2 * 3_600))
  await pay()
  await auditOn(ahead)
  await sealAll(sandbox.db, ahead)
  await auditOn(sandbox)
  await sealAll(sandbox.db, ahead)
  await auditOn(sandbox)
  await sealAll(sandbox.db, sandbox)
  expect((await verifyChain(sandbox.db, { checkpoints: [] })).differences).toEqual([])
})
