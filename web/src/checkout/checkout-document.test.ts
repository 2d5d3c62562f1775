import { expect, test } from "vitest"
import { testInvoice, testPage, testPix, testProps, testShop } from "../../test-support/checkout-page.ts"
import { checkoutDocument } from "./checkout-document.tsx"

const assets = {
  script: "run()",
  style: "p{}",
  laterStyle: "i{}",
  fontStyle: "@font-face{}",
  plainStyle: "b{}",
  shopStyle: "s{}",
  invoiceStyle: "i{}",
  choiceStyle: "v{}",
  choosingScript: "chosen()",
}
const render = (...page: Parameters<typeof testProps>): string => checkoutDocument(testProps(...page), "abc", assets)

test("the first HTML shows seller, title and amount", () => {
  const html = render()
  expect(html).toMatch(/^<!doctype html><html lang="pt-BR">/)
  expect(html).toContain("<title>Mentoria de Vendas – Turma Novembro – Pagar com PIX</title>")
  expect(html).toContain("Cobrança de <b>Ana Souza Mentorias</b>")
  expect(html).toContain(testPage.description)
  expect(html.replace(/<[^>]+>/g, "")).toContain("R$\u00a0349,90")
  expect(html).toContain("Pagamento 100% Seguro")
  expect(html).toContain("Pagamento processado com segurança por <b>Tilinta</b>")
})

test("a seller whom nobody has looked at yet is called safe nowhere", () => {
  const html = checkoutDocument({ ...testProps(), isNewSeller: true }, "abc", assets)
  expect(html).toContain("Pagamento por Pix")
  expect(html).toContain("Pagamento processado por <b>Tilinta</b>")
  expect(html).not.toMatch(/segur/i)
  expect(html).toContain('"isNew":true')
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
  expect(anonymous).not.toContain("<label")
  const form = render({ customerInfo: { ...testPage.customerInfo, requirePhone: false } })
  expect(form).toContain("Pagar com PIX</button>")
  expect(form.match(/<label for="\w+"/g)).toEqual(['<label for="name"', '<label for="email"', '<label for="cpf"'])
})

test("an invoice's page says when it is due, its parts, days of one amount in one line, and whom to ask", () => {
  const text = render({ invoice: testInvoice, shop: testShop, title: "Aula", description: "Aula" })
    .replace(/<script.*?<\/script>/gs, "")
    .replace(/<[^>]+>/g, "|")
    .replaceAll("\u00a0", " ")
  expect(text).toContain("Venceu em 20/11 · |4 dias de atraso")
  expect(text).toMatch(/Valor original\|+R\$ 349,90\|+Multa\|+R\$ 7,00\|+Total de hoje\|+R\$ 356,90/)
  expect(text).toMatch(/De hoje a 25\/11 \(quarta\)\|+R\$ 356,90\|+26\/11 \(quinta\)\|+R\$ 357,00/)
  expect(text).toContain("Falar com Doces da Ana")
  expect(text.match(/\|Aula\|/g)).toHaveLength(1)
  // A page that reloads by itself would fail those who read slowly, so only the one without script does it by a tag.
  const html = render({ invoice: testInvoice })
  expect(html).toContain('<script nonce="abc">setTimeout(()=>location.reload(),3600e3)</script>')
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="3600"></noscript>')
})

test("an invoice's customer finds their data on every page of it, also once it is over", () => {
  const ofCustomer = { customerDataPath: "/invoice/data/Xa8dK2lmNQpo" }
  const link = '<a href="/invoice/data/Xa8dK2lmNQpo">Os seus dados</a>'
  const paid = { ...testProps({ status: "completed" }), ...ofCustomer }
  expect(checkoutDocument(paid, "abc", assets)).toContain(link)
  expect(checkoutDocument({ ...testProps({ invoice: testInvoice }), ...ofCustomer }, "abc", assets)).toContain(link)
  expect(render()).not.toContain("/invoice/data/")
  const ended = { state: "cancelled", lastDay: "2026-12-20", debited: null, seller: "Doces da Ana" } as const
  const over = checkoutDocument({ ...testProps(null), ended, ...ofCustomer }, "abc", assets)
  expect(over).toContain("<title>Cobrança cancelada – Tilinta</title>")
  expect(over).toContain('href="/invoice/data/Xa8dK2lmNQpo"')
})

test("an invoice that is about to be debited says when, and has nothing to press", () => {
  const ended = { state: "debiting", lastDay: "2027-01-30", debited: "amanhã", seller: "Doces da Ana" } as const
  const html = checkoutDocument({ ...testProps(null), ended }, "abc", assets)
  expect(html).toContain("Este valor já está agendado para débito automático amanhã.")
  expect(html).not.toMatch(/<(button|form)/)
})

