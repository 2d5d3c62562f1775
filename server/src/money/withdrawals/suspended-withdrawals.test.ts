import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { type Clock, secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { PspError, type PspPayouts } from "#psp/psp"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { approveWithdrawal, approveWithdrawals, rejectWithdrawal } from "./decide.ts"
import { verifyWithdrawals } from "./operator-reads.ts"
import { sendPayouts, settlePayouts, settleReportedPayouts } from "./pay.ts"
import { requestWithdrawal } from "./request.ts"

let sandbox: Sandbox
let adminId: string

beforeAll(async () => {
  sandbox = await openSandbox()
  adminId = await createSeller(sandbox)
  await sandbox.control({ liquidacaoMs: 0 })
})

afterEach(async () => {
  await setEnabled(true)
})

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await verifyWithdrawals(sandbox.db)).toEqual([])
  await sandbox.close()
})

const setEnabled = (isEnabled: boolean) => saveSetting(sandbox.db, "WITHDRAWALS_ENABLED", isEnabled)

const later = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })

async function requested(): Promise<{ id: string; sellerId: string }> {
  const sellerId = await createSeller(sandbox)
  await giveBalance(sandbox.db, sellerId, 1_000)
  const { id } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: 1_000 as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })
  return { id, sellerId }
}

const decisionOn = (id: string) => ({ id, admin: { id: adminId, address: null }, adminNotes: "" })

async function approved() {
  const withdrawal = await requested()
  await approveWithdrawal(sandbox, decisionOn(withdrawal.id))
  return withdrawal
}

async function statusOf(id: string): Promise<string> {
  const row = sandbox.db.selectFrom("withdrawals").select("status").where("id", "=", id)
  return (await row.executeTakeFirstOrThrow()).status
}

async function sentUnder(id: string): Promise<number> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/envios`)
  const { envios } = (await answer.json()) as { envios: { idEnvio: string }[] }
  return envios.filter(({ idEnvio }) => idEnvio === id.replaceAll("-", "")).length
}

const setActive = (id: string, active: boolean) =>
  sandbox.db.updateTable("users").set({ active }).where("id", "=", id).execute()

/** Takes it from the approved ones, and fails before the bank heard of it. */
async function takenAndUnsent() {
  const withdrawal = await approved()
  const { payouts } = sandbox.psp
  const unreachable = async () => Promise.reject(new PspError("unavailable", "the line is down"))
  const dead = { ...payouts, find: unreachable, send: unreachable } as unknown as PspPayouts
  await sendPayouts({ ...sandbox, psp: { ...sandbox.psp, payouts: dead } })
  expect(await statusOf(withdrawal.id)).toBe("processing")
  return withdrawal
}

test("while withdrawals are suspended none is approved, alone or with others; rejecting still works", async () => {
  const { id } = await requested()
  await setEnabled(false)
  await expect(approveWithdrawal(sandbox, decisionOn(id))).rejects.toMatchObject({ code: "withdrawals_disabled" })
  const nameUsers = async (ids: readonly string[]) =>
    new Map(ids.map((each) => [each, { id: each, name: "Ana", email: "ana@loja.example" }]))
  const batch = { ids: [id], admin: { id: adminId, address: null }, adminNotes: "", idempotencyKey: "lote" }
  expect(await approveWithdrawals({ ...sandbox, nameUsers }, batch)).toMatchObject([
    { refusal: "withdrawals_disabled" },
  ])
  expect(await statusOf(id)).toBe("pending")
  await rejectWithdrawal(sandbox, decisionOn(id))
  expect(await statusOf(id)).toBe("rejected")
})

test("what was approved before waits, and leaves once when withdrawals are back", async () => {
  const { id } = await approved()
  await setEnabled(false)
  await sendPayouts(sandbox)
  await settlePayouts({ ...sandbox, clock: later(120) })
  expect([await statusOf(id), await sentUnder(id)]).toEqual(["approved", 0])
  await setEnabled(true)
  await Promise.all([sendPayouts(sandbox), sendPayouts(sandbox)])
  expect([await statusOf(id), await sentUnder(id)]).toEqual(["completed", 1])
})

test("what was taken and never reached the bank waits too, whoever asks about it", async () => {
  const { id } = await takenAndUnsent()
  await setEnabled(false)
  await settlePayouts({ ...sandbox, clock: later(120) })
  await settleReportedPayouts(sandbox, [id.replaceAll("-", "")])
  expect([await statusOf(id), await sentUnder(id)]).toEqual(["processing", 0])
  await setEnabled(true)
  await settlePayouts({ ...sandbox, clock: later(300) })
  expect([await statusOf(id), await sentUnder(id)]).toEqual(["completed", 1])
})

test("what the bank has already is settled also while withdrawals are suspended", async () => {
  await sandbox.control({ liquidacaoMs: 200 })
  const { id } = await approved()
  await sendPayouts(sandbox)
  await sandbox.control({ liquidacaoMs: 0 })
  await setEnabled(false)
  await new Promise((resolve) => setTimeout(resolve, 250))
  await settlePayouts({ ...sandbox, clock: later(60) })
  expect(await statusOf(id)).toBe("completed")
})

test("the payouts of an inactivated seller wait, whether taken or not, and stop nobody else's", async () => {
  const taken = await takenAndUnsent()
  const [waiting, others] = [await approved(), await requested()]
  await setActive(waiting.sellerId, false)
  await setActive(taken.sellerId, false)
  await approveWithdrawal(sandbox, decisionOn(others.id))
  await sendPayouts(sandbox)
  await settlePayouts({ ...sandbox, clock: later(120) })
  expect([await statusOf(waiting.id), await statusOf(taken.id)]).toEqual(["approved", "processing"])
  expect([await sentUnder(waiting.id), await sentUnder(taken.id), await sentUnder(others.id)]).toEqual([0, 0, 1])

  await setActive(waiting.sellerId, true)
  await setActive(taken.sellerId, true)
  await sendPayouts(sandbox)
  await settlePayouts({ ...sandbox, clock: later(300) })
  expect([await sentUnder(waiting.id), await sentUnder(taken.id)]).toEqual([1, 1])
})
