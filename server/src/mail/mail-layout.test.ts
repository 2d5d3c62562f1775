import { expect, test } from "vitest"
import { envelopeOf, layOutMail } from "./mailer.ts"

const platform = { name: "Tilinta", supportEmail: "suporte@pix.example" }
const letter = {
  subject: "Pagamento recebido",
  name: "Ana Souza",
  paragraphs: ["Você recebeu."],
  facts: [{ label: "Cobrança", value: "Mentoria" }],
  action: { label: "Ver transações", url: "https://pix.example/transactions" },
  note: "Até logo.",
}

test("the plain text says all that the HTML says", () => {
  const { text, html } = layOutMail(letter, platform)
  for (const part of ["Olá, Ana Souza.", "Você recebeu.", "Mentoria", letter.action.url, "Até logo.", "Tilinta"]) {
    expect(text).toContain(part)
    expect(html).toContain(part)
  }
  expect(text).not.toMatch(/[<>]|undefined/)
})

test("a mail to a shop's payer comes from the shop by way of the platform, and answers go to the shop", () => {
  const shop = { name: "Doces da Ana", email: "oi@docesdaana.example" }
  expect(envelopeOf({ shop }, platform)).toEqual({ name: "Doces da Ana via Tilinta", replyTo: shop.email })
  expect(envelopeOf({ shop: { ...shop, email: "" } }, platform).replyTo).toBe(platform.supportEmail)
  expect(envelopeOf({}, platform)).toEqual({ name: "Tilinta", replyTo: platform.supportEmail })
  const { text, html } = layOutMail({ ...letter, shop }, platform)
  for (const part of ["Doces da Ana via Tilinta", shop.email]) {
    expect(text).toContain(part)
    expect(html).toContain(part)
  }
})

test.each([
  "Doces\r\nBcc: atacante@mal.example",
  "Doces\u0000\u000b\u0085da Ana",
  'Doces" <atacante@mal.example>, "Ana',
])("a shop called %j is one line without control characters", (name) => {
  const wicked = { name, email: "a@loja.example\r\nBcc: b@mal.example" }
  const envelope = envelopeOf({ shop: wicked }, platform)
  expect(envelope.name).toMatch(/^[^\p{Cc}]+ via Tilinta$/u)
  expect(envelope.replyTo).toBe(platform.supportEmail)
  for (const email of [
    "a@x.example, b@y.example",
    "Ana <a@x.example>",
    "a@x.example;b@y.example",
    "grupo: a@x.example;",
  ])
    expect(envelopeOf({ shop: { name, email } }, platform).replyTo).toBe(platform.supportEmail)
})

test("nothing in a mail is loaded from anywhere", () => {
  expect(layOutMail(letter, platform).html).not.toMatch(/<(img|link|script|iframe)|\bsrc=|url\(/i)
})

test("what people typed stays text, and the subject one line", () => {
  const wicked = '"><script>alert(1)</script>\r\nBcc: x@y'
  const { subject, html } = layOutMail(
    { ...letter, subject: wicked, name: wicked, facts: [{ label: "Pagador", value: wicked }] },
    { ...platform, name: wicked },
  )
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).not.toContain("<script")
  expect(html).not.toContain('""')
})

test("an amount in the heading is written as in the subject, and stays on one line", () => {
  const { subject, html } = layOutMail({ ...letter, subject: "Saque aprovado: R$\u00a01.700,00" }, platform)
  expect(subject).toBe("Saque aprovado: R$ 1.700,00")
  expect(html).toContain("Saque aprovado: R$&nbsp;1.700,00</h1>")
})

test("a word too long for a phone's half line stands below its label", () => {
  const facts = [
    { label: "Valor", value: "R$ 1.700,00" },
    { label: "Destino", value: "Chave Pix an•••@docesdaana.example" },
  ]
  const { html } = layOutMail({ ...letter, facts }, platform)
  expect([...html.matchAll(/<td colspan="2"[^>]*>(\w+)<br>/g)].map(([, label]) => label)).toEqual(["Destino"])
})

test("only the address breaks inside its words", () => {
  const { html } = layOutMail(letter, platform)
  expect([...html.matchAll(/break-all[^>]*>([^<]*)/g)].map(([, broken]) => broken)).toEqual([letter.action.url])
  expect(html).toMatch(/overflow-wrap:anywhere[^>]*>Mentoria</)
})
