import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { verifyLedger } from "#ledger/reads"
import { bookPayments } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { insertCharge } from "../../test-support/insert-charge.ts"
import { insertChargePages } from "../../test-support/insert-charge-pages.ts"
import { receiptOf } from "../../test-support/sandbox.ts"
import { openTwoAdmins, type Player, type TwoAdmins } from "../../test-support/two-admins.ts"

const log = createLog("silent")

let seller: Player

const platform = await openTwoAdmins()
const chief = platform.chief
const deputy = platform.deputy

beforeEach(async () => {
  seller = await platform.seller()
})

afterEach(async () => {
  expect(await platform.left()).toEqual([])
  await platform.forgetApprovals()
})

afterAll(async () => {
  expect(await verifyLedger(platform.db)).toEqual([])
  await platform.close()
})

const waits = { json: { data: { pending: true } } }
const needsAnother = { status: 409, json: { code: "second_approver_needed" } }
const balance = async () => reaisFromCents(await readSellerBalance(platform.db, seller.id))

type Reply = Awaited<ReturnType<TwoAdmins["call"]>>
type Act = (by: Player) => Promise<Reply>
const isDone = ({ status, json }: Reply) => status < 300 && json.data.pending !== true

const bankData = () => ({ bank: "001", agency: "1", account: seller.id.slice(0, 8), accountType: "corrente" })

/** A transfer of 100.00 that a person says they made. */
async function paidByHand(): Promise<string> {
  const id = await platform.requested(seller, 100, { paymentMethod: "bank_transfer", bankData: bankData() })
  expect((await platform.approve(chief, id)).status).toBe(200)
  expect((await platform.act(chief, "PATCH", `/admin/withdrawals/${id}/complete`)).status).toBe(200)
  return id
}

const unmatched = "/admin/unmatched-payments"

/** Money of nobody's. */
async function stray(cents = 10_000): Promise<string> {
  const receipt = receiptOf(null, cents)
  await bookPayments({ ...platform, log }, [receipt])
  const { json } = await platform.act(chief, "GET", `${unmatched}?search=${receipt.endToEndId}`)
  return json.data.payments[0]._id
}

/** A payment of another amount than its charge's. */
async function wrongAmount(cents: number): Promise<string> {
  const at = platform.clock.now().toISOString()
  const [pageId = ""] = await insertChargePages(platform.db, [{ sellerId: seller.id, at }])
  const chargeId = await insertCharge(platform.db, { sellerId: seller.id, pageId, status: "pending", at })
  const charge = platform.db.selectFrom("charges").select("txid").where("id", "=", chargeId)
  const receipt = receiptOf((await charge.executeTakeFirstOrThrow()).txid, cents)
  await bookPayments({ ...platform, log }, [receipt])
  const { json } = await platform.act(chief, "GET", `${unmatched}?search=${receipt.endToEndId}`)
  return json.data.payments[0]._id
}

async function paidTransaction(cents: number): Promise<{ id: string; endToEndId: string }> {
  const paymentId = await stray(cents)
  for (const by of [chief, deputy]) {
    await platform.act(by, "PATCH", `${unmatched}/${paymentId}/accept`, { sellerId: seller.id })
  }
  const { payment } = (await platform.act(chief, "GET", `${unmatched}/${paymentId}`)).json.data
  return { id: payment.transaction._id, endToEndId: payment.endToEndId }
}

async function registeredDispute(): Promise<string> {
  const { endToEndId } = await paidTransaction(10_000)
  const { json } = await platform.act(chief, "POST", "/admin/disputes", { endToEndId, reason: "fraud" })
  return json.data.dispute._id
}

