import { afterAll, expect, test } from "vitest"
import { dueToday } from "#kit/clock"
import { textOfPdf } from "../../../test-support/read-pdf.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const [ana, eva, admin] = [
  await site.signUp("ana@loja.example"),
  await site.signUp("eva@loja.example"),
  await site.signUp("chefe@tilinta.example"),
]
await site.db.updateTable("users").set({ role: "admin" }).where("email", "=", "chefe@tilinta.example").execute()
const today = dueToday(site.clock)

afterAll(() => site.close())

async function charge(token: string, name: string, fields: object = {}) {
  const body = { customer: { name }, amount: 100, dueDate: today, description: "Mensalidade", ...fields }
  const answer = await site.call("POST", "/api/v1/invoices", { token, body })
  expect(answer.status).toBe(201)
  const { invoice } = answer.json.data
  return { ...invoice, path: new URL(invoice.link).pathname }
}

const list = (query = "") => site.call("GET", `/api/v1/admin/invoices${query}`, { token: admin })
const namesIn = ({ json }: Awaited<ReturnType<typeof list>>) =>
  json.data.invoices.map(({ customer }: { customer: { name: string } }) => customer.name)

test("administrators see the invoices of all sellers, page by page, and of one; their looking is recorded", async () => {
  await charge(ana, "Bruno Lima", { dueDate: "2026-12-01" })
  await charge(eva, "Carla Reis", { dueDate: "2026-12-03", externalReference: "c-1" })
  await charge(ana, "Davi Melo", { dueDate: "2026-12-02" })

  const first = await list("?limit=2")
  expect([first.json.results, namesIn(first)]).toEqual([3, ["Carla Reis", "Davi Melo"]])
  const [carla, davi] = first.json.data.invoices
  expect(carla).toMatchObject({ user: { name: "Ana Souza", email: "eva@loja.example" }, state: "due" })
  expect(namesIn(await list(`?limit=2&after=${davi._id}`))).toEqual(["Bruno Lima"])
  expect(namesIn(await list(`?order=oldest&sellerId=${davi.user._id}`))).toEqual(["Bruno Lima", "Davi Melo"])
  expect(namesIn(await list("?search=carla"))).toEqual(["Carla Reis"])
  expect(namesIn(await list("?externalReference=c-1&status=due"))).toEqual(["Carla Reis"])
  expect(namesIn(await list("?status=paid"))).toEqual([])
  expect((await list("?sellerId=x")).status).toBe(422)

  expect((await site.call("GET", "/api/v1/admin/invoices", { token: ana })).status).toBe(403)
  await site.accessNotes.flush()
  const records = await site.db
    .selectFrom("audit_records")
    .select("action")
    .where("entity_id", "=", "invoices")
    .execute()
  expect(records.map(({ action }) => action)).toContain("invoices.listed")
})

test("the PDF is for whoever holds the link: it says what is asked, and holds no Pix code", async () => {
  const { path } = await charge(ana, "Bruno Lima", {
    ...{ amount: 250, daysAfterDue: 10 },
    fine: { type: "percent", value: 2 },
    interest: { type: "percentMonth", value: 1 },
    discounts: [{ type: "fixed", value: 5, until: today }],
  })
  const pdf = await site.app.inject({ method: "GET", url: `${path}/cobranca.pdf` })
  expect([pdf.statusCode, pdf.headers["content-type"], pdf.headers["cache-control"]]).toEqual([
    200,
    "application/pdf",
    "no-store",
  ])
  const text = textOfPdf(pdf.rawPayload).replaceAll("\n", " ")
  for (const part of ["Cobrança", "R$ 245,00", "Ana Souza", "Bruno Lima", "Mensalidade", "R$ 250,00", "Multa de 2%"]) {
    expect(text.replaceAll(" ", " ")).toContain(part)
  }
  expect(text).not.toContain("000201")
  for (const unknown of ["/checkout/Abcdefgh12345678/cobranca.pdf", "/checkout/%00/cobranca.pdf"]) {
    expect((await site.call("GET", unknown)).status).toBe(404)
  }
})

test("no PDF asks for money that can't be paid any more", async () => {
  const { _id, path } = await charge(ana, "Bruno Lima")
  await site.call("PATCH", `/api/v1/invoices/${_id}/cancel`, { token: ana })
  expect((await site.call("GET", `${path}/cobranca.pdf`)).status).toBe(404)
})

test("the first time that the payer opens it is kept, and no other", async () => {
  const { _id, path } = await charge(ana, "Bruno Lima")
  const openedAt = async () =>
    (await site.call("GET", `/api/v1/invoices/${_id}`, { token: ana })).json.data.invoice.openedAt
  // A robot fetches the page, and runs no script.
  await site.call("GET", path)
  expect(await openedAt()).toBeNull()
  const first = site.clock.now().toISOString()
  for (let times = 0; times < 2; times += 1) {
    expect((await site.call("POST", `${path}/opened`)).status).toBe(204)
    site.clock.pass(60)
  }
  expect(await openedAt()).toBe(first)
  for (const odd of ["/checkout/Abcdefgh12345678/opened", "/checkout/%00/opened"]) {
    expect((await site.call("POST", odd)).status).toBe(204)
  }
})