test("no text of a seller becomes markup or ends a script", () => {
  const evil = `</script><script>alert(1)</script> "'&<!-- \u2028`
  const html = render({ title: evil, description: `${evil}.`, seller: { name: evil } })
  expect(html).not.toContain("<script>")
  expect(html.match(/<\/script>/g)).toHaveLength(2)
  expect(html).not.toContain("\u2028</script>")
  const json = /id="dados">(.*?)<\/script>/s.exec(html)?.[1] ?? ""
  expect(json).not.toMatch(/[<\u2028\u2029]/)
  expect(JSON.parse(json)).toMatchObject({ title: evil, description: `${evil}.` })
})

test("script, style and data carry the nonce, and nothing is styled or run beside them", () => {
  const html = render()
  expect(html.match(/<(script|style)\b[^>]*>/g)?.every((tag) => tag.includes('nonce="abc"'))).toBe(true)
  expect(html).not.toMatch(/\s(style|on\w+)=/)
})

test("without script the form goes to the page's own address, with a key of its own", () => {
  const html = render()
  expect(html).not.toContain("<noscript")
  expect(html).toMatch(/<form [^>]*id="pagar"[^>]*method="post"/)
  expect(html).toContain('<input type="hidden" form="pagar" name="chave" value="cH4v3cH4v3cH4v3cH4v3cH">')
  expect(html.match(/<input [^>]*name="(name|email|cpf|phone)"/g)).toHaveLength(4)
  expect(render({ status: "completed" })).not.toContain('name="chave"')
})

test("a form that came back keeps what was typed and says what is wrong beside the field", () => {
  const html = checkoutDocument(
    {
      ...testProps({ customerInfo: { ...testPage.customerInfo, requireCpf: false } }),
      form: {
        key: "k",
        values: { name: 'Ana "<b>', cpf: "111" },
        problem: { field: "cpf", message: "CPF inválido" },
        failure: null,
      },
    },
    "abc",
    assets,
  )
  expect(html).toMatch(/<input [^>]*name="name"[^>]* value="Ana &quot;&lt;b&gt;"/)
  expect(html).toMatch(/<input [^>]*id="cpf"[^>]*aria-describedby="cpf-erro"/)
  expect(html).toMatch(/id="cpf-erro">.*CPF inválido<\/p>/)
  expect(html).toContain("informe também os dados que faltam")
  expect(html).toContain('"problem":{"field":"cpf","message":"CPF inválido"}')
})

const payment = {
  pix: testPix,
  title: "Mentoria <b>",
  seller: "Ana Souza Mentorias",
  sellerDocument: null,
  confirmedAt: null,
  returned: 0,
  returnUrl: null,
  isLeaving: false,
  pagePath: "/checkout/Xa8dK2lmNQpo",
}
const renderPayment = (changes: Partial<typeof payment> | object, page: Parameters<typeof testProps>[0] = {}): string =>
  checkoutDocument({ ...testProps(page), payment: { ...payment, ...changes } }, "abc", assets)

test("the page of an open Pix shows code and image, and comes anew by itself where no script runs", () => {
  const html = renderPayment({})
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>')
  expect(html).toMatch(/<textarea [^>]*readonly[^>]*>00020126<\/textarea>/i)
  expect(html).toContain('src="data:image/png;base64,iVBORw0KGgo="')
  expect(html).toContain("Pague até <b>21/11/2026 14:33</b>")
  expect(html).toContain("Mentoria &lt;b&gt;")
  expect(html).toContain('"pixCode":"00020126"')
  expect(html).not.toMatch(/\s(style|on\w+)=/)
})

test.each([
  ["pago", "Pagamento Aprovado!", "Fazer outro pagamento"],
  ["expirado", "Pagamento Expirado", "Gerar novo código"],
  ["cancelado", "Este código foi cancelado", "Gerar novo código"],
])("a Pix that is %s says so without script, and offers another one while there is a page", (status, words, offer) => {
  const pix = { ...testPix, status }
  const html = renderPayment({ pix })
  expect(html).toContain(`<title>${words} – Mentoria`)
  expect(html).toContain(offer)
  expect(html).not.toMatch(/<script|refresh|00020126/)
  expect(renderPayment({ pix }, null)).not.toContain(offer)
  expect(renderPayment({ pix }, { status: "completed" })).not.toContain(offer)
})

test("a paid Pix leads to the one receipt", () => {
  const pix = { ...testPix, status: "pago" }
  const html = renderPayment({ pix, confirmedAt: "2026-11-21T17:40:00.000Z" })
  const path = `/payment/success?transactionId=${pix.transactionId}&amp;k=${pix.payerToken}`
  expect(html).toContain(`href="${path}">Ver comprovante`)
})

