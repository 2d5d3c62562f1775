import { randomUUID } from "node:crypto"
import { afterAll, afterEach, expect, test } from "vitest"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { openSandbox } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const bank = await openSandbox()
const site = await openTestApp({ psp: bank.psp })
const token = await site.signUp("ana@loja.example")

afterEach(() => bank.control({ falhaApi: null }))

afterAll(async () => {
  await site.close()
  await bank.close()
})

const everything = { name: "Juliana Prado", email: "ju@exemplo.com", cpf: "529.982.247-25", phone: "(11) 98765-4321" }

interface Page {
  _id: string
  uniqueLink: string
}

async function newPage(options: object = {}): Promise<Page> {
  const body = { title: "Mentoria", slug: "mentoria", amount: 10, ...options }
  return (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage
}

const anonymousPage = (): Promise<Page> => newPage({ pixConfig: { allowAnonymous: true, expiresInHours: 24 } })
const namedPage = (): Promise<Page> =>
  newPage({ customerInfo: { requireName: true, requireEmail: false, requirePhone: false, requireCpf: false } })

async function post(link: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const reply = await site.app.inject({
    method: "POST",
    url: `/checkout/${link}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
  return { status: reply.statusCode, headers: reply.headers, location: String(reply.headers["location"]), reply }
}

/** The data that the page is rendered from. */
async function propsOf(url: string) {
  const { text, status } = await site.call("GET", url)
  return { status, ...propsIn(text) }
}

function propsIn(html: string) {
  return JSON.parse(html.replace(/^<script[^>]*>|<\/script>$/g, ""))
}

function chargesOf({ _id }: Page) {
  return site.db.selectFrom("charges").selectAll().where("page_id", "=", _id).execute()
}

const newKey = (): string => randomUUID()

test("a plain form creates a Pix and leads to its page, which shows code and image and is not indexed", async () => {
  const page = await namedPage()
  const { status, location, headers } = await post(page.uniqueLink, { ...everything, chave: newKey() })
  expect([status, headers["cache-control"]]).toEqual([303, "no-store"])
  const [charge] = await chargesOf(page)
  expect(location).toBe(`/checkout/${page.uniqueLink}?pix=${charge?.id}&k=${site.payerTokens.of(charge?.id ?? "")}`)
  expect(charge).toMatchObject({ payer_name: "Juliana Prado", payer_email: null, status: "pending" })
  const shown = await site.call("GET", location)
  expect([shown.status, shown.headers["x-robots-tag"], shown.headers["cache-control"]]).toEqual([
    200,
    "noindex",
    "no-store",
  ])
  const { payment } = propsIn(shown.text)
  expect(payment).toMatchObject({
    title: "Mentoria",
    seller: "Ana Souza",
    confirmedAt: null,
    pagePath: `/checkout/${page.uniqueLink}`,
    pix: { transactionId: charge?.id, pixCode: charge?.pix_code, amount: 10, status: "pendente" },
  })
  expect(Buffer.from(payment.pix.pixQrCodeBase64, "base64").subarray(1, 4).toString()).toBe("PNG")
  expect(JSON.stringify(payment)).not.toMatch(/Juliana|ju@|529\.?982/)
})

test("the same form sent twice, or five times at once, is one Pix; with other data, or anew, another one", async () => {
  const page = await namedPage()
  const chave = newKey()
  const sent = await Promise.all(Array.from({ length: 5 }, () => post(page.uniqueLink, { ...everything, chave })))
  const again = await post(page.uniqueLink, { ...everything, cpf: "52998224725", chave })
  expect(new Set([...sent, again].map(({ location }) => location)).size).toBe(1)
  expect(await chargesOf(page)).toHaveLength(1)
  expect((await post(page.uniqueLink, { ...everything, name: "Caio", chave })).location).not.toBe(again.location)
  await post(page.uniqueLink, { ...everything, chave: newKey() })
  expect(await chargesOf(page)).toHaveLength(3)
})

test("looking at a page or at a Pix never makes one", async () => {
  const page = await anonymousPage()
  await site.call("GET", `/checkout/${page.uniqueLink}?chave=${newKey()}`)
  await site.call("HEAD", `/checkout/${page.uniqueLink}`)
  expect((await propsOf(`/checkout/${page.uniqueLink}?pix=nada`)).status).toBe(404)
  expect(await chargesOf(page)).toEqual([])
})

test("bad input comes back next to its field, with what was typed and the same key", async () => {
  const page = await namedPage()
  const chave = newKey()
  const cases: [Partial<typeof everything>, string, string][] = [
    [{ name: " " }, "name", "Nome é obrigatório"],
    [{ email: "" }, "email", "E-mail é obrigatório"],
    [{ cpf: "111.111.111-11" }, "cpf", "CPF inválido"],
    [{ name: "x".repeat(201) }, "name", "Use no máximo 200 caracteres."],
    [{ phone: "" }, "phone", "Telefone é obrigatório"],
  ]
  for (const [change, field, message] of cases) {
    const { reply, status } = await post(page.uniqueLink, { ...everything, ...change, chave })
    expect(status).toBe(422)
    const { form } = propsIn(reply.body)
    expect(form).toMatchObject({ key: chave, problem: { field, message }, failure: null })
    expect(form.values.email).toBe(change.email ?? everything.email)
  }
  const unreadable = await post(page.uniqueLink, { ...everything, name: "a\0b", chave })
  expect([unreadable.status, propsIn(unreadable.reply.body).form.problem.field]).toEqual([400, "name"])
  const keyless = await post(page.uniqueLink, everything)
  expect([keyless.status, propsIn(keyless.reply.body).form]).toMatchObject([
    400,
    { key: expect.stringMatching(/^[\w-]{22}$/), failure: "Confira os dados e envie de novo." },
  ])
  expect(await chargesOf(page)).toEqual([])
})

test("a company's CNPJ takes the CPF's place, in the form that comes back too, and however it is typed", async () => {
  const page = await newPage()
  const { cpf: _, ...person } = everything
  const company = { ...person, cnpj: "12.abc.345/01de-35", chave: newKey() }
  const wrong = await post(page.uniqueLink, { ...company, cnpj: "12.abc.345/01de-36" })
  expect([wrong.status, propsIn(wrong.reply.body).form]).toMatchObject([
    422,
    { values: { cnpj: "12.abc.345/01de-36" }, problem: { field: "cnpj", message: "CNPJ inválido" } },
  ])
  const sent = [
    await post(page.uniqueLink, company),
    await post(page.uniqueLink, { ...company, cnpj: "12ABC34501DE35" }),
  ]
  expect(sent.map(({ status }) => status)).toEqual([303, 303])
  expect(await chargesOf(page)).toMatchObject([{ payer_document: "12ABC34501DE35" }])
})

test("what is no form, or too large for one, is refused with a page", async () => {
  const page = await anonymousPage()
  const json = await post(page.uniqueLink, {}, { "content-type": "application/json" })
  const huge = await post(page.uniqueLink, { name: "x".repeat(20_000) })
  expect([json.status, huge.status]).toEqual([415, 413])
  expect(json.headers["content-type"]).toContain("text/html")
})

test("a form on another site creates nothing; one of ours does, even when only the origin is sent", async () => {
  const page = await anonymousPage()
  const foreign: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "http://localhost:3000" },
    { origin: "https://evil.example" },
  ]
  for (const headers of foreign) {
    const { status, reply } = await post(page.uniqueLink, { chave: newKey() }, headers)
    expect([status, propsIn(reply.body).form.failure]).toEqual([
      403,
      "O envio não veio desta página. Confira e envie de novo.",
    ])
  }
  expect(await chargesOf(page)).toEqual([])
  for (const headers of [
    { "sec-fetch-site": "same-origin" },
    { origin: "http://localhost:3000" },
    { origin: "null" },
  ]) {
    expect((await post(page.uniqueLink, { chave: newKey() }, headers)).status).toBe(303)
  }
})

test("with the bank away the form stays, and the same form later makes one Pix", async () => {
  const page = await namedPage()
  const chave = newKey()
  await bank.control({ falhaApi: "timeout-apos-aceitar" })
  const { status, reply } = await post(page.uniqueLink, { ...everything, chave })
  expect(status).toBe(503)
  expect(propsIn(reply.body).form).toMatchObject({
    key: chave,
    failure: "O banco não respondeu e nada foi cobrado. Tente de novo em alguns segundos.",
    problem: null,
    values: { name: "Juliana Prado" },
  })
  await bank.control({ falhaApi: null })
  expect((await post(page.uniqueLink, { ...everything, chave })).status).toBe(303)
  expect((await chargesOf(page)).filter((charge) => charge.status === "pending")).toHaveLength(1)
})

test("a page that is completed, cancelled, unknown or of an inactive seller takes no form", async () => {
  const completed = await anonymousPage()
  await site.db
    .updateTable("charge_pages")
    .set({ status: "completed", payments_count: 1 })
    .where("id", "=", completed._id)
    .execute()
  const paidBefore = await post(completed.uniqueLink, { chave: newKey() })
  expect([paidBefore.status, propsIn(paidBefore.reply.body).page.status]).toEqual([409, "completed"])

  const cancelled = await anonymousPage()
  await site.call("PATCH", `/api/v1/checkout/pages/${cancelled._id}/cancel`, { token })
  const other = await site.signUp("parou@loja.example")
  const body = { title: "Outra", slug: "outra", amount: 10 }
  const orphan = (await site.call("POST", "/api/v1/checkout/pages", { token: other, body })).json.data.checkoutPage
  await site.db.updateTable("users").set({ active: false }).where("email_key", "=", "parou@loja.example").execute()
  for (const link of ["nada", "%00", cancelled.uniqueLink, orphan.uniqueLink]) {
    const { status, reply } = await post(link, { chave: newKey() })
    expect([link, status, propsIn(reply.body).page]).toEqual([link, 404, null])
  }
})

test("the page of a Pix follows it to its end, also when the charge page is gone, and shows it under no other page", async () => {
  const page = await anonymousPage()
  const { _id: sellerId } = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user
  const at = "2026-11-21T12:00:00Z"
  const idOf = (status: "paid" | "cancelled" | "expired") =>
    insertCharge(site.db, { sellerId, pageId: page._id, at, status })
  const paid = await idOf("paid")
  await site.db.updateTable("charges").set({ pix_code: "000201" }).where("page_id", "=", page._id).execute()
  const reads = async (link: string, id: string) => propsOf(`/checkout/${link}?pix=${id}`)
  expect((await reads(page.uniqueLink, paid)).payment).toMatchObject({ confirmedAt: expect.any(String), returned: 0 })
  expect((await reads((await anonymousPage()).uniqueLink, paid)).status).toBe(404)
  await site.call("PATCH", `/api/v1/checkout/pages/${page._id}/cancel`, { token })
  const kept = await reads(page.uniqueLink, paid)
  expect([kept.status, kept.page, kept.payment.pix.status]).toEqual([200, null, "pago"])
})
