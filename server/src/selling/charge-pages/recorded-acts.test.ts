import { afterAll, expect, test } from "vitest"
import { openSandbox } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const bank = await openSandbox()
const site = await openTestApp({ psp: bank.psp })

afterAll(async () => {
  await site.close()
  await bank.close()
})

interface Person {
  id: string
  email: string
  token: string
}

async function person(email: string): Promise<Person> {
  const token = await site.signUp(email)
  return { id: (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id, email, token }
}

test("what a manager does with a page is recorded in their name, and what the seller does is theirs without a record", async () => {
  const [founder, manager] = [await person("dona@loja.example"), await person("gerente@loja.example")]
  const invitation = { token: founder.token, body: { email: manager.email, role: "manager" } }
  const { json } = await site.call("POST", `/api/v1/shops/${founder.id}/invitations`, invitation)
  const link = json.data.invitation.link.split("/").at(-1)
  await site.call("POST", `/api/v1/invitations/${link}/accept`, { token: manager.token, body: {} })
  const act = async (who: Person, method: "POST" | "PATCH" | "DELETE", path: string, body: object = {}) => {
    const reply = await site.call(method, `/api/v1/${path}`, {
      token: who.token,
      headers: { "x-shop": founder.id },
      ...(method !== "DELETE" && { body }),
    })
    expect([200, 201, 204]).toContain(reply.status)
    return reply.json?.data
  }
  for (const who of [founder, manager]) {
    const { checkoutPage } = await act(who, "POST", "checkout/pages", { title: "Bolo", slug: "bolo", amount: 50 })
    await act(who, "PATCH", `checkout/pages/${checkoutPage._id}`, { amount: 60 })
    await act(who, "PATCH", `checkout/pages/${checkoutPage._id}/cancel`)
    await act(who, "DELETE", `checkout/pages/${checkoutPage._id}`)
    await act(who, "POST", "charges", { amount: 20, description: "Bolo" })
    // The sale itself names who made it.
    await act(who, "POST", "charges", { amount: 20, description: "Bolo", counter: true })
  }
  const records = site.db.selectFrom("audit_records").select(["action", "actor_id"])
  const found = await records.where("entity", "=", "charge_page").orderBy("happened_at").orderBy("id").execute()
  const actions = ["created", "changed", "cancelled", "deleted", "charged"]
  expect(found).toEqual(actions.map((action) => ({ action: `charge_page.${action}`, actor_id: manager.id })))
})
