import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeEach, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { reconcileDisputes } from "#money/disputes/record"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { asOwner, tamper } from "../../../test-support/as-owner.ts"
import { insertCharge, insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { contest, decide } from "../../../test-support/test-disputes.ts"
import { listSellersCharges } from "./lists.ts"
import { eraseOldPayerData } from "./payer-data.ts"

const DAY = 86_400

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false, liquidacaoMs: 0 })

beforeEach(async () => {
  await tamper(sandbox, "update retention_marks set reached_at = '-infinity'; delete from payer_data_waiting")
})

afterAll(() => sandbox.close())

const eraseInDays = (days: number) =>
  eraseOldPayerData({ db: sandbox.db, clock: { now: () => secondsAfter(new Date(), days * DAY) } })

const bruno = {
  payer_name: "Bruno Lima",
  payer_email: "b@cliente.example",
  payer_document: "52998224725",
  payer_phone: "11",
}

async function paidByBruno() {
  const charge = await openPaidCharge(sandbox)
  await sandbox.db.updateTable("charges").set(bruno).where("id", "=", charge.id).execute()
  return charge
}

const payerOf = (id: string) =>
  sandbox.db
    .selectFrom("charges")
    .select(["payer_name", "payer_email", "payer_document", "payer_phone", "request_hash", "payer_erased_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()

const hasPayer = async (id: string) => (await payerOf(id)).payer_name !== null

async function found(sellerId: string, search: string): Promise<number> {
  const { charges } = await listSellersCharges(sandbox, { sellerId, search }, { offset: 0, limit: 5 })
  return charges.length
}

test("a payer's data go 180 days after the last event, in every column and in the search; money stays, once and twice", async () => {
  const { id, sellerId } = await paidByBruno()
  const money = () =>
    sandbox.db
      .selectFrom("charges")
      .select(["status", "amount_cents", "end_to_end_id", "updated_at"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
  const before = await money()
  expect(await found(sellerId, "bruno")).toBe(1)

  await eraseInDays(179)
  expect(await hasPayer(id)).toBe(true)
  await eraseInDays(182)
  const erased = await payerOf(id)
  expect(erased).toMatchObject({ payer_name: null, payer_email: null, payer_document: null, payer_phone: null })
  expect(erased).toMatchObject({ request_hash: null, payer_erased_at: expect.any(Date) })
  expect(await found(sellerId, "bruno")).toBe(0)
  expect(await money()).toEqual(before)

  await tamper(sandbox, "update retention_marks set reached_at = '-infinity'")
  await eraseInDays(183)
  expect(await payerOf(id)).toEqual(erased)
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
})

test("two servers that erase at once share the work, and each charge is erased once", async () => {
  const seller = await createSeller(sandbox)
  const [pageId = ""] = await insertChargePages(sandbox.db, [{ sellerId: seller, at: "2020-01-01T00:00:00Z" }])
  const old = { sellerId: seller, pageId, status: "expired" as const, payerName: "Bruno Lima" }
  const ids = await insertCharges(
    sandbox.db,
    Array.from({ length: 1_200 }, (_, at) => ({ ...old, at: new Date(1_600_000_000_000 + at).toISOString() })),
  )
  await Promise.all([eraseInDays(0), eraseInDays(0), eraseInDays(0)])
  await eraseInDays(0)
  const left = await sandbox.db
    .selectFrom("charges")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("id", "in", ids)
    .where("payer_erased_at", "is", null)
    .executeTakeFirstOrThrow()
  expect(left.count).toBe(0)
})

test("0 keeps the data for ever", async () => {
  const { id } = await paidByBruno()
  await saveSetting(sandbox.db, "PAYER_DATA_DAYS", 0)
  await eraseInDays(3_000)
  expect(await hasPayer(id)).toBe(true)
  await saveSetting(sandbox.db, "PAYER_DATA_DAYS", 180)
})

test("a payment in dispute keeps its payer until the dispute has been over for as long", async () => {
  const { id, endToEndId } = await paidByBruno()
  const disputeId = await contest(sandbox, endToEndId)
  await reconcileDisputes(sandbox)
  await eraseInDays(400)
  expect(await hasPayer(id)).toBe(true)

  await decide(sandbox, disputeId, "REJEITADA")
  await reconcileDisputes(sandbox)
  await eraseInDays(402)
  expect(await hasPayer(id)).toBe(false)
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
})

test("a refund under way keeps the payer, and one that ended begins the time anew", async () => {
  const { id, sellerId } = await paidByBruno()
  await sandbox.control({ liquidacaoMs: 60_000 })
  await requestRefund(sandbox, {
    ...{ chargeId: id, actor: { id: sellerId, address: null }, origin: "seller", amountCents: 100 as Cents },
    ...{ reason: "", idempotencyKey: null },
  })
  await eraseInDays(400)
  expect(await hasPayer(id)).toBe(true)

  await sandbox.control({ liquidacaoMs: 0 })
  await settleRefunds({ ...sandbox, clock: { now: () => secondsAfter(new Date(), 300 * DAY) } })
  await tamper(
    sandbox,
    "update refunds set status = 'completed', processed_at = now() + interval '300 days', next_attempt_at = null where status = 'processing'",
  )
  await eraseInDays(402)
  expect(await hasPayer(id)).toBe(true)
  await eraseInDays(484)
  expect(await hasPayer(id)).toBe(false)
})

test("a payment that waits for an admin keeps the payer of the charge that it names", async () => {
  const { id, endToEndId } = await paidByBruno()
  await asOwner(
    sandbox,
    `insert into unmatched_payments (id, end_to_end_id, reason, received_at) values ('${id}', '${endToEndId}', 'late', now())`,
  )
  await eraseInDays(400)
  expect(await hasPayer(id)).toBe(true)
  await tamper(sandbox, `update unmatched_payments set status = 'accepted', decided_at = now() where id = '${id}'`)
  await eraseInDays(402)
  expect(await hasPayer(id)).toBe(false)
})

test("a charge that is locked is erased by a later run", async () => {
  const seller = await createSeller(sandbox)
  const [pageId = ""] = await insertChargePages(sandbox.db, [{ sellerId: seller, at: "2020-01-01T00:00:00Z" }])
  const id = await insertCharge(sandbox.db, {
    ...{ sellerId: seller, pageId, status: "expired", at: "2020-01-01T00:00:00Z", payerName: "Bruno Lima" },
  })
  await sandbox.db.transaction().execute(async (tx) => {
    await tx.selectFrom("charges").select("id").where("id", "=", id).forUpdate().execute()
    await eraseInDays(0)
  })
  expect(await hasPayer(id)).toBe(true)
  await eraseInDays(2)
  expect(await hasPayer(id)).toBe(false)
})
