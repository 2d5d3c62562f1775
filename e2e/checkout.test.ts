import type { Page } from "@playwright/test"
import {
  cancelChargePage,
  countTransactions,
  createChargePage,
  createPaidPage,
  payCode,
  validCpf,
} from "./support/api.ts"
import { expect, test } from "./support/journey.ts"
import { letExpire } from "./support/scripted-checkout.ts"

const awaiting = "Aguardando pagamento... Após o pagamento, a confirmação será automática."

async function generatePix(page: Page, uniqueLink: string): Promise<string> {
  await page.goto(`/checkout/${uniqueLink}`)
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(page.getByText(awaiting)).toBeVisible()
  return pixCodeOf(page)
}

async function pixCodeOf(page: Page): Promise<string> {
  const code = page.getByText(/^000201\w/)
  await expect(code).toBeVisible()
  return (await code.textContent()) ?? ""
}

test("phones and CPFs lose no digit, however a keyboard puts them in", async ({ page, seller, request }) => {
  const charge = await createChargePage(request, seller, {
    requireCustomerData: true,
    customerInfo: { requireName: false, requireEmail: false, requirePhone: true, requireCpf: true },
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  await page.goto(`/checkout/${charge.slug}`)
  const [cpf, phone] = [page.getByLabel("CPF"), page.getByLabel("Telefone")]
  for (const typed of ["+5511987654321", "5511987654321", " 11987654321"]) {
    await phone.fill("")
    await phone.pressSequentially(typed)
    await expect(phone).toHaveValue("(11) 98765-4321")
  }
  for (const [field, suggested, shown] of [
    [phone, "+55 11 98765-4321", "(11) 98765-4321"],
    [cpf, " 529.982.247-25", "529.982.247-25"],
  ] as const) {
    await field.fill("")
    await page.keyboard.insertText(suggested)
    await expect(field).toHaveValue(shown)
  }

  const keyboard = await page.context().newCDPSession(page)
  await cpf.fill("")
  for (const text of ["5", "5299", "5299822472", validCpf]) {
    await keyboard.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length })
  }
  await keyboard.send("Input.insertText", { text: validCpf })
  await expect(cpf).toHaveValue("529.982.247-25")

  await cpf.fill("11.222.333/0001-81")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await page.getByLabel("Nome completo").fill("Caio Prado")
  await page.getByLabel("E-mail").fill("caio@exemplo.com")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(cpf).toHaveAccessibleDescription("CPF inválido")
  await expect(page.getByRole("link", { name: "Comprar como empresa (CNPJ)" })).toBeVisible()
  await cpf.fill(validCpf)
  const sent = page.waitForRequest(/process-modern-pix-payment/)
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  expect((await sent).postDataJSON().customerInfo).toMatchObject({ cpf: validCpf, phone: "11987654321" })
})

test("the form shows what the page requires, and asks in order for all four", async ({ page, seller, request }) => {
  const charge = await createChargePage(request, seller, {
    requireCustomerData: true,
    customerInfo: { requireName: true, requireEmail: false, requirePhone: false, requireCpf: true },
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  await page.goto(`/checkout/${charge.slug}`)
  await expect(page.getByText("Pagamento 100% Seguro")).toBeVisible()
  const name = page.getByLabel("Nome completo")
  const email = page.getByLabel("E-mail")
  const cpf = page.getByLabel("CPF")
  const phone = page.getByLabel("Telefone")
  const pay = page.getByRole("button", { name: "Pagar com PIX" })
  await expect(email).toHaveCount(0)
  await expect(phone).toHaveCount(0)

  await pay.click()
  await expect(name).toHaveAccessibleDescription("Nome é obrigatório")
  await expect(name).toBeFocused()
  await name.fill("Caio Prado")
  await pay.click()
  await expect(email).toBeFocused()
  await expect(email).toHaveAccessibleDescription("E-mail é obrigatório")
  await email.fill("caio@exemplo.com")
  await pay.click()
  await expect(cpf).toHaveAccessibleDescription("CPF é obrigatório")
  await cpf.pressSequentially("11111111111")
  await expect(cpf).toHaveValue("111.111.111-11")
  await pay.click()
  await expect(phone).toHaveAccessibleDescription("Telefone é obrigatório")
  await phone.pressSequentially("11987654321")
  await expect(phone).toHaveValue("(11) 98765-4321")
  await pay.click()
  await expect(cpf).toHaveAccessibleDescription("CPF inválido")
  await cpf.fill("529.982.247-25")

  const sent = page.waitForRequest(/process-modern-pix-payment/)
  await pay.click()
  expect((await sent).postDataJSON()).toEqual({
    checkoutPageId: charge._id,
    customerInfo: { name: "Caio Prado", email: "caio@exemplo.com", cpf: validCpf, phone: "11987654321" },
  })
  await expect(page.getByText(awaiting)).toBeVisible()
})

test("a company gives its CNPJ, with letters too, and a person comes back to the CPF", { tag: "@phone" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/status of 422 .*process-modern-pix-payment/)
  const charge = await createChargePage(request, seller, {
    customerInfo: { requireName: true, requireEmail: true, requirePhone: true, requireCpf: true },
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  await page.goto(`/checkout/${charge.slug}?name=Padaria+Sol&email=sol@exemplo.com&phone=11987654321`)
  await page.getByRole("link", { name: "Comprar como empresa (CNPJ)" }).click()
  const cnpj = page.getByLabel("CNPJ")
  await expect(cnpj).toBeFocused()
  await expect(page.getByLabel("CPF")).toHaveCount(0)
  await page.getByRole("link", { name: "Comprar como pessoa (CPF)" }).click()
  await expect(page.getByLabel("CPF")).toBeFocused()
  await page.getByRole("link", { name: "Comprar como empresa (CNPJ)" }).click()

  const pay = page.getByRole("button", { name: "Pagar com PIX" })
  await pay.click()
  await expect(cnpj).toHaveAccessibleDescription("CNPJ é obrigatório")
  await cnpj.pressSequentially("12abc34501de36")
  await expect(cnpj).toHaveValue("12.ABC.345/01DE-36")
  await pay.click()
  await expect(cnpj).toHaveAccessibleDescription("CNPJ inválido")
  await expect(cnpj).toBeFocused()
  await cnpj.press("End")
  await cnpj.press("Backspace")
  await cnpj.pressSequentially("5")
  const sent = page.waitForRequest(/process-modern-pix-payment/)
  await pay.click()
  expect((await sent).postDataJSON().customerInfo).toEqual({
    ...{ name: "Padaria Sol", email: "sol@exemplo.com", phone: "11987654321" },
    ...{ cpf: "", cnpj: "12.ABC.345/01DE-35" },
  })
  await expect(page.getByText(awaiting)).toBeVisible()
})

test("one Pix per payer: a double click and a reload show the same code", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller)
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).dblclick()
  const code = await pixCodeOf(page)
  await expect(page.getByRole("img", { name: /^QR Code Pix de R\$\s100,00$/ })).not.toHaveJSProperty("naturalWidth", 0)
  await page.reload()
  expect(await pixCodeOf(page)).toBe(code)
  await page.getByRole("button", { name: "Copiar Código PIX" }).click()
  await expect(page.getByRole("button", { name: "Copiado!" })).toBeVisible()
  await expect(page.getByRole("button", { name: "Copiar Código PIX" })).toBeVisible()
  expect(await countTransactions(request, seller)).toBe(1)
})