/** Each act by which a person's word makes balance, or takes a large sum of it. */
const plans: [string, () => Promise<Act>, { before: number; after: number; label: string; leaves?: string[] }][] = [
  [
    "the return of a transfer that was paid",
    async () => {
      const id = await paidByHand()
      return (by) => platform.act(by, "PATCH", `/admin/withdrawals/${id}/return`, { reason: "Voltou" })
    },
    { before: 99_900, after: 100_000, label: "devolver saque ao saldo" },
  ],
  [
    "the return of a transfer that is approved, and may have been paid",
    async () => {
      const id = await platform.requested(seller, 100, { paymentMethod: "bank_transfer", bankData: bankData() })
      await platform.approve(chief, id)
      return (by) => platform.act(by, "PATCH", `/admin/withdrawals/${id}/return`, { reason: "Conta não existe" })
    },
    { before: 99_900, after: 100_000, label: "devolver saque ao saldo" },
  ],
  [
    "crediting money of nobody's to a seller of one's choice",
    async () => {
      const id = await stray()
      return (by) => platform.act(by, "PATCH", `${unmatched}/${id}/accept`, { sellerId: seller.id })
    },
    { before: 100_000, after: 100_085, label: "creditar pagamento a conferir" },
  ],
  [
    "crediting a large payment to the seller of its charge",
    async () => {
      const id = await wrongAmount(600_000)
      return (by) => platform.act(by, "PATCH", `${unmatched}/${id}/accept`, { adminNotes: "Conferido" })
    },
    { before: 100_000, after: 105_100, label: "creditar pagamento a conferir" },
  ],
  [
    "releasing disputed money",
    async () => {
      const id = await registeredDispute()
      return (by) => platform.act(by, "PATCH", `/admin/disputes/${id}/release`)
    },
    { before: 100_000, after: 100_085, label: "encerrar contestação" },
  ],
  [
    "a large refund out of a seller's balance",
    async () => {
      const { id } = await paidTransaction(600_000)
      return (by) => platform.act(by, "POST", `/admin/transactions/${id}/refunds`, { amount: 6_000 })
    },
    { before: 105_100, after: 100_000, label: "estornar transação", leaves: ["refund 6000"] },
  ],
]

describe.each(plans)("%s", (_name, prepare, { before, after, label, leaves = [] }) => {
  test("needs two administrators, and the one who didn't ask is told", async () => {
    const act = await prepare()
    expect(await act(chief)).toMatchObject(waits)
    expect(await balance()).toBe(before)
    const list = (await platform.act(deputy, "GET", "/admin/approvals")).json.data
    expect(list).toMatchObject({ summary: { waiting: 1, own: 0 }, approvals: [{ askedBy: { _id: chief.id } }] })
    await platform.expectTold(deputy, `Espera a sua aprovação: ${label}`)
    expect(await platform.left()).toEqual([])
    expect(isDone(await act(deputy))).toBe(true)
    expect(await balance()).toBe(after)
    expect(await platform.left()).toEqual(leaves)
    expect((await platform.act(deputy, "GET", "/admin/approvals")).json.data.summary).toEqual({ waiting: 0, own: 0 })
  })

  test("isn't done by one person twice, also through another session, nor without a confirmation", async () => {
    const act = await prepare()
    expect(await act(chief)).toMatchObject(waits)
    expect(await act(chief)).toMatchObject(needsAnother)
    expect(await act(await platform.secondSessionOf(chief))).toMatchObject(needsAnother)
    expect(await balance()).toBe(before)
    expect(await platform.left()).toEqual([])
    expect(isDone(await act(deputy))).toBe(true)
    expect(isDone(await act(deputy))).toBe(false)
    expect(await balance()).toBe(after)
    expect(await platform.left()).toEqual(leaves)
  })

  test("by two at once is done once; by one at once twice it isn't", async () => {
    const act = await prepare()
    const elsewhere = await platform.secondSessionOf(chief)
    const alone = await Promise.all([act(chief), act(elsewhere)])
    expect(alone.filter(isDone)).toEqual([])
    expect(await balance()).toBe(before)
    await platform.expectTold(deputy, `Espera a sua aprovação: ${label}`)
    await platform.forgetApprovals()
    const both = await Promise.all([act(chief), act(deputy)])
    expect(both.filter(isDone)).toHaveLength(1)
    expect(await balance()).toBe(after)
    expect(await platform.left()).toEqual(leaves)
  })
})

