import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, expect, test } from "vitest"
import { pspClearing, sellerHeld } from "#ledger/accounts"
import { readBalance } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { returnWithdrawal } from "./came-back.ts"
import { approveWithdrawal, completePaidByHand } from "./decide.ts"
import { sendPayouts } from "./pay.ts"
import { requestWithdrawal } from "./request.ts"
import type { Destination } from "./withdrawal.ts"

let sandbox: Sandbox
let admin: { id: string; address: null }

beforeAll(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ liquidacaoMs: 0 })
  admin = { id: await createSeller(sandbox), address: null }
})

afterAll(async () => {
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
  await sandbox.close()
})

const bank: Destination = {
  method: "bank_transfer",
  bankData: { bank: "Banco 1", agency: "0001", account: "12345-6", accountType: "corrente" },
}
const pix: Destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } }

/** 30.00 of a balance of 85.00. */
async function approved(destination: Destination = bank, psp = sandbox.psp) {
  const { sellerId } = await openPaidCharge(sandbox)
  const { id } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: 3_000 as Cents,
    destination,
    idempotencyKey: null,
  })
  await approveWithdrawal({ ...sandbox, psp }, { id, admin, adminNotes: "conferido" })
  return { id, sellerId }
}

async function paid(destination: Destination = bank, psp = sandbox.psp) {
  const withdrawal = await approved(destination, psp)
  await completePaidByHand(sandbox, { id: withdrawal.id, admin, adminNotes: "" })
  return withdrawal
}

const giveBack = (id: string, by = admin) =>
  returnWithdrawal(sandbox, { id, admin: by, reason: "A conta informada não existe" })

async function moneyOf(sellerId: string) {
  const { db } = sandbox
  return [await readSellerBalance(db, sellerId), await readBalance(db, sellerHeld(sellerId))]
}

const notReturnable = { code: "withdrawal_not_returnable" }

test("an approved transfer that can't be made goes back to the balance, with its reason and a mail", async () => {
  const { id, sellerId } = await approved()
  const { withdrawal } = await giveBack(id)
  expect(withdrawal).toMatchObject({
    status: "rejected",
    adminNotes: "conferido",
    returnReason: "A conta informada não existe",
    returnedCents: 0,
    returnedAt: expect.any(Date),
  })
  expect(await moneyOf(sellerId)).toEqual([8_500, 0])
  const mail = sandbox.db.selectFrom("mails").select("content").where("user_id", "=", sellerId)
  expect(await mail.where("dedupe_key", "like", "withdrawal-returned:%").execute()).toMatchObject([
    { content: { kind: "withdrawal_returned", wasPaid: false, returnedCents: 3_000 } },
  ])
  const audit = sandbox.db.selectFrom("audit_records").select(["actor_id", "after"]).where("entity_id", "=", id)
  expect(await audit.where("action", "=", "withdrawal.returned").execute()).toMatchObject([
    { actor_id: admin.id, after: { status: "rejected", reason: "A conta informada não existe" } },
  ])
})

test("a paid transfer that came back is credited, and the bank holds the money again", async () => {
  const before = await readBalance(sandbox.db, pspClearing("simulator"))
  const { id, sellerId } = await paid()
  expect(await moneyOf(sellerId)).toEqual([5_500, 0])
  const { withdrawal } = await giveBack(id)
  expect(withdrawal).toMatchObject({ status: "rejected", returnedCents: 3_000 })
  expect(await moneyOf(sellerId)).toEqual([8_500, 0])
  expect(await readBalance(sandbox.db, pspClearing("simulator"))).toBe(before - 10_000)
})

test("a Pix that a person pays can be returned in both states", async () => {
  const byHand = { ...sandbox.psp, payouts: null }
  for (const { id, sellerId } of [await approved(pix, byHand), await paid(pix, byHand)]) {
    await giveBack(id)
    expect(await moneyOf(sellerId)).toEqual([8_500, 0])
  }
})

test.for(["approved", "paid"] as const)(
  "a second return of one that was %s is refused and moves nothing",
  async (state) => {
    const { id, sellerId } = await (state === "approved" ? approved() : paid())
    await giveBack(id)
    await expect(giveBack(id)).rejects.toMatchObject(notReturnable)
    await expect(completePaidByHand(sandbox, { id, admin, adminNotes: "" })).rejects.toMatchObject({
      code: "withdrawal_not_completable",
    })
    expect(await moneyOf(sellerId)).toEqual([8_500, 0])
  },
)

test("of eight returns and completions at once the money goes one way once", async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id, sellerId } = await approved()
    const complete = () => completePaidByHand(sandbox, { id, admin, adminNotes: "" })
    await Promise.allSettled(Array.from({ length: 8 }, (_, index) => (index % 4 === 0 ? complete() : giveBack(id))))
    expect(await moneyOf(sellerId)).toEqual([8_500, 0])
  }
})

test("what the bank sends, or nobody approved, can't be returned; nobody returns their own", async () => {
  const sent = await approved(pix)
  await expect(giveBack(sent.id)).rejects.toMatchObject(notReturnable)
  await sendPayouts(sandbox)
  await expect(giveBack(sent.id)).rejects.toMatchObject(notReturnable)
  const own = await approved()
  await expect(giveBack(own.id, { id: own.sellerId, address: null })).rejects.toMatchObject({ code: "own_withdrawal" })
  await expect(giveBack("nada")).rejects.toMatchObject({ code: "withdrawal_not_found" })
})
