import { expect, test } from "vitest"
import { testPage, testProps } from "../../test-support/checkout-page.ts"
import { checkoutDocument } from "./checkout-document.tsx"
import { initialsOf } from "./page-frame.tsx"

const assets = { script: "run()", style: "p{}" }
const render = (...page: Parameters<typeof testProps>): string => checkoutDocument(testProps(...page), "abc", assets)

test("the first HTML says who charges, what for and how much", () => {
  const html = render()
  expect(html).toMatch(/^<!doctype html><html lang="pt-BR">/)
  expect(html).toContain("<title>Mentoria de Vendas – Turma Novembro – Pagar com PIX</title>")
  expect(html).toContain("Cobrança de <b>Ana Souza Mentorias</b>")
  expect(html).toContain(testPage.description)
  expect(html.replace(/<[^>]+>/g, "")).toContain("R$\u00a0349,90")
  expect(html).toContain("Pagamento 100% Seguro")
  expect(html).toContain("Pagamento processado com segurança por <b>Tilinta</b>")
})

test("a shared link shows title, amount and description", () => {
  const html = render()
  expect(html).toContain('<meta property="og:title" content="Mentoria de Vendas – Turma Novembro – R$\u00a0349,90">')
  expect(html).toContain(`<meta property="og:description" content="${testPage.description}">`)
  expect(html).toContain('<meta property="og:url" content="https://pagar.exemplo.com/checkout/Xa8dK2lmNQpo">')
})

test("a page without a description still has one to share", () => {
  expect(render({ description: "" })).toContain('og:description" content="Cobrança de Ana Souza Mentorias.')
})

test("an anonymous page has one button, another a form with the fields it requires", () => {
  const anonymous = render({ pixConfig: { allowAnonymous: true, expiresInHours: 24 } })
  expect(anonymous).toContain("Gerar PIX Instantâneo")
  expect(anonymous).not.toContain("<input")
  const form = render({ customerInfo: { ...testPage.customerInfo, requirePhone: false } })
  expect(form).toContain("Pagar com PIX</button>")
  expect(form.match(/<label for="\w+"/g)).toEqual(['<label for="name"', '<label for="email"', '<label for="cpf"'])
})

test("no text of a seller becomes markup or ends a script", () => {
  const evil = `</script><script>alert(1)</script> "'&<!-- \u2028`
  const html = render({ title: evil, description: evil, seller: { name: evil } })
  expect(html).not.toContain("<script>")
  expect(html.match(/<\/script>/g)).toHaveLength(2)
  expect(html).not.toContain("\u2028</script>")
  const json = /id="dados">(.*?)<\/script>/s.exec(html)?.[1] ?? ""
  expect(json).not.toMatch(/[<\u2028\u2029]/)
  expect(JSON.parse(json)).toMatchObject({ title: evil, description: evil, seller: evil })
})

test("script, style and data carry the nonce, and nothing is styled or run beside them", () => {
  const html = render()
  expect(html.match(/<(script|style)\b[^>]*>/g)?.every((tag) => tag.includes('nonce="abc"'))).toBe(true)
  expect(html).not.toMatch(/\s(style|on\w+)=/)
})

test("without script the form gives way to a notice", () => {
  expect(render()).toMatch(/<noscript>.*ative o JavaScript.*<\/noscript>/)
})

test("a page that nobody can pay on says Oops and needs no script", () => {
  const html = render(null)
  expect(html).toContain("Oops!</h1>")
  expect(html).toContain("Página de cobrança não encontrada ou expirada")
  expect(html).toContain('href="mailto:suporte@exemplo.com"')
  expect(html).not.toContain("<script")
})

test("a completed page says that it was paid and offers nothing to pay", () => {
  const html = render({ status: "completed" })
  expect(html).toContain("Esta cobrança já foi paga.")
  expect(html).not.toContain("<form")
})

test("the data that the script gets holds nothing that it doesn't read", () => {
  expect(render()).not.toContain(testPage.slug)
})

test.each([
  ["Ana Souza Mentorias", "AS"],
  ["João da Silva", "JS"],
  ["padaria", "P"],
  ["– 🍰 Doces & Cia", "DC"],
  ["", ""],
])("the initials of '%s' are '%s'", (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
