import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { saveConnected } from "#bank/psp-inbox/connection"
import { secondsAfter } from "#kit/clock"
import { removeDueCharges } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { returnUnmatchedPayment } from "#money/unmatched-payments/return"
import { requireWordToLeave, warnOfLostBanks } from "#overviews/system-status/status"
import type { Psp } from "#psp/psp"
import { createCharge } from "#selling/charges/create"
import { formerBankRun } from "#start/former-bank"
import { tidyUp } from "#start/retention"
import { bookReceipt, openPaidCharge, payCharge, receiveStray } from "../../../test-support/paid-charges.ts"
import { createPage, createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { reconcileReceipts } from "./reconcile.ts"

/** The former bank is the sandbox's; the present one knows none of its charges. */
let sandbox: Sandbox
let present: Psp
let presentBank: Sandbox

beforeAll(async () => {
  ;[sandbox, presentBank] = await Promise.all([openSandbox(), openSandbox()])
  present = { ...presentBank.psp, name: "present" }
  await sandbox.control({ liquidacaoMs: 0 })
})

afterAll(async () => {
  await Promise.all([sandbox.close(), presentBank.close()])
})

const connect = (...providers: string[]) => saveConnected(sandbox.db, providers)

beforeEach(() => connect("present", "simulator"))

const atPresent = () => ({ ...sandbox, psp: present })
const clockIn = (seconds: number) => ({ now: () => secondsAfter(new Date(), seconds) })

/** One round of everything, a little later, so that nothing is still leased. */
const serveFormer = (seconds = 90) => {
  const deps = { ...sandbox, clock: clockIn(seconds) }
  const inbox = { workOff: async () => undefined }
  return formerBankRun({
    ...deps,
    formerBank: { psp: sandbox.psp, inbox, reconcileReceipts: () => reconcileReceipts(sandbox) },
  })()
}

async function openCharge() {
  const page = await createPage(sandbox, { sellerId: await createSeller(sandbox) })
  return createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
}

const removalOf = async (id: string) =>
  (await sandbox.db.selectFrom("charges").select("removal").where("id", "=", id).executeTakeFirstOrThrow()).removal

const cancel = (id: string) =>
  sandbox.db.updateTable("charges").set({ status: "cancelled", removal: "due" }).where("id", "=", id).execute()

const refund = (charge: { id: string; sellerId: string }, origin: "seller" | "admin" = "seller") =>
  requestRefund(sandbox, {
    chargeId: charge.id,
    actor: { id: charge.sellerId, address: null },
    origin,
    amountCents: null,
    reason: "",
    idempotencyKey: null,
  })

const statusesOf = async (chargeId: string) =>
  (await sandbox.db.selectFrom("refunds").select("status").where("charge_id", "=", chargeId).execute()).map(
    ({ status }) => status,
  )

test("a former bank's code is removed there, never at the present bank, and can't be paid afterwards", async () => {
  const charge = await openCharge()
  await cancel(charge.id)
  await removeDueCharges(atPresent())
  expect(await removalOf(charge.id)).toBe("due")
  await serveFormer()
  expect(await removalOf(charge.id)).toBe("done")
  expect((await sandbox.pay(charge.pixCode)).status).toBe(422)
})

test("a payment of a former bank's open code is booked, although no webhook came", async () => {
  const charge = await payCharge(sandbox)
  await serveFormer()
  expect(await readSellerBalance(sandbox.db, charge.sellerId)).toBe(8_500)
})

test("a refund of a former bank's payment goes to that bank, once, while its variables are set", async () => {
  const charge = await openPaidCharge(sandbox)
  await refund(charge)
  await settleRefunds({ ...atPresent(), clock: clockIn(90) })
  expect(await statusesOf(charge.id)).toEqual(["processing"])
  await Promise.all([serveFormer(), serveFormer()])
  await serveFormer(300)
  expect(await statusesOf(charge.id)).toEqual(["completed"])
})

test.each([
  ["seller", errorMessages.refund_at_former_bank],
  ["admin", expect.stringMatching(/banco simulator.*PIX_FORMER_PROVIDER/)],
] as const)(
  "without its variables a refund is refused, no money moves, and the %s reads what to do",
  async (origin, words) => {
    const charge = await openPaidCharge(sandbox)
    await connect("present")
    for (let times = 0; times < 2; times += 1) {
      await expect(refund(charge, origin)).rejects.toMatchObject({
        code: "refund_at_former_bank",
        shownMessage: words,
      })
    }
    expect(await statusesOf(charge.id)).toEqual([])
    expect(await readSellerBalance(sandbox.db, charge.sellerId)).toBe(8_500)
  },
)

test("without its variables a payment that matched nothing can't be returned to the former bank either", async () => {
  const endToEndId = await receiveStray(sandbox, { valor: "12.34" })
  await bookReceipt(sandbox, endToEndId)
  await connect("present")
  const { id } = await sandbox.db
    .selectFrom("unmatched_payments")
    .select("id")
    .where("end_to_end_id", "=", endToEndId)
    .executeTakeFirstOrThrow()
  const admin = { id: await createSeller(sandbox), address: null }
  await expect(returnUnmatchedPayment(sandbox, { id, admin, adminNotes: "" })).rejects.toMatchObject({
    code: "refund_at_former_bank",
  })
})

test("removals at a bank without a connection wait until the code has expired, and are named until then", async () => {
  const charge = await openCharge()
  await cancel(charge.id)
  await connect("present")
  const alarms: unknown[] = []
  const log = { ...sandbox.log, error: (facts: unknown) => void alarms.push(facts) } as typeof sandbox.log
  await warnOfLostBanks({ db: sandbox.db, log })
  expect(alarms).toEqual([expect.objectContaining({ alarm: "former_bank_unreachable", provider: "simulator" })])
  const start = (leaving: string | null, ...connected: string[]) =>
    requireWordToLeave(sandbox.db, { connected, leaving })
  await expect(start(null, "present")).rejects.toThrow(/PIX_LEAVE_BANK=simulator/)
  await expect(start("another", "present")).rejects.toThrow(/PIX_FORMER_/)
  await start("simulator", "present")
  await start(null, "present", "simulator")

  await tidyUp({ db: sandbox.db, clock: sandbox.clock })
  expect(await removalOf(charge.id)).toBe("due")
  await tidyUp({ db: sandbox.db, clock: clockIn(2 * 86_400) })
  expect(await removalOf(charge.id)).toBe("given_up")
})

test("one chore's failure stops no other", async () => {
  const charge = await openCharge()
  await cancel(charge.id)
  const inbox = { workOff: () => Promise.reject(new Error("inbox")) }
  const formerBank = { psp: sandbox.psp, inbox, reconcileReceipts: () => Promise.reject(new Error("receipts")) }
  const paid = await openPaidCharge(sandbox)
  await refund(paid)
  await expect(formerBankRun({ ...sandbox, clock: clockIn(90), formerBank })()).rejects.toThrow("inbox")
  expect([await removalOf(charge.id), await statusesOf(paid.id)]).toEqual(["done", ["completed"]])
})
