import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"

let victim: Victim
let fresh: string

const plan = await openFraudPlan()
const admin = await plan.administrator()

beforeEach(async () => {
  plan.clock.pass(3 * 86_400)
  victim = await plan.victim()
  fresh = await plan.freshSessionOf(victim)
})

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(async () => {
  expect(await verifyLedger(plan.db)).toEqual([])
  expect(await verifyWithdrawals(plan.db)).toEqual([])
  await plan.close()
})

const call = (method: "GET" | "POST" | "PATCH", path: string, body?: object, token = fresh) =>
  plan.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })
const withdraw = (amount = 100, pixKey = "ladrao@loja.example", token = fresh) =>
  call("POST", "withdrawals", { amount, paymentMethod: "pix", pixKey }, token)

async function withdrawn(amount?: number, pixKey?: string) {
  const { status, json } = await withdraw(amount, pixKey)
  expect(status).toBe(201)
  return json.data.withdrawal
}

async function asAdmin(method: "POST" | "PATCH", path: string, body?: object) {
  return call(method, `admin/${path}`, body, await plan.freshSessionOf(admin, "admin"))
}
const approve = (id: string) => asAdmin("PATCH", `withdrawals/${id}/approve`, {})
const hours = (count: number) => new Date(plan.clock.now().getTime() + count * 3_600_000).toISOString()

/** Time passes, and a session of the same person is fresh again. */
async function pass(count: number) {
  plan.clock.pass(count * 3_600)
  fresh = await plan.freshSessionOf(victim)
}

/** A destination that the victim has used for long. */
async function trust(pixKey: string) {
  const { _id } = await withdrawn(1, pixKey)
  await pass(25)
  expect((await approve(_id)).status).toBe(200)
  expect(await plan.left()).toEqual([`payout 1 to ${pixKey}`])
}

const key = async () => (await insertApiKey(plan.db, victim.id)).key
const stop = async () => {
  await plan.press(await plan.newNotMePath(victim))
  expect((await asAdmin("PATCH", `users/${victim.id}/unfreeze`)).status).toBe(200)
  plan.clock.pass(1)
  fresh = await plan.freshSessionOf(victim)
}

test("a destination where a thief was paid is new again after the owner's word: no key reaches it, no session that isn't confirmed, and it waits", async () => {
  await trust("ladrao@loja.example")
  const program = await key()
  expect((await withdraw(1, "ladrao@loja.example", program)).status).toBe(201)
  await stop()
  const stale = await plan.sessionOf(victim)
  expect((await call("GET", "users/me/destinations", undefined, stale)).json.data.destinations).toEqual([])
  expect((await withdraw(1, "ladrao@loja.example", program)).json.code).toBe("withdrawal_destination_unproven")
  expect((await withdraw(1, "ladrao@loja.example", stale)).json.code).toBe("step_up_required")
  const asked = await withdrawn(1, "ladrao@loja.example")
  expect(asked.holdReasons).toEqual(["new_destination", "recovery"])
  expect((await withdraw(1, "ladrao@loja.example", program)).json.code).toBe("withdrawal_destination_unproven")
  await pass(80)
  expect((await approve(asked._id)).status).toBe(200)
  expect(await plan.left()).toEqual(["payout 1 to ladrao@loja.example"])
  expect((await withdraw(1, "ladrao@loja.example", program)).status).toBe(201)
})

test("it is told apart from one that was used for longer than a month", async () => {
  await trust("ana@loja.example")
  plan.clock.pass(31 * 86_400)
  await stop()
  expect((await withdraw(1, "ana@loja.example", await key())).status).toBe(201)
  expect((await withdrawn(1, "ana@loja.example")).holdReasons).toEqual(["recovery"])
})

test("a destination is removed by its owner alone, once, and after a confirmation", async () => {
  await trust("ladrao@loja.example")
  const list = async () => (await call("GET", "users/me/destinations")).json.data.destinations
  const [{ _id }] = await list()
  const remove = (token: string) => plan.call("DELETE", `/api/v1/users/me/destinations/${_id}`, { token })
  expect((await remove(victim.token)).json.code).toBe("step_up_required")
  expect((await remove(await plan.freshSessionOf(await plan.victim()))).status).toBe(404)
  const replies = await Promise.all([remove(fresh), remove(fresh)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 404])
  expect((await remove(fresh)).status).toBe(404)
  plan.clock.pass(1)
  expect(await list()).toEqual([])
  expect((await withdraw(1, "ladrao@loja.example", await key())).json.code).toBe("withdrawal_destination_unproven")
  expect((await withdrawn(1, "ladrao@loja.example")).holdReasons).toEqual(["new_destination"])
  expect(await list()).toMatchObject([{ _id, heldUntil: hours(24) }])
})
