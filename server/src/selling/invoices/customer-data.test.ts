import { afterAll, expect, test } from "vitest"
import { saoPauloDay } from "#kit/clock"
import { layOutMail } from "#mail/mailer"
import type { MailContent } from "#platform/mails/mail-content"
import { writeLetter } from "#platform/mails/write-letter"
import { eraseOldCustomers } from "#selling/customers/manage"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")

afterAll(() => site.close())

const platform = { name: "Tilinta", supportEmail: "" }
const bruno = { name: "Bruno Lima Dias", email: "bruno@cliente.example", document: "52998224725" }
let number = 0

async function invoiceOf(
  customer: object = { ...bruno, document: "", email: `bruno${(number += 1)}@cliente.example` },
) {
  const body = { customer, amount: 100, dueDate: saoPauloDay(site.clock.now()) }
  const { invoice } = (await site.call("POST", "/api/v1/invoices", { token, body })).json.data
  const path = (verb = "") => `/invoice/data/${invoice.link.split("/").at(-1)}${verb}`
  const post = (verb: "/correct" | "/erase", fields: Record<string, string> = {}, headers = {}) =>
    site.app.inject({
      method: "POST",
      url: path(verb),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      payload: new URLSearchParams(fields).toString(),
    })
  const stored = async () =>
    (await site.call("GET", `/api/v1/invoices/${invoice._id}`, { token })).json.data.invoice.customer
  const cancel = () => site.call("PATCH", `/api/v1/invoices/${invoice._id}/cancel`, { token })
  return { customerId: invoice.customer._id, path, post, stored, cancel }
}

const records = async (customerId: string) =>
  (
    await site.db
      .selectFrom("audit_records")
      .select(["action", "after"])
      .where("entity", "=", "payer_data")
      .where("entity_id", "=", customerId)
      .orderBy("id")
      .execute()
  ).map(({ action }) => action)

test("a customer sees their data, masked, by the link of an invoice, and nobody by another", async () => {
  const { path } = await invoiceOf(bruno)
  const page = await site.call("GET", path())
  expect(page.status).toBe(200)
  for (const shown of ["Bruno L••• D•••", "br•••@cliente.example", "Apagar os meus dados"]) {
    expect(page.text).toContain(shown)
  }
  for (const whole of ["Bruno Lima", "bruno@cliente.example", "52998224725", "<script"]) {
    expect(page.text).not.toContain(whole)
  }
  expect(page.headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" })
  expect((await site.call("GET", "/invoice/data/abcdefgh")).status).toBe(404)
})

test("a customer corrects what is held, and only that; the seller is told, and the audit keeps no value", async () => {
  const { post, stored, customerId } = await invoiceOf()
  const done = await post("/correct", { name: " Bruna Lima ", email: "", phone: "11987654321" })
  expect(done.statusCode).toBe(303)
  expect(await stored()).toMatchObject({ name: "Bruna Lima", phone: "" })
  const wrong = await post("/correct", { email: "isto não é" })
  expect([wrong.statusCode, wrong.body.includes("aria-invalid")]).toEqual([422, true])
  expect(await records(customerId)).toEqual(["payer_data.corrected"])
  const { json } = await site.call("GET", "/api/v1/users/me/notices", { token })
  expect(json.data.notices[0]).toMatchObject({ title: "Um cliente corrigiu os dados dele" })
})

test("a new e-mail is told to the address before, once, and nothing else is", async () => {
  const email = `antes${(number += 1)}@cliente.example`
  const { post, stored } = await invoiceOf({ name: "Bruno Lima", email })
  const mails = () => site.db.selectFrom("mails").selectAll().where("to_address", "=", email).execute()
  await post("/correct", { name: "Bruno Lima Dias" })
  expect(await mails()).toEqual([])
  const corrected = { email: "depois@curioso.example" }
  const replies = await Promise.all([post("/correct", corrected), post("/correct", corrected)])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([303, 303])
  expect(await stored()).toMatchObject(corrected)
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  const { subject, text } = layOutMail(writeLetter(mail?.content as MailContent, "", "https://x.example"), platform)
  expect(subject).toBe("O seu e-mail mudou no cadastro de Ana Souza")
  expect(text).toContain("Se não foi você, fale com quem cobra")
  expect(text).not.toContain(corrected.email)
})

test("while something is to be paid the request is noted, once, and a job erases after it", async () => {
  const { path, post, stored, cancel, customerId } = await invoiceOf()
  for (const reply of await Promise.all([post("/erase"), post("/erase")])) {
    expect(String(reply.headers.location)).toContain("done=noted")
  }
  expect((await site.call("GET", path())).text).toContain("Você pediu em")
  await eraseOldCustomers(site)
  expect((await stored()).name).not.toBe("")
  await cancel()
  await eraseOldCustomers(site)
  expect(await stored()).toMatchObject({ name: "", email: "" })
  expect(await records(customerId)).toEqual(["payer_data.erasure_asked"])
  expect((await site.call("GET", path())).text).toContain("Não guardamos dados seus")
})

test("the data go at once where nothing is to be paid, once also when asked twice at once", async () => {
  const { post, stored, cancel, customerId } = await invoiceOf()
  await cancel()
  const replies = await Promise.all([post("/erase"), post("/erase")])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([303, 303])
  expect(await stored()).toMatchObject({ name: "", email: "" })
  expect(await records(customerId)).toEqual(["payer_data.erased"])
})

test("six corrections in a day are too many, somebody else's document is refused, and so is another site's form", async () => {
  const { post } = await invoiceOf({ name: "Carla", document: "11144477735" })
  const taken = await post("/correct", { cpf: "529.982.247-25" })
  expect([taken.statusCode, taken.body.includes("Este documento está em outro cadastro.")]).toEqual([422, true])
  for (let n = 0; n < 5; n += 1) expect((await post("/correct", { name: `Carla ${n}` })).statusCode).toBe(303)
  expect((await post("/correct", { name: "Outra" })).statusCode).toBe(429)
  expect((await post("/erase", {}, { "sec-fetch-site": "cross-site" })).statusCode).toBe(403)
})