test("typing and pressing before the page's script has loaded are not lost", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller, {
    requireCustomerData: true,
    customerInfo: { requireName: true, requireEmail: true, requirePhone: true, requireCpf: true },
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await page.getByLabel("Nome completo").fill("Caio Prado")
  await page.getByLabel("E-mail").fill("caio@exemplo.com")
  await page.getByLabel("CPF").fill("111.111.111-11")
  await page.getByLabel("Telefone").fill("11987654321")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(page.getByLabel("CPF")).toHaveAccessibleDescription("CPF inválido")
  await expect(page.getByLabel("Nome completo")).toHaveValue("Caio Prado")
  await expect(page).toHaveURL(new RegExp(`/checkout/${charge.uniqueLink}$`))

  const anonymous = await createChargePage(request, seller)
  await generatePix(page, anonymous.uniqueLink)
  expect(await countTransactions(request, seller)).toBe(1)
})

test("the confirmation appears to every open page, and stays for the payer alone", { tag: "@phone" }, async ({
  page,
  payer,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller)
  const code = await generatePix(page, charge.uniqueLink)
  await payCode(request, code)
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  await page.reload()
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  const answer = await payer.goto(`/checkout/${charge.uniqueLink}`)
  expect(answer?.status()).toBe(200)
  await expect(payer.getByRole("heading", { name: "Cobrança já paga" })).toBeVisible()
  await expect(payer.getByRole("button")).toHaveCount(0)
})

test("unknown and cancelled links answer 404 with Oops!", { tag: "@phone" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/404 .*\/checkout\//)
  const cancelled = await createChargePage(request, seller)
  await cancelChargePage(request, seller, cancelled)
  for (const link of ["nao-existe", cancelled.uniqueLink, cancelled.slug]) {
    const answer = await page.goto(`/checkout/${link}`)
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole("heading", { name: "Oops!" })).toBeVisible()
    await expect(page.getByText("Página de cobrança não encontrada ou expirada")).toBeVisible()
  }
})

test("a charge that is cancelled while its code is shown takes the code away", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller)
  const code = await generatePix(page, charge.uniqueLink)
  await cancelChargePage(request, seller, charge)
  await expect(page.getByRole("heading", { name: "Este código foi cancelado" })).toBeVisible()
  await expect(page.getByText(code)).toHaveCount(0)
  await expect(page.getByText("Esta cobrança não está mais disponível.")).toBeVisible()
})

test("a page for many payments takes the next one", { tag: "@desktop" }, async ({ page, seller, request }) => {
  const charge = await createPaidPage(request, seller, { maxPayments: null })
  const code = await generatePix(page, charge.uniqueLink)
  await payCode(request, code)
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  expect(await countTransactions(request, seller)).toBe(2)
})

test("a code whose time is over can be had anew", { tag: "@phone" }, async ({ page, seller, request }) => {
  const charge = await createChargePage(request, seller)
  await letExpire(page)
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(page.getByRole("heading", { name: "Pagamento Expirado" })).toBeVisible()
  await expect(page.getByText("O tempo para pagamento expirou.").first()).toBeVisible()
  await page.unrouteAll()
  await page.getByRole("link", { name: "Gerar novo código" }).click()
  await expect(page.getByText(awaiting)).toBeVisible()
})
