import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import type { Proof } from "#people/second-factors/factors"
import { openPaidCharge, type PaidCharge } from "../../../test-support/paid-charges.ts"
import { openSandbox } from "../../../test-support/sandbox.ts"
import { requestRefund } from "./request.ts"

const sandbox = await openSandbox()

afterAll(() => sandbox.close())

const stale = { isFresh: false, isProgram: false, protection: "strict" } as const

async function refund(charge: PaidCharge, cents: number, proof: Partial<Proof> = {}, at = sandbox.clock.now()) {
  const row = sandbox.db.selectFrom("charges").select("seller_id").where("id", "=", charge.id)
  const { seller_id: userId } = await row.executeTakeFirstOrThrow()
  const request = { chargeId: charge.id, actor: { id: userId, address: null }, origin: "seller", reason: "" } as const
  const input = { ...request, amountCents: cents as Cents, proof: { ...stale, userId, ...proof }, idempotencyKey: null }
  return requestRefund({ ...sandbox, clock: { now: () => at } }, input).then(
    () => "ok",
    (error: { code?: string }) => error.code,
  )
}

test("refunds of one payment ask for a step-up above R$ 500 within 24 hours", async () => {
  const charge = await openPaidCharge(sandbox, { reais: 2_000 })
  expect(await refund(charge, 40_000)).toBe("ok")
  expect(await refund(charge, 10_001)).toBe("step_up_required")
  expect(await refund(charge, 10_000)).toBe("ok")
  expect(await refund(charge, 1)).toBe("step_up_required")
  expect(await refund(charge, 60_000, { isFresh: true })).toBe("ok")
  expect(await refund(charge, 1, {}, secondsAfter(sandbox.clock.now(), 86_399))).toBe("step_up_required")
  expect(await refund(charge, 1, {}, secondsAfter(sandbox.clock.now(), 86_401))).toBe("ok")
})

test("of two at once one is asked, and another payment has a sum of its own", async () => {
  const [charge, other] = [
    await openPaidCharge(sandbox, { reais: 2_000 }),
    await openPaidCharge(sandbox, { reais: 600 }),
  ]
  const outcomes = await Promise.all([refund(charge, 30_000), refund(charge, 30_000)])
  expect(outcomes.toSorted()).toEqual(["ok", "step_up_required"])
  expect(await refund(other, 30_000)).toBe("ok")
})

test("a program is refused there, and told to use the browser", async () => {
  const charge = await openPaidCharge(sandbox, { reais: 600 })
  expect(await refund(charge, 50_000, { isProgram: true })).toBe("ok")
  expect(await refund(charge, 1, { isProgram: true })).toBe("step_up_required")
})

test("in relaxed somebody without a factor isn't asked", async () => {
  const charge = await openPaidCharge(sandbox, { reais: 600 })
  expect(await refund(charge, 60_000, { protection: "relaxed" })).toBe("ok")
})