test("what is credited can't be moved to another seller between the two words", async () => {
  const accomplice = await platform.seller()
  const id = await stray()
  const accept = (by: Player, sellerId: string) => platform.act(by, "PATCH", `${unmatched}/${id}/accept`, { sellerId })
  expect(await accept(chief, seller.id)).toMatchObject(waits)
  expect(await accept(chief, accomplice.id)).toMatchObject(waits)
  expect(await accept(deputy, seller.id)).toMatchObject(waits)
  await platform.expectTold(chief, "Espera a sua aprovação: creditar pagamento a conferir")
  expect(await readSellerBalance(platform.db, accomplice.id)).toBe(10_000_000)
  expect(await balance()).toBe(100_000)
})

test("a small payment that its charge names needs one, and a credited one is only marked", async () => {
  const id = await wrongAmount(700)
  const { json } = await platform.act(chief, "PATCH", `${unmatched}/${id}/accept`)
  expect(json).toMatchObject({ message: "Pagamento aceito.", data: { payment: { status: "accepted" } } })
})

test("a large payment goes back to its payer by two, a small one by one", async () => {
  const [large, small] = [await stray(600_000), await stray(500_000)]
  const giveBack = (by: Player, id: string) => platform.act(by, "PATCH", `${unmatched}/${id}/return`)
  expect((await giveBack(chief, small)).json.data.payment.status).toBe("returning")
  expect(await platform.left()).toEqual(["refund 5000"])
  expect(await giveBack(chief, large)).toMatchObject({ json: { data: { pending: true, payment: { status: "open" } } } })
  expect(await giveBack(chief, large)).toMatchObject(needsAnother)
  await platform.expectTold(deputy, "Espera a sua aprovação: devolver pagamento a conferir")
  expect(await platform.left()).toEqual([])
  expect((await giveBack(deputy, large)).json.data.payment.status).toBe("returning")
  expect(await platform.left()).toEqual(["refund 6000"])
})

test("refunds of one payment in small parts count together, and a repeated one asks nobody", async () => {
  const { id } = await paidTransaction(900_000)
  const refund = (by: Player, amount: number, key?: string) =>
    platform.call("POST", `/api/v1/admin/transactions/${id}/refunds`, {
      token: by.token,
      body: { amount },
      ...(key !== undefined && { headers: { "idempotency-key": key } }),
    })
  await platform.act(chief, "GET", "/admin/approvals")
  const first = await refund(chief, 3_000, "parte-1")
  expect(isDone(first)).toBe(true)
  expect(await refund(chief, 3_000, "parte-2")).toMatchObject(waits)
  await platform.expectTold(deputy, "Espera a sua aprovação: estornar transação")
  expect(await platform.left()).toEqual(["refund 3000"])
  expect((await refund(chief, 3_000, "parte-1")).json).toEqual(first.json)
  await platform.act(deputy, "GET", "/admin/approvals")
  const second = await refund(deputy, 3_000, "parte-2")
  expect(isDone(second)).toBe(true)
  expect((await refund(deputy, 3_000, "parte-2")).json).toEqual(second.json)
  expect(await platform.left()).toEqual(["refund 3000"])
  const rows = platform.db.selectFrom("refunds").select("amount_cents").where("charge_id", "=", id)
  expect(await rows.execute()).toHaveLength(2)
})

test("a stolen session of an administrator that isn't confirmed does none of it", async () => {
  const token = (await platform.secondSessionOf(chief)).token
  platform.clock.pass(301)
  const paths = [
    "withdrawals/x/return",
    "withdrawals/x/settle",
    "refunds/x/settle",
    "unmatched-payments/x/accept",
    "unmatched-payments/x/return",
    "disputes/x/release",
    "disputes/x/debit",
  ]
  for (const path of paths) {
    const { status, json } = await platform.call("PATCH", `/api/v1/admin/${path}`, { token, body: {} })
    expect({ path, status, code: json.code }).toEqual({ path, status: 403, code: "step_up_required" })
  }
})
