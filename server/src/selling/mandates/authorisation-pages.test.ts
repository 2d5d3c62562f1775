import { afterAll, expect, test } from "vitest"
import { makeMandate } from "../../../test-support/edge-receivables.ts"
import { openEdgeWorld } from "../../../test-support/edge-world.ts"
import { getMandate } from "./reads.ts"

const world = await openEdgeWorld()
const owner = await world.user()

afterAll(() => world.close())

const open = (path: string) => world.call("GET", path, { headers: { accept: "text/html" } })

test("the customer reads what is authorised before giving it, and how to end it afterwards", async () => {
  const mandate = await getMandate(world.db, await makeMandate(world, owner))
  const path = `/assinatura/${mandate.uniqueLink}/autorizar`
  const before = await open(path)
  expect(before.status).toBe(200)
  const shown = before.text.replaceAll("\u00a0", " ")
  expect(shown).toContain("débitos de R$ 100,00 por mês, a partir de 10/01/2031, em favor de Tilinta Pagamentos Ltda")
  expect(shown).toContain(`contrato ${mandate.contract}`)
  const qr = await world.call("GET", `${path}/qr.svg`)
  expect([qr.status, qr.headers["content-type"]]).toEqual([200, "image/svg+xml"])
  await world.db
    .updateTable("mandates")
    .set({ status: "approved", approved_at: world.clock.now() })
    .where("id", "=", mandate.id)
    .execute()
  const after = await open(path)
  expect(after.text).toContain("Cancele quando quiser no app do seu banco")
  expect(after.text).toContain("10/01/2031")
  expect((await world.call("GET", `${path}/qr.svg`)).status).toBe(404)
})

test("asking the seller to end it ends nothing, and is told once a day", async () => {
  const mandate = await getMandate(world.db, await makeMandate(world, owner))
  const path = `/assinatura/${mandate.uniqueLink}/autorizar`
  expect((await open(`${path}/pedir-cancelamento`)).status).toBe(404)
  for (let times = 0; times < 2; times += 1) {
    const answer = await world.call("POST", `${path}/pedir-cancelamento`, {
      body: "",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(answer.status).toBe(303)
  }
  expect((await getMandate(world.db, mandate.id)).cancelSince).toBeNull()
  const { json } = await world.call("GET", "/api/v1/users/me/notices", { token: owner.token })
  const told = json.data.notices.filter(({ title }: { title: string }) => title.includes("fim do débito automático"))
  expect(told).toHaveLength(1)
})

test("a link that leads nowhere says so", async () => {
  expect((await open("/assinatura/NaoExiste123/autorizar")).status).toBe(404)
})
