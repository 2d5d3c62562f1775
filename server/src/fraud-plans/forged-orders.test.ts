import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { newSecretKeyText, parseSecretKeys } from "#kit/secrets"
import { bookPayments } from "#money/payments/book"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { resealEverything } from "#start/secrets-file"
import { byTransfer, openForgery, refused } from "../../test-support/forgery.ts"
import type { Administrator, Victim } from "../../test-support/fraud-plan.ts"
import { receiptOf } from "../../test-support/sandbox.ts"
import { secretKeys } from "../../test-support/secret-keys.ts"

const log = createLog("silent")
const forgery = await openForgery()
const { plan, chief, deputy, by, forge, now, approve, shown, bothAreTold, expectNothingLeaves } = forgery
let victim: Victim
const asked = (amount: number, destination?: object) => forgery.asked(victim, amount, destination)
const balance = () => forgery.balanceOf(victim)

beforeEach(async () => {
  victim = await forgery.newVictim()
})

afterAll(() => plan.close())

describe("a withdrawal", () => {
  test("that is approved by a row alone isn't sent, is shown with its reason, and can go back to the balance", async () => {
    const before = await balance()
    const id = await asked(7_000)
    await forge(`update withdrawals set status = 'approved', approved_at = ${now()}, decided_by = '${chief.id}',
      next_attempt_at = ${now()} where id = '${id}'`)
    expect(await plan.left()).toEqual([])
    await bothAreTold("aprovação de saque")
    await expectNothingLeaves()
    expect(await shown(id)).toMatchObject({ status: "approved", waitsBecause: "not_authentic", returnable: true })
    const back = (admin: Administrator) => by(admin, "PATCH", `withdrawals/${id}/return`, { reason: "Ninguém aprovou" })
    expect((await back(chief)).json.data.pending).toBe(true)
    expect((await back(deputy)).json.data.withdrawal.status).toBe("rejected")
    expect(await balance()).toBe(before)
  })

  test.each([
    ["approved", "'approved', null, null"],
    ["already on its way", "'processing', 'simulator', created_at"],
  ])("that is inserted as %s, with its posting, isn't sent", async (_how, state) => {
    const genuine = await asked(10)
    const id = newId()
    await forge(
      `insert into withdrawals (id, seller_id, amount_cents, method, pix_key, pix_key_kind, payout_id, created_at,
          approved_at, decided_by, next_attempt_at, status, provider, sent_at, request_mac, approval_mac)
        select '${id}', seller_id, 400000, 'pix', 'ladrao@dest.example', 'email', replace('${id}', '-', ''), created_at,
          ${now()}, '${chief.id}', ${now()}, ${state}, request_mac, request_mac
        from withdrawals where id = '${genuine}'`,
      `update ledger_accounts set balance_cents = balance_cents - 400000 where id = 'seller-available:${victim.id}'`,
      `update ledger_accounts set balance_cents = balance_cents + 400000 where id = 'seller-held:${victim.id}'`,
    )
    await expectNothingLeaves()
  })

  test("whose request is rewritten isn't approved, singly or in a batch, and is left as it is", async () => {
    const rewritings: [string, object?][] = [
      ["pix_key = 'ladrao@dest.example'"],
      ["pix_key_kind = 'evp'"],
      ["amount_cents = 9000000"],
      ["payout_id = 'outro'"],
      ["created_at = created_at - interval '1 day'"],
      ["seller_id = (select id from users where role = 'user' order by id limit 1)"],
      ["request_mac = null"],
      [`bank_data = bank_data || '{"account": "66666-6"}'`, byTransfer],
      [`bank_data = bank_data || '{"bank": "Bradesco"}'`, byTransfer],
      [`bank_data = bank_data || '{"accountType": "poupanca"}'`, byTransfer],
      [
        "method = 'pix', bank_data = null, pix_key = 'x@dest.example', pix_key_kind = 'email', payout_id = 'p1'",
        byTransfer,
      ],
    ]
    const ids: string[] = []
    for (const [change, destination] of rewritings) {
      const id = await asked(10, destination)
      await forge(`update withdrawals set ${change} where id = '${id}'`)
      expect((await shown(id)).waitsBecause).toBe("not_authentic")
      expect(await approve(chief, id)).toMatchObject(refused)
      ids.push(id)
    }
    await bothAreTold("pedido de saque")
    const batch = await by(deputy, "POST", "withdrawals/approve", { ids })
    expect(batch.json.data.approvals).toMatchObject(
      ids.map(() => ({ code: "order_not_authentic", withdrawal: { status: "pending" } })),
    )
    await expectNothingLeaves()
    const ends = []
    for (const id of ids) ends.push((await by(chief, "PATCH", `withdrawals/${id}/reject`)).status)
    // Nobody gets back what they never had on its way out.
    expect(ends).toEqual(rewritings.map(([change]) => (/^(amount_cents|seller_id)/.test(change) ? 409 : 200)))
  })

  test("that is rewritten after its approval isn't sent, however many there are, and keeps no honest one waiting", async () => {
    const rewritings = [
      "pix_key = 'ladrao@dest.example'",
      "pix_key_kind = 'evp'",
      "amount_cents = 90000",
      "payout_id = 'mais'",
      "decided_by = (select id from users where role = 'user' and id <> seller_id limit 1)",
      "first_approved_by = (select id from users where role = 'user' and id <> seller_id limit 1)",
      "approved_at = approved_at - interval '1 minute'",
      "approval_mac = request_mac",
      "approval_mac = null",
    ]
    const ids: string[] = []
    for (const change of rewritings) {
      const id = await asked(10)
      expect((await approve(chief, id)).json.data.withdrawal.status).toBe("approved")
      await forge(`update withdrawals set ${change} where id = '${id}'`)
      ids.push(id)
    }
    await approve(chief, await asked(20))
    expect(await plan.left()).toEqual([`payout 20 to ${victim.id}@loja.example`])
    await expectNothingLeaves()
    for (const id of ids) expect(await shown(id)).toMatchObject({ status: "approved", waitsBecause: "not_authentic" })
  })

  test("with the MACs of another one isn't sent, nor is one that was approved under another hold", async () => {
    const [mine, other] = [await asked(100), await asked(200)]
    await approve(chief, other)
    await forge(`update withdrawals set (status, approved_at, decided_by, next_attempt_at, approval_mac) =
      (select status, approved_at, decided_by, next_attempt_at, approval_mac from withdrawals where id = '${other}')
      where id = '${mine}'`)
    expect(await plan.left()).toEqual([`payout 200 to ${victim.id}@loja.example`])
    await expectNothingLeaves()
  })

  test("to a bank account isn't marked as paid by hand where only a row says that it was approved", async () => {
    const id = await asked(100, byTransfer)
    await forge(
      `update withdrawals set status = 'approved', approved_at = ${now()}, decided_by = '${chief.id}' where id = '${id}'`,
    )
    expect(await by(deputy, "PATCH", `withdrawals/${id}/complete`)).toMatchObject(refused)
    await bothAreTold("aprovação de saque")
    expect((await shown(id)).status).toBe("approved")
  })

  test("that is honest leaves once, also when it is sent twice at once", async () => {
    const id = await asked(100)
    await Promise.all([approve(chief, id), approve(deputy, id)])
    await Promise.all([plan.sendPayouts(), plan.sendPayouts()])
    expect(await plan.left()).toEqual([`payout 100 to ${victim.id}@loja.example`])
    await expectNothingLeaves()
    expect((await shown(id)).status).toBe("completed")
  })

  test("that went back to the balance isn't brought back to life", async () => {
    const [approved, pending] = [await asked(100), await asked(50)]
    await approve(chief, approved)
    await plan.press(await plan.newNotMePath(victim))
    await plan.db.updateTable("freezes").set({ ended_at: plan.clock.now(), ended_by: chief.id }).execute()
    await forge(
      `update withdrawals set status = 'approved', processed_at = null, next_attempt_at = ${now()} where id = '${approved}'`,
      `update withdrawals set status = 'pending', processed_at = null where id = '${pending}'`,
      `update ledger_accounts set balance_cents = balance_cents + 15000 where id = 'seller-held:${victim.id}'`,
    )
    expect(await approve(chief, pending)).toMatchObject(refused)
    await expectNothingLeaves()
  })

  test("that was paid doesn't come back as more than was paid", async () => {
    const id = await asked(100, byTransfer)
    await approve(chief, id)
    expect((await by(deputy, "PATCH", `withdrawals/${id}/complete`)).status).toBe(200)
    const before = await balance()
    await forge(`update withdrawals set amount_cents = 900000 where id = '${id}'`)
    for (const admin of [chief, deputy]) {
      expect(await by(admin, "PATCH", `withdrawals/${id}/return`, { reason: "Voltou" })).toMatchObject(refused)
    }
    expect(await balance()).toBe(before)
  })
})

