import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { settleRefunds } from "#money/refunds/settle"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { endToEndId, muteBank, notPaid, paid } from "../../../test-support/mute-bank.ts"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"
import { verifyWithdrawals } from "./operator-reads.ts"
import { sendPayouts } from "./pay.ts"

let bank: Sandbox
let site: TestApp
let chief: Person
let deputy: Person
let seller: Person

beforeAll(async () => {
  bank = await openSandbox()
  site = await openTestApp({ psp: bank.psp })
  chief = await newPerson(site, "chefe@tilinta.example", "admin")
  deputy = await newPerson(site, "vice@tilinta.example", "admin")
  seller = await newPerson(site, "ana@loja.example")
  await giveBalance(site.db, seller.id, 10_000)
})

afterAll(async () => {
  expect([...(await verifyLedger(site.db)), ...(await verifyWithdrawals(site.db))]).toEqual([])
  await site.close()
  await bank.close()
})

const say = (path: string, token: string | null, body: object) =>
  site.call("PATCH", `/api/v1/admin/${path}/settle`, token === null ? { body } : { token, body })

async function approved(): Promise<string> {
  const body = { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" }
  const requested = await site.call("POST", "/api/v1/withdrawals", { token: seller.token, body })
  const id: string = requested.json.data.withdrawal._id
  const reply = await site.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token: chief.token })
  expect(reply.json.data.withdrawal).toMatchObject({ status: "approved", settleable: false, handSettlement: null })
  return id
}

const mute = () => ({ ...bank, db: site.db, clock: site.clock, psp: muteBank(bank.psp) })

/** Handed to the bank a day ago, without an answer. */
async function unanswered(): Promise<string> {
  const id = await approved()
  await sendPayouts(mute())
  site.clock.pass(61)
  expect((await withdrawalOf(id)).settleable).toBe(false)
  await asOwner(site.database, "update withdrawals set sent_at = sent_at - interval '1 day'")
  return id
}

async function unansweredRefund(): Promise<{ id: string; chargeId: string }> {
  const charge = await openPaidCharge({ ...bank, db: site.db, chargeSteps: site.chargeSteps }, { sellerId: seller.id })
  const path = `/api/v1/admin/transactions/${charge.id}/refunds`
  const requested = await site.call("POST", path, { token: chief.token, body: { amount: 40 } })
  await settleRefunds(mute())
  site.clock.pass(61)
  await asOwner(site.database, "update refunds set created_at = created_at - interval '1 day'")
  return { id: requested.json.data.refund._id, chargeId: charge.id }
}

async function withdrawalOf(id: string, token = deputy.token) {
  return (await site.call("GET", `/api/v1/admin/withdrawals/${id}`, { token })).json.data.withdrawal
}

async function refundOf(chargeId: string, token = deputy.token) {
  return (await site.call("GET", `/api/v1/admin/transactions/${chargeId}/refunds`, { token })).json.data.refunds[0]
}

async function balance(): Promise<number> {
  return (await site.call("GET", "/api/v1/users/me", { token: seller.token })).json.data.user.balance
}

test("only admins may, and what they say is checked before anything else", async () => {
  for (const path of ["withdrawals/x", "refunds/x"]) {
    expect((await say(path, null, paid)).status).toBe(401)
    expect((await say(path, seller.token, paid)).status).toBe(403)
    expect((await say(path, chief.token, paid)).status).toBe(404)
    for (const wrong of [{ endToEndId: "E1" }, { endToEndId: undefined }, { reason: " " }]) {
      const refused = await say(path, chief.token, { ...paid, ...wrong })
      expect([refused.status, refused.json.code]).toEqual([422, "validation_failed"])
    }
  }
})

test("what was never handed to the bank can't be settled by hand", async () => {
  const id = await approved()
  for (const { token } of [chief, deputy]) {
    const refused = await say(`withdrawals/${id}`, token, paid)
    expect([refused.status, refused.json.code]).toEqual([409, "not_settleable_by_hand"])
  }
})