test("what was paid is headed by the shop's name and document of its moment, and by today's before", () => {
  const shop = { name: "Ana Confeitaria", document: "12ABC34501DE35", color: "sky" as const, whatsapp: "11987654321" }
  const paid = { seller: "Doces da Ana", sellerDocument: "11222333000181" }
  const headOf = (status: string, page: Parameters<typeof testProps>[0]) =>
    /<header.*<\/header>/s.exec(renderPayment({ ...paid, pix: { ...testPix, status } }, page))?.[0] ?? ""
  expect(headOf("pago", { shop })).toContain("Doces da Ana")
  expect(headOf("pago", { shop })).toContain("11.222.333/0001-81")
  expect(headOf("pago", { shop })).not.toContain("Ana Confeitaria")
  expect(headOf("pendente", { shop })).toContain("Ana Confeitaria")
})

test("a page that can't be paid says Oops and needs no script", () => {
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

test("of the form's page only what the payer sees first stands before it; other pages have it all at once", () => {
  const order = ["p{}", "</footer>", "i{}", "@font-face{}", "run()"].map((part) => render().indexOf(part))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
  for (const html of [render(null), render({ status: "completed" }), renderPayment({})]) {
    expect(html).toContain(">p{}i{}@font-face{}b{}</style></head>")
  }
})

test("a paid Pix leads back to the shop, by itself only right after the payment, and lets the payer stay", () => {
  const paid = { pix: { ...testPix, status: "pago" }, returnUrl: "https://loja.example/volta?a=1&t=2" }
  const later = renderPayment(paid)
  expect(later).toContain('href="https://loja.example/volta?a=1&amp;t=2"')
  expect(later).not.toContain("setTimeout")
  const leaving = renderPayment({ ...paid, isLeaving: true })
  expect(leaving).toContain('<script nonce="abc">setTimeout(')
  expect(leaving).toContain(`href="?pix=${testPix.transactionId}&amp;k=${testPix.payerToken}">Ficar nesta página`)
  expect(renderPayment({ ...paid, returnUrl: null, isLeaving: true })).not.toMatch(/Voltar à loja|setTimeout/)
})

test("what the address fills in is masked as typed, and the script of a returning page knows where to go on", () => {
  const form = { ...testProps().form, values: { name: '"><b>', cpf: "52998224725", phone: "11987654321" } }
  const html = checkoutDocument({ ...testProps(), form, isReturning: true }, "abc", assets)
  expect(html).toContain('value="529.982.247-25"')
  expect(html).toContain('value="(11) 98765-4321"')
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;"')
  expect(html).toContain('"back":"?volta&pix="')
  expect(checkoutDocument(testProps(), "abc", assets)).not.toContain('"back"')
})

test("a shop stands where its seller's name stood, with its document, logo and colour", () => {
  const html = render({ shop: testShop })
  expect(html).toContain("<b>Doces da Ana</b><small>CNPJ 11.222.333/0001-81</small>")
  expect(html).toMatch(/<img [^>]*src="\/logos\/1f8ac10f23c5b5bc1167bda84b833e5c\.png"/)
  expect(html).toMatch(/<img [^>]*width="44" height="44" decoding="async"/)
  expect(html).toMatch(/s{}\.av,\.pri{background:#f5c25f/)
  expect(html).not.toMatch(/Ana Souza|Cobrança de/)
  expect(render({ shop: { name: "Doces", color: "mint" }, description: "" })).toContain(
    'content="Cobrança de Doces. Pague',
  )
})

test("without a shop the page holds nothing of one", () => {
  expect(render()).not.toMatch(/s{}|contact|Falar com|<img/)
  expect(render({ shop: { name: "Doces da Ana", color: "mint" } })).not.toMatch(/#f5c25f|<small>CNPJ|<img|Falar com/)
})

test("every ending that the server draws names whom to ask", () => {
  const ask = />Falar com Doces da Ana<\/a>/
  const shop = { shop: testShop }
  expect(render({ ...shop, status: "completed" })).toMatch(ask)
  for (const status of ["pago", "expirado", "cancelado"] as const) {
    expect(renderPayment({ pix: { ...testPix, status } }, shop)).toMatch(ask)
  }
  expect(renderPayment({ pix: testPix }, shop)).not.toMatch(ask)
})

test.each([null, "charge_page_suspended" as const])(
  "a page closed by %s keeps its text and adds its shop's",
  (hiddenBy) => {
    const html = checkoutDocument({ ...testProps(null), hiddenBy, closedShop: testShop }, "abc", assets)
    expect(html).toContain(hiddenBy === null ? "Página de cobrança não encontrada ou expirada" : "Página suspensa</h1>")
    expect(html).toContain("As encomendas de dezembro estão encerradas.")
    expect(html).toContain('href="https://wa.me/5511987654321?text=')
    expect(html).not.toMatch(/<script|Pagamento Seguro/)
  },
)
