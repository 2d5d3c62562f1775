import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { makeDebit, makeMandate } from "../../../test-support/edge-receivables.ts"
import { openEdgeWorld } from "../../../test-support/edge-world.ts"
import { getDebit, getMandate } from "./reads.ts"

const world = await openEdgeWorld()
const owner = await world.user()

afterAll(() => world.close())

const open = (path: string) => world.call("GET", path, { headers: { accept: "text/html" } })

test("the customer reads what is authorised before giving it, and how to end it afterwards", async () => {
  const mandate = await getMandate(world.db, await makeMandate(world, owner))
  const path = `/assinatura/${mandate.uniqueLink}/autorizar`
  const before = await open(path)
  expect(before.status).toBe(200)
  const shown = before.text.replaceAll("&nbsp;", " ")
  expect(shown).toContain("débitos de R$ 100,00 por mês, a partir de 10/01/2031, em favor de Tilinta Pagamentos Ltda")
  expect(shown).toContain(`contrato ${mandate.contract}`)
  // The picture is there with its page: asked for apart, it could come after the authorisation.
  expect(shown).toContain('<img src="data:image/svg+xml;base64,')
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

test("whoever waits for the customer of a new price is seen by the seller beside the old one, and the code can be copied", async () => {
  const older = await makeMandate(world, owner)
  const { subscriptionId, uniqueLink } = await getMandate(world.db, older)
  const row = await world.db.selectFrom("mandates").selectAll().where("id", "=", older).executeTakeFirstOrThrow()
  const newer = newId()
  const names = { id: newer, contract: newer.slice(-12), recurrence_id: newer }
  await world.db
    .updateTable("mandates")
    .set({ status: "approved", approved_at: world.clock.now() })
    .where("id", "=", older)
    .execute()
  await world.db
    .insertInto("mandates")
    .values({ ...row, ...names, amount_cents: 12_000 as Cents })
    .execute()
  const path = `/api/v1/subscriptions/${subscriptionId}`
  const { automatic } = (await world.call("GET", path, { token: owner.token })).json.data
  expect(automatic).toMatchObject({ mandate: { _id: older }, newer: { _id: newer, amount: 120, status: "waiting" } })
  const page = await open(`/assinatura/${uniqueLink}/autorizar`)
  expect(page.text).toContain("débitos de R$&nbsp;120,00")
  expect(page.text).toContain('id="copiar"')
  expect(page.headers["content-security-policy"]).toContain("'nonce-")
})

test("a debit that the bank has already is told where the authorisation is over", async () => {
  const { id, mandateId } = await getDebit(world.db, await makeDebit(world, owner))
  await world.db.updateTable("debits").set({ status: "scheduled" }).where("id", "=", id).execute()
  await world.db
    .updateTable("mandates")
    .set({ status: "cancelled_by_payer", approved_at: world.clock.now(), ended_at: world.clock.now() })
    .where("id", "=", mandateId)
    .execute()
  const { text } = await open(`/assinatura/${(await getMandate(world.db, mandateId)).uniqueLink}/autorizar`)
  expect(text).toContain("O banco já tem este débito")
  expect(text).not.toContain("Nada é debitado")
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