describe("a payout", () => {
  test("is settled as paid by two administrators, and each sees who said what meanwhile", async () => {
    const id = await unanswered()
    const before = await balance()
    expect(await withdrawalOf(id)).toMatchObject({ status: "processing", settleable: true, handSettlement: null })
    const first = await say(`withdrawals/${id}`, chief.token, paid)
    expect(first.json).toMatchObject({
      message: "Anotado. Outro administrador precisa dizer o mesmo para que valha.",
      data: { settled: false, withdrawal: { status: "processing" } },
    })
    const said = {
      ...paid,
      saidBy: { _id: chief.id, name: "Ana Souza" },
      saidAt: site.clock.now().toISOString(),
      confirmedBy: null,
      settledAt: null,
      waitsFor: "second_admin",
    }
    expect(first.json.data.withdrawal.handSettlement).toEqual(said)
    expect((await withdrawalOf(id)).handSettlement).toEqual(said)
    const list = await site.call("GET", "/api/v1/admin/withdrawals?status=processing", { token: deputy.token })
    expect(list.json.data.withdrawals).toContainEqual(
      expect.objectContaining({ _id: id, settleable: true, handSettlement: said }),
    )
    const second = await say(`withdrawals/${id}`, deputy.token, { ...paid, reason: "Vi o mesmo" })
    expect(second.json).toMatchObject({
      message: "Saque resolvido: foi pago.",
      data: { settled: true, withdrawal: { status: "completed", endToEndId, settleable: false } },
    })
    expect((await withdrawalOf(id)).handSettlement).toMatchObject({
      reason: paid.reason,
      confirmedBy: { _id: deputy.id },
      settledAt: site.clock.now().toISOString(),
      waitsFor: null,
    })
    expect(await balance()).toBe(before)
  })

  test("is settled as not paid once: the money is back, and a third word is refused", async () => {
    const id = await unanswered()
    const before = await balance()
    await say(`withdrawals/${id}`, chief.token, notPaid)
    await say(`withdrawals/${id}`, chief.token, notPaid)
    expect(await balance()).toBe(before)
    const done = await say(`withdrawals/${id}`, deputy.token, notPaid)
    expect(done.json.message).toBe("Saque resolvido: não foi pago, e o valor voltou ao saldo.")
    expect(await balance()).toBe(before + 10)
    for (const { token } of [chief, deputy]) {
      expect((await say(`withdrawals/${id}`, token, paid)).json.code).toBe("not_settleable_by_hand")
    }
    expect([(await withdrawalOf(id)).status, await balance()]).toEqual(["rejected", before + 10])
  })

  test("about which two say different things, or say so at once, is settled once or not at all", async () => {
    const id = await unanswered()
    const before = await balance()
    await say(`withdrawals/${id}`, chief.token, paid)
    await say(`withdrawals/${id}`, deputy.token, notPaid)
    expect((await withdrawalOf(id)).handSettlement).toMatchObject({ ...notPaid, saidBy: { _id: deputy.id } })
    expect(await balance()).toBe(before)
    const answers = await Promise.all(
      [chief, deputy, chief, deputy].map(({ token }) => say(`withdrawals/${id}`, token, notPaid)),
    )
    expect(answers.filter(({ json }) => json.data?.settled)).toHaveLength(1)
    expect(await balance()).toBe(before + 10)
  })

  test("waits for its minute when a worker may be sending it", async () => {
    const id = await unanswered()
    await site.db.updateTable("withdrawals").set({ sending_at: site.clock.now() }).where("id", "=", id).execute()
    await say(`withdrawals/${id}`, chief.token, notPaid)
    const agreed = await say(`withdrawals/${id}`, deputy.token, notPaid)
    expect(agreed.json.data).toMatchObject({ settled: false, withdrawal: { handSettlement: { waitsFor: "sending" } } })
    site.clock.pass(61)
    expect((await say(`withdrawals/${id}`, chief.token, notPaid)).json.data.settled).toBe(true)
  })
})

describe("a refund", () => {
  test("is settled as paid by two administrators, once", async () => {
    const { id, chargeId } = await unansweredRefund()
    expect(await refundOf(chargeId)).toMatchObject({ status: "processing", settleable: true, handSettlement: null })
    const before = await balance()
    const first = await say(`refunds/${id}`, chief.token, paid)
    expect(first.json.data).toMatchObject({ settled: false, refund: { handSettlement: { waitsFor: "second_admin" } } })
    expect((await refundOf(chargeId)).handSettlement).toMatchObject({ ...paid, saidBy: { _id: chief.id } })
    const answers = await Promise.all([1, 2].map(() => say(`refunds/${id}`, deputy.token, paid)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await refundOf(chargeId)).toMatchObject({
      status: "completed",
      returnId: endToEndId,
      settleable: false,
      handSettlement: { confirmedBy: { _id: deputy.id }, waitsFor: null },
    })
    expect(await balance()).toBe(before)
  })

  test("is settled as not paid: the seller's part is back, and sellers read nothing of who said so", async () => {
    const { id, chargeId } = await unansweredRefund()
    const before = await balance()
    await Promise.all([say(`refunds/${id}`, chief.token, notPaid), say(`refunds/${id}`, deputy.token, notPaid)])
    expect(await refundOf(chargeId)).toMatchObject({ status: "refused", failureReason: notPaid.reason })
    expect(await balance()).toBe(before + 34)
    const path = `/api/v1/payments/transactions/${chargeId}/refunds`
    const [sellers] = (await site.call("GET", path, { token: seller.token })).json.data.refunds
    expect([Object.hasOwn(sellers, "handSettlement"), Object.hasOwn(sellers, "settleable")]).toEqual([false, false])
  })
})

test("an approved payout says why it waits", async () => {
  const id = await approved()
  expect((await withdrawalOf(id)).waitsBecause).toBe(null)
  await site.call("POST", "/api/v1/settings/initialize", { token: chief.token })
  const enabled = (value: boolean) =>
    site.call("PATCH", "/api/v1/settings/WITHDRAWALS_ENABLED", { token: chief.token, body: { value } })
  expect((await enabled(false)).status).toBe(200)
  expect((await withdrawalOf(id)).waitsBecause).toBe("withdrawals_disabled")
  await enabled(true)
  await site.db.updateTable("users").set({ active: false }).where("id", "=", seller.id).execute()
  const list = await site.call("GET", "/api/v1/admin/withdrawals?status=approved", { token: deputy.token })
  expect(list.json.data.withdrawals).toContainEqual(
    expect.objectContaining({ _id: id, waitsBecause: "seller_inactive" }),
  )
  await site.db.updateTable("users").set({ active: true }).where("id", "=", seller.id).execute()
  expect((await withdrawalOf(id)).waitsBecause).toBe(null)
})
