import { afterAll, beforeEach, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { printAdminLink } from "#people/users/first-admin"
import { codeOf } from "../../test-support/enrol-totp.ts"
import { type Administrator, openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { sellerForm } from "../../test-support/test-app.ts"

let victim: Victim

const plan = await openFraudPlan()
const stolen = await plan.administrator()
const honest = await plan.administrator()
await by(honest, "POST", "settings/initialize")

beforeEach(async () => {
  await plan.db.deleteFrom("second_approvals").execute()
  plan.sent.length = 0
  plan.clock.pass(9 * 86_400)
  await plan.db.updateTable("freezes").set({ ended_at: plan.clock.now(), ended_by: honest.id }).execute()
  victim = await plan.victim()
})

afterAll(async () => {
  expect(await verifyLedger(plan.db)).toEqual([])
  expect(await verifyWithdrawals(plan.db)).toEqual([])
  await plan.close()
})

type Method = "GET" | "POST" | "PATCH" | "DELETE"
async function by(admin: Administrator, method: Method, path: string, body?: object) {
  const token = await plan.freshSessionOf(admin, "admin")
  return plan.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })
}
const stop = async () => plan.press(await plan.newNotMePath(stolen))

/** A withdrawal whose waits are over. */
async function asked(amount: number): Promise<string> {
  await plan.give(victim, amount * 100)
  const body = { amount, paymentMethod: "pix", pixKey: `${victim.id}@loja.example` }
  const token = await plan.freshSessionOf(victim)
  const { json } = await plan.call("POST", "/api/v1/withdrawals", { token, body })
  plan.clock.pass(25 * 3_600)
  return json.data.withdrawal._id
}

const statusOf = async (id: string) =>
  (await plan.db.selectFrom("withdrawals").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status

test("an administrator whose owner said that it wasn't them only looks, in whatever session", async () => {
  const id = await asked(100)
  await stop()
  const changes: [Method, string, object?][] = [
    ["PATCH", `admin/withdrawals/${id}/approve`],
    ["POST", "admin/withdrawals/approve", { ids: [id] }],
    ["PATCH", `admin/withdrawals/${id}/reject`, { adminNotes: "x" }],
    ["PATCH", "settings/PLATFORM_NAME", { value: "Ladrão" }],
    ["POST", "admin/users", { name: "Comparsa", email: `comparsa-${victim.id}@loja.example`, role: "user" }],
    ["DELETE", `admin/users/${victim.id}`],
    ["PATCH", `admin/users/${stolen.id}/unfreeze`],
    ["POST", "admin/journal", {}],
  ]
  for (const [method, path, body] of changes) {
    const refused = await by(stolen, method, path, body)
    expect({ path, ...refused }).toMatchObject({ status: 403, json: { code: "account_frozen" } })
  }
  expect((await by(stolen, "GET", `admin/withdrawals/${id}`)).status).toBe(200)
  expect(await statusOf(id)).toBe("pending")
  expect((await by(honest, "PATCH", `admin/withdrawals/${id}/approve`)).json.data.withdrawal.status).toBe("approved")
})

test("a first word that was given before doesn't count any more, so that nothing is approved by one person", async () => {
  const id = await asked(6_000)
  const approve = (admin: Administrator) => by(admin, "PATCH", `admin/withdrawals/${id}/approve`)
  expect((await approve(stolen)).json.data.withdrawal.approvals).toBe(1)
  await stop()
  expect((await approve(honest)).json.data.withdrawal).toMatchObject({ status: "pending", approvals: 1 })
  expect((await approve(honest)).json.code).toBe("second_approver_needed")
  expect((await approve(stolen)).json.code).toBe("account_frozen")
  expect(await statusOf(id)).toBe("pending")
})

test("a freeze leaves nobody alone: what needs two waits for the frozen one, but for their own release", async () => {
  await stop()
  const waits = { status: 200, json: { data: { pending: true } } }
  expect(await by(honest, "PATCH", `admin/users/${victim.id}`, { role: "admin" })).toMatchObject(waits)
  expect(await by(honest, "PATCH", `admin/users/${stolen.id}`, { role: "user" })).toMatchObject(waits)
  const release = () => by(honest, "PATCH", `admin/users/${stolen.id}/unfreeze`)
  expect((await release()).json.data?.pending).toBe(undefined)
  expect((await release()).json.code).toBe("account_not_frozen")
  expect((await by(stolen, "PATCH", "settings/PLATFORM_NAME", { value: "Tilinta" })).status).toBe(200)
})

test("the owner's own old factor ends it", async () => {
  await stop()
  await plan.resetPassword(stolen)
  const code = codeOf(stolen.secret, plan.clock.now())
  const body = { email: stolen.email, password: sellerForm.password, code }
  expect((await plan.call("POST", "/api/v1/auth/login", { body })).status).toBe(200)
  expect((await by(stolen, "PATCH", "settings/PLATFORM_NAME", { value: "Tilinta" })).status).toBe(200)
})

test("whoever runs the server ends it with the factors, when no trusted one is left, and not without them", async () => {
  const { id, email } = await plan.administrator()
  await plan.press(await plan.newNotMePath({ id, email, token: "" }))
  const underWay = async () => {
    const row = plan.db.selectFrom("freezes").select("id").where("user_id", "=", id).where("ended_at", "is", null)
    return (await row.execute()).length
  }
  await printAdminLink(plan, { email, removesFactors: false })
  expect(await underWay()).toBe(1)
  for (const _ of ["once", "twice"]) {
    await printAdminLink(plan, { email, removesFactors: true })
    expect(await underWay()).toBe(0)
  }
  await plan.db.updateTable("users").set({ active: false }).where("id", "=", id).execute()
})