describe("a refund", () => {
  /** Money that came without a charge; accepted for the victim where `isCredited`. */
  async function payment(cents: number, isCredited: boolean) {
    await bookPayments({ ...plan, log }, [receiptOf(null, cents)])
    const listed = (await by(chief, "GET", "unmatched-payments")).json.data.payments
    const unmatched = listed.find(({ status }: { status: string }) => status === "open")
    if (!isCredited) return unmatched._id as string
    const accept = (admin: Administrator) =>
      by(admin, "PATCH", `unmatched-payments/${unmatched._id}/accept`, { sellerId: victim.id })
    await accept(chief)
    return (await accept(deputy)).json.data.payment.transaction._id as string
  }

  const request = (id: string, amount: number) => by(chief, "POST", `transactions/${id}/refunds`, { amount })

  test("that is honest leaves", async () => {
    const id = await payment(10_000, true)
    await request(id, 40)
    expect(await plan.left()).toEqual(["refund 40"])
  })

  test("that is rewritten isn't sent, nor settled by hand", async () => {
    const rewritings = [
      "amount_cents = 9000",
      "end_to_end_id = (select end_to_end_id from payments where end_to_end_id <> refunds.end_to_end_id limit 1)",
      "psp_refund_id = 'outro'",
      "reason = 'outra'",
      `requested_by = '${deputy.id}'`,
      "mac = null",
    ]
    const ids: string[] = []
    for (const change of rewritings) {
      const refundId = (await request(await payment(10_000, true), 40)).json.data.refund._id
      await forge(`update refunds set ${change} where id = '${refundId}'`)
      ids.push(refundId)
    }
    expect(await plan.left()).toEqual([])
    await bothAreTold("estorno ou devolução")
    await expectNothingLeaves()
    const word = { outcome: "not_paid", endToEndId: null, reason: "O banco não sabe dele" }
    plan.clock.pass(2 * 86_400)
    for (const id of ids) expect(await by(deputy, "PATCH", `refunds/${id}/settle`, word)).toMatchObject(refused)
    await forge("delete from refunds where status = 'processing'")
  })

  test.each([true, false])("that is inserted (of a credited payment: %s) isn't sent", async (isCredited) => {
    const id = await payment(10_000, isCredited)
    const of = isCredited
      ? `select end_to_end_id, id, seller_id from charges where id = '${id}'`
      : `select end_to_end_id, null::uuid, null::uuid from unmatched_payments where id = '${id}'`
    const refundId = newId()
    await forge(`insert into refunds (id, end_to_end_id, charge_id, seller_id, psp_refund_id, provider, amount_cents,
        fee_cents, origin, status, requested_by, next_attempt_at, created_at)
      select '${refundId}', of.*, 'inventado', 'simulator', 10000, 0, 'admin', 'processing', '${chief.id}', ${now()}, ${now()}
      from (${of}) of`)
    expect(await plan.left()).toEqual([])
    await bothAreTold("estorno ou devolução")
    await expectNothingLeaves()
    await forge(`delete from refunds where id = '${refundId}'`)
  })

  test("that returns an unmatched payment and is rewritten isn't sent", async () => {
    for (const change of ["amount_cents = 1", "psp_refund_id = 'outro'", "mac = null"]) {
      const id = await payment(10_000, false)
      expect((await by(chief, "PATCH", `unmatched-payments/${id}/return`, {})).status).toBe(200)
      await forge(`update refunds set ${change} where status = 'processing'`)
    }
    await expectNothingLeaves()
    const { payments } = (await by(chief, "GET", "unmatched-payments?status=all")).json.data
    const reasons = payments.map(
      ({ refund }: { refund: { failureReason: string | null } | null }) => refund?.failureReason,
    )
    expect(reasons.filter((reason: string | null) => reason?.startsWith("Não é enviado"))).toHaveLength(3)
    await forge("delete from refunds where status = 'processing'")
  })
})

