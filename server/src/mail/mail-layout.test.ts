import { expect, test } from "vitest"
import { layOutMail } from "./mailer.ts"

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
