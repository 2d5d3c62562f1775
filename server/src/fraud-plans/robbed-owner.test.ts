import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { type Administrator, openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"

const plan = await openFraudPlan()
let founder: Victim
let admin: Administrator
/** Another owner of the founder's shop: a thief reads their mailbox. */
let robbed: Victim

beforeEach(async () => {
  plan.clock.pass(3 * 86_400)
  founder = await plan.victim()
  robbed = await plan.victim()
  admin = await plan.administrator()
  const token = await plan.freshSessionOf(founder)
  const body = { email: robbed.email, role: "owner" }
  const { json } = await plan.call("POST", `/api/v1/shops/${founder.id}/invitations`, { token, body })
  const link = json.data.invitation.link.split("/").at(-1)
  await plan.call("POST", `/api/v1/invitations/${link}/accept`, { token: robbed.token, body: {} })
  plan.clock.pass(3 * 86_400)
})

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(async () => {
  expect(await verifyLedger(plan.db)).toEqual([])
  await plan.close()
})

async function withdraw(who = robbed, pixKey = "ladrao@loja.example") {
  return withdrawBy(await plan.freshSessionOf(who), pixKey)
}
function withdrawBy(token: string, pixKey = "ladrao@loja.example") {
  const body = { amount: 100, paymentMethod: "pix", pixKey }
  const headers = { "x-shop": founder.id }
  return plan.call("POST", "/api/v1/withdrawals", { token, body, headers })
}
const withdrawalOf = async (id: string) =>
  plan.db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
const hoursUntil = (moment: Date | null) => (Number(moment) - plan.clock.now().getTime()) / 3_600_000
async function approve(id: string) {
  const token = await plan.freshSessionOf(admin, "admin")
  return plan.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token, body: {} })
}

test("what another owner asks for after their own recovery waits as the founder's would", async () => {
  await plan.resetPassword(robbed)
  const { json } = await withdraw()
  const { held_until, hold_reasons } = await withdrawalOf(json.data.withdrawal._id)
  expect(hold_reasons).toContain("recovery")
  expect(hoursUntil(held_until)).toBeCloseTo(72, 1)
  const own = (await withdraw(founder)).json.data.withdrawal._id
  expect((await withdrawalOf(own)).hold_reasons).toEqual(["new_destination"])
})

test("what another owner had asked for waits from their recovery on", async () => {
  const id = (await withdraw()).json.data.withdrawal._id
  const own = (await withdraw(founder)).json.data.withdrawal._id
  plan.clock.pass(25 * 3_600)
  expect((await approve(id)).status).toBe(200)
  await plan.resetPassword(robbed)
  expect(hoursUntil((await withdrawalOf(id)).held_until)).toBeCloseTo(72, 1)
  expect((await withdrawalOf(own)).hold_reasons).not.toContain("recovery")
  await plan.expectTold(founder, "Saque em espera: R$ 100,00")
  await plan.press(await plan.newNotMePath(robbed))
})

test("'Não fui eu' of another owner cancels what they asked for in the shop, and nothing else", async () => {
  const id = (await withdraw()).json.data.withdrawal._id
  const approved = (await withdraw()).json.data.withdrawal._id
  const own = (await withdraw(founder)).json.data.withdrawal._id
  plan.clock.pass(25 * 3_600)
  expect((await approve(approved)).status).toBe(200)
  // A thief who leaves the team takes nothing along.
  const leaving = { token: await plan.sessionOf(robbed), headers: { "x-shop": founder.id } }
  expect((await plan.call("DELETE", `/api/v1/shops/${founder.id}/members/${robbed.id}`, leaving)).status).toBe(204)
  const page = await plan.press(await plan.newNotMePath(robbed))
  expect(page.text).toContain("2 saques foram cancelados: R$ 200,00")
  await plan.expectTold(robbed, "Os saques da sua conta estão congelados", { says: ["Saques cancelados", "2"] })
  await plan.expectListed(founder, "Saque cancelado: R$ 100,00")
  const statuses = await Promise.all([id, approved, own].map(async (each) => (await withdrawalOf(each)).status))
  expect(statuses).toEqual(["cancelled", "cancelled", "pending"])
  expect((await approve(id)).json.code).toBe("withdrawal_not_pending")
})

test("a request of another owner in the same moment as their 'Não fui eu' is refused or cancelled", async () => {
  const path = await plan.newNotMePath(robbed)
  const token = await plan.freshSessionOf(robbed)
  const again = () => withdrawBy(token)
  await Promise.all([again(), again(), plan.press(path), again(), again()])
  const rows = plan.db.selectFrom("withdrawals").select("status").where("seller_id", "=", founder.id)
  expect((await rows.execute()).filter(({ status }) => status !== "cancelled")).toEqual([])
})
