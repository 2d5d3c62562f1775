import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import { cancelChargePage } from "#selling/closings/closings"
import { pullBackWork } from "#start/retention"
import { asOwner } from "../../test-support/as-owner.ts"
import { openPaidCharge, payCharge } from "../../test-support/paid-charges.ts"
import { createAdmin, createSeller, openSandbox } from "../../test-support/sandbox.ts"
import { storeTestWebhook } from "../../test-support/test-webhooks.ts"

const sandbox = await openSandbox()
await sandbox.control({ liquidacaoMs: 0, webhooksAtivos: false })
const sellerId = await createSeller(sandbox)
const adminId = await createAdmin(sandbox)

afterAll(() => sandbox.close())

const pullBack = () => pullBackWork({ ...sandbox, dueClock: sandbox.clock })
const ahead = "now() + interval '2 hours'"

test("a payout that a clock two hours ahead has put off is sent, once", async () => {
  await openPaidCharge(sandbox, { sellerId })
  const { id } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: 1_000 as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })
  await approveWithdrawal(sandbox, { id, admin: { id: adminId, address: null }, adminNotes: "" })
  await asOwner(sandbox, `update withdrawals set next_attempt_at = ${ahead}`)
  await sendPayouts(sandbox)
  const statusOf = async () =>
    (await sandbox.db.selectFrom("withdrawals").select("status").where("id", "=", id).executeTakeFirst())?.status
  expect(await statusOf()).toBe("approved")
  const pulled = await Promise.all([pullBack(), pullBack()])
  expect(pulled.map(({ payouts }) => payouts).toSorted()).toEqual([0, 1])
  await sendPayouts(sandbox)
  expect(await statusOf()).toBe("completed")
  expect((await pullBack()).payouts).toBe(0)
})

test("so is a refund", async () => {
  const charge = await openPaidCharge(sandbox, { sellerId })
  const actor = { id: sellerId, address: null }
  await requestRefund(sandbox, {
    chargeId: charge.id,
    actor,
    origin: "seller",
    amountCents: 500 as Cents,
    reason: "",
    idempotencyKey: null,
  })
  await asOwner(sandbox, `update refunds set next_attempt_at = ${ahead}`)
  expect((await pullBack()).refunds).toBe(1)
  await settleRefunds(sandbox)
  const refunds = await sandbox.db.selectFrom("refunds").select("status").execute()
  expect(refunds).toEqual([{ status: "completed" }])
})

test("so are removals and webhooks; what waits its usual pause keeps waiting", async () => {
  const charge = await payCharge(sandbox, { sellerId })
  await cancelChargePage(sandbox, { id: charge.pageId, sellerId })
  await storeTestWebhook(sandbox, Buffer.from("[]"))
  const usual = "now() + interval '1 minute'"
  for (const [moment, count] of [
    [usual, 0],
    [`now() + interval '2 days'`, 1],
  ] as const) {
    await asOwner(sandbox, `update charges set removal_not_before = ${moment} where removal = 'due'`)
    await asOwner(sandbox, `update psp_inbox set next_attempt_at = ${moment}`)
    expect(await pullBack()).toMatchObject({ removals: count, webhooks: count })
  }
  expect((await pullBack()).defences).toBe(0)
})
