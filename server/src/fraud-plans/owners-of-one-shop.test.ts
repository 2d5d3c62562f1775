import { afterAll, expect, test } from "vitest"
import { listNotices } from "#platform/mails/notices"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"

const plan = await openFraudPlan()

afterAll(() => plan.close())

async function member(founder: Victim, role: "owner" | "manager", name: string): Promise<Victim> {
  const who = await plan.victim()
  await plan.db.updateTable("users").set({ name }).where("id", "=", who.id).execute()
  const invitation = { token: await plan.freshSessionOf(founder), body: { email: who.email, role } }
  const { json } = await plan.call("POST", `/api/v1/shops/${founder.id}/invitations`, invitation)
  const link = json.data.invitation.link.split("/").at(-1)
  const accepted = await plan.call("POST", `/api/v1/invitations/${link}/accept`, { token: who.token, body: {} })
  expect(accepted.status).toBe(200)
  return who
}

test("each owner hears of a withdrawal from its request to its end, and who asked for it; a manager doesn't", async () => {
  const founder = await plan.victim()
  const admin = await plan.administrator()
  const [second, manager] = [await member(founder, "owner", "Bia Reis"), await member(founder, "manager", "Caio Melo")]
  const body = { amount: 100, paymentMethod: "pix", pixKey: "loja@loja.example" }
  const asked = { token: await plan.freshSessionOf(second), body, headers: { "x-shop": founder.id } }
  const id = (await plan.call("POST", "/api/v1/withdrawals", asked)).json.data.withdrawal._id
  await plan.expectTold(founder, "Um destino novo para os seus saques", { says: ["Quem fez", "Bia Reis"] })
  await plan.expectTold(founder, "Recebemos o seu pedido de saque: R$ 100,00", {
    notice: "Saque em espera: R$ 100,00",
    says: ["Quem fez", "Bia Reis"],
  })
  await plan.expectListed(second, "Um destino novo para os seus saques")
  await plan.expectListed(second, "Saque em espera: R$ 100,00")

  plan.clock.pass(25 * 3_600)
  const decision = { token: await plan.freshSessionOf(admin, "admin"), body: {} }
  expect((await plan.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, decision)).status).toBe(200)
  await plan.expectListed(second, "Saque aprovado: R$ 100,00")
  expect(await plan.left()).toEqual(["payout 100 to loja@loja.example"])
  await plan.expectListed(second, "Saque pago: R$ 100,00")
  const { notices } = await listNotices(plan.db, manager.id, { limit: 50 })
  expect(notices.filter(({ title }) => /saque/i.test(title))).toEqual([])
})