test("a rotation of SECRETS_KEY keeps every order valid with the new key alone, and makes no forged one good", async () => {
  const [pending, approved, large] = [await asked(10), await asked(20), await asked(7_000)]
  const forged = await asked(30)
  await forge(`update withdrawals set pix_key = 'ladrao@dest.example' where id = '${forged}'`)
  await approve(chief, approved)
  await approve(chief, large)
  const body = { kind: "correction", direction: "credit", amount: 10, sellerId: victim.id, reason: "Engano" }
  const entry = (await by(chief, "POST", "journal", body)).json.data.entry._id

  const next = parseSecretKeys(newSecretKeyText())
  if (next === null) throw new Error("a new key can be read")
  const rotation = { ...plan, secretKeys: () => [...next, ...secretKeys()] as const }
  expect(await resealEverything(rotation)).toBeGreaterThan(4)
  expect(await resealEverything(rotation)).toBe(0)
  holdOrderKeys({ secretKeys: () => next, log })
  try {
    expect((await approve(deputy, pending)).json.data.withdrawal.status).toBe("approved")
    expect((await approve(deputy, large)).json.data.withdrawal.status).toBe("approved")
    expect((await by(deputy, "PATCH", `journal/${entry}/approve`)).status).toBe(200)
    expect(await approve(chief, forged)).toMatchObject(refused)
    const key = `${victim.id}@loja.example`
    expect(await plan.left()).toEqual([`payout 10 to ${key}`, `payout 20 to ${key}`, `payout 7000 to ${key}`])
  } finally {
    holdOrderKeys({ secretKeys, log })
  }
})
