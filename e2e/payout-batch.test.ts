import type { APIRequestContext, Page } from "@playwright/test"
import { txidOf } from "../server/src/money/hand-payouts/rules.ts"
import { expectAccessible } from "./support/accessibility.ts"
import { admin, createPaidPage, decideWithdrawal, logIn, requestWithdrawal, signUp, validCpf } from "./support/api.ts"
import { expect, toast } from "./support/journey.ts"
import { adminTest, forWorker, installationWith } from "./support/own-server.ts"

/** A bank that sends nothing by API. */
const test = adminTest.extend({
  installation: [installationWith({ SIMULATOR_PAYOUTS: "by-hand" }), forWorker],
})

const bankData = { bank: "Banco do Brasil", agency: "1234-5", account: "98765-4", accountType: "corrente" }
const orders = [
  { name: "Ana Souza", amount: 10.01, paymentMethod: "pix", pixKey: "123e4567-e89b-12d3-a456-426614174000" },
  { name: "Bia Lima", amount: 20.02, paymentMethod: "pix", pixKey: "bia@loja.example" },
  { name: "Caio Reis", amount: 30.03, paymentMethod: "pix", pixKey: validCpf },
  { name: "Davi Melo", amount: 40.04, paymentMethod: "bank_transfer", bankData },
]

type Order = (typeof orders)[number]

async function approveAll(request: APIRequestContext, all: readonly Order[] = orders): Promise<string[]> {
  const ids: string[] = []
  for (const { name, ...order } of all) {
    const seller = await signUp(request, name)
    await createPaidPage(request, seller)
    const withdrawal = await requestWithdrawal(request, seller, order)
    await decideWithdrawal(request, withdrawal, "approve")
    ids.push(withdrawal._id)
  }
  return ids
}

/** Pays what the page shows in the bank's app; returns the Pix's id, as it was copied there. */
async function payInApp(page: Page, app: Page, { name, amount }: { name: string; amount: string }): Promise<string> {
  await page.getByRole("button", { name: "Copiar código Pix" }).click()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  await app.goto("/simulador")
  await app.getByLabel("Código Pix copia e cola").fill(code)
  await app.keyboard.press("Enter")
  await expect(app.getByRole("heading", { name: "Você vai pagar" })).toBeVisible()
  await expect(app.getByText(name, { exact: true })).toBeVisible()
  await expectAccessible(app, `what the bank's app asks before it pays ${name}`)
  await app.getByRole("button", { name: `Pagar R$\u00a0${amount}` }).click()
  await expect(app.getByRole("heading", { name: "Pagamento realizado" })).toBeVisible()
  await app.getByRole("button", { name: "Copiar ID do Pix" }).click()
  await expect(app.getByText("ID do Pix copiado.")).toBeVisible()
  await expectAccessible(app, `the bank's app after it paid ${name}`)
  return app.evaluate(() => navigator.clipboard.readText())
}

interface BankDebit {
  amount: number
  text: string
}

async function dropOfx(page: Page, debits: readonly BankDebit[]): Promise<void> {
  const day = new Date().toLocaleDateString("en-CA", { timeZone: "America/Sao_Paulo" }).replaceAll("-", "")
  const rows = debits.map(
    ({ amount, text }, at) =>
      `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${day}<TRNAMT>-${amount}<FITID>${at + 1}<MEMO>${text}</STMTTRN>`,
  )
  const ofx = `OFXHEADER:100\nDATA:OFXSGML\nENCODING:UTF-8\n\n<OFX><BANKTRANLIST>${rows.join("\n")}</BANKTRANLIST></OFX>`
  const dataTransfer = await page.evaluateHandle((text) => {
    const files = new DataTransfer()
    files.items.add(new File([text], "extrato.ofx"))
    return files
  }, ofx)
  await page.getByRole("button", { name: "Escolher extrato" }).dispatchEvent("drop", { dataTransfer })
}

test("a batch is paid one after the other in the bank's app, and its statement finds what was left", {
  tag: "@soak",
}, async ({ page, payer: app, request }) => {
  await approveAll(request)
  await page.goto("/admin/withdrawals/batch")
  const start = page.getByRole("button", { name: /^Pagar 4 saques · R\$\s100,10$/ })
  await expect(start).toBeVisible()
  await expectAccessible(page, "withdrawals to be paid by hand")
  await start.click()

  const debits: BankDebit[] = []
  for (const [at, { name, amount, paymentMethod }] of orders.entries()) {
    const shown = amount.toFixed(2).replace(".", ",")
    await expect(page.getByText(`${at + 1} de 4`)).toBeVisible()
    await expect(page.getByText(name, { exact: true })).toBeVisible()
    await expectAccessible(page, `how to pay ${name}`)
    const isPix = paymentMethod === "pix"
    const pixId = isPix ? await payInApp(page, app, { name, amount: shown }) : ""
    debits.push({ amount, text: isPix ? `PIX ENVIADO ${pixId}` : `TED ${name}` })
    if (at === 2) {
      await page.getByRole("button", { name: "Pular" }).click()
      continue
    }
    if (isPix) await page.getByLabel("Identificador do banco").fill(pixId)
    // Nobody pays within the first second of a step.
    await page.waitForTimeout(1100)
    await page.getByRole("button", { name: "Paguei" }).click()
  }
  await expect(page.getByText(/^3 saques pagos · R\$\s70,07$/)).toBeVisible()
  await expectAccessible(page, "a batch that was paid")

  await page.goto("/admin/withdrawals/batch")
  const { text = "" } = debits[2] ?? {}
  debits[2] = { amount: 30.03, text: `${text} CAIO REIS` }
  await dropOfx(page, [...debits, { amount: 1.99, text: "TARIFA PIX" }])
  const list = page.getByRole("list", { name: "Débitos do extrato" })
  for (const [at, badge] of ["Provável", "De ninguém"].entries())
    await expect(list.getByRole("listitem").nth(at)).toContainText(badge)
  await page.getByText("3 débitos já conhecidos").click()
  await expectAccessible(page, "what the bank's statement tells")
  await list.getByRole("checkbox").check()
  await page.getByRole("button", { name: "Marcar 1 saque como pago" }).click()
  await expect(toast(page, "1 saque marcado como pago.")).toBeVisible()
  await expect(page.getByText("4 débitos já conhecidos")).toBeVisible()
  await expect(page.getByText("Nada a pagar")).toBeVisible()

  const { envios } = (await (await request.get("/simulador/api/envios")).json()) as { envios: { valor: string }[] }
  expect(envios.map(({ valor }) => valor)).toEqual(["30.03", "20.02", "10.01"])
})

test("what an imported statement shows as paid is asked about first, and a button pressed twice marks one", {
  tag: "@soak",
}, async ({ page, request }) => {
  const ids = await approveAll(request, [
    { name: "Hugo Sales", amount: 61.01, paymentMethod: "pix", pixKey: "hugo@loja.example" },
    { name: "Iara Melo", amount: 62.02, paymentMethod: "pix", pixKey: "iara@loja.example" },
  ])
  await page.goto("/admin/withdrawals/batch")
  const debits = ids.map((id, at) => ({ amount: at === 0 ? 61.01 : 62.02, text: `PIX ENVIADO ${txidOf(id)}` }))
  await dropOfx(page, debits)
  await expect(page.getByRole("list", { name: "Débitos do extrato" }).getByRole("listitem")).toHaveCount(2)
  await page.getByRole("button", { name: /^Pagar 2 saques/ }).click()
  const doubt = page.getByRole("alert").filter({ hasText: "O extrato importado já mostra este pagamento" })
  await expect(doubt).toBeVisible()
  await expectAccessible(page, "a payment that the statement shows")
  // The second press comes as soon as the next one is asked about.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const button = [...document.querySelectorAll("button")].find(
        ({ textContent }) => textContent === "Conferi: foi pago",
      )
      if (button === undefined || !document.body.textContent.includes("2 de 2")) return
      observer.disconnect()
      button.click()
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.waitForTimeout(1100)
  await doubt.getByRole("button", { name: "Conferi: foi pago" }).click()
  await expect(page.getByText("2 de 2 · Iara Melo")).toBeVisible()
  await page.waitForTimeout(1100)
  await doubt.getByRole("button", { name: "Conferi: não foi pago" }).click()
  await expect(page.getByRole("img", { name: /para Iara Melo$/ })).toBeVisible()
  await page.getByRole("button", { name: "Pular" }).click()
  await expect(page.getByText(/^1 saque pago · R\$\s61,01$/)).toBeVisible()
  await page.goto("/admin/withdrawals/batch")
  await dropOfx(page, debits)
  await page.getByRole("button", { name: "Marcar 1 saque como pago" }).click()
  await expect(toast(page, "1 saque marcado como pago.")).toBeVisible()
})

test("a key pressed twice pays one, an answer that is lost is found, and what a statement can't mark says why", {
  tag: "@soak",
}, async ({ page, request, complaints }) => {
  complaints.expect(/ERR_FAILED/)
  complaints.expect(/409/)
  const other = "98765432100"
  await approveAll(request, [
    { name: "Eva Nunes", amount: 51.01, paymentMethod: "pix", pixKey: "eva@loja.example" },
    { name: "Fia Porto", amount: 52.02, paymentMethod: "pix", pixKey: "fia@loja.example" },
    { name: "Gil Prado", amount: 53.03, paymentMethod: "pix", pixKey: other },
  ])
  await page.goto("/admin/withdrawals/batch")
  await page.getByRole("button", { name: /^Pagar 3 saques/ }).click()
  const shows = (name: string) => expect(page.getByRole("img", { name: new RegExp(`para ${name}$`) })).toBeVisible()
  await shows("Eva Nunes")
  await page.waitForTimeout(1100)
  await page.keyboard.press("Space")
  await page.keyboard.press("Space")
  await shows("Fia Porto")
  await page.waitForTimeout(1100)
  await shows("Fia Porto")

  await page.route("**/complete", async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole("button", { name: "Paguei" }).click()
  await expect(page.getByText("Sem conexão com a internet")).toBeVisible()
  await page.unroute("**/complete")
  await page.getByRole("button", { name: "Paguei" }).click()
  await shows("Gil Prado")
  await page.getByRole("button", { name: "Pular" }).click()
  await expect(page.getByText(/^2 saques pagos · R\$\s103,03$/)).toBeVisible()

  await page.goto("/admin/withdrawals/batch")
  await dropOfx(page, [{ amount: 53.03, text: "PIX ENVIADO GIL PRADO" }])
  await page.getByRole("list", { name: "Débitos do extrato" }).getByRole("checkbox").check()
  const headers = { Authorization: `Bearer ${await logIn(request, admin)}` }
  const setting = { key: "OWN_NAME_ONLY", value: "on", type: "string", category: "general", description: "" }
  const saved = await request.post("/api/v1/settings", { headers, data: setting })
  if (!saved.ok()) await request.patch("/api/v1/settings/OWN_NAME_ONLY", { headers, data: { value: "on" } })
  await page.getByRole("button", { name: "Marcar 1 saque como pago" }).click()
  await expect(page.getByText("1 lançamento não pôde ser confirmado: veja o motivo.")).toBeVisible()
  await expect(page.getByText(/^O banco já pagou este saque.*destino de outra pessoa.*Não o devolva/)).toBeVisible()
  await expectAccessible(page, "a debit that could not be marked")
})

test("what a statement shows as paid is given back after a look at the bank", {
  tag: "@soak",
}, async ({ page, request, complaints }) => {
  complaints.expect(/409/)
  const seller = await signUp(request, "Hugo Reis")
  await createPaidPage(request, seller)
  const order = { amount: 54.04, paymentMethod: "pix", pixKey: "hugo@loja.example" }
  const withdrawal = await requestWithdrawal(request, seller, order)
  await decideWithdrawal(request, withdrawal, "approve")
  const headers = { Authorization: `Bearer ${await logIn(request, admin)}` }
  const claimPath = `/api/v1/admin/withdrawals/${withdrawal._id}/claim`
  const { pix } = (await (await request.post(claimPath, { headers, data: {} })).json()).data
  await request.delete(claimPath, { headers })
  await page.goto("/admin/withdrawals/batch")
  await dropOfx(page, [{ amount: 54.04, text: `PIX ${pix.txid}` }])
  await expect(page.getByRole("list", { name: "Débitos do extrato" })).toContainText("Certo")

  await page.goto(`/admin/withdrawals?withdrawal=${withdrawal._id}`)
  await page.getByRole("button", { name: "Devolver ao saldo" }).click()
  const question = page.getByRole("alertdialog", { name: "Devolver saque ao saldo?" })
  await question.getByLabel("Motivo").fill("A chave não existe")
  await question.getByRole("button", { name: "Devolver ao saldo" }).click()
  await expect(question.getByText(/^O extrato importado já mostra o pagamento deste saque/)).toBeVisible()
  await expectAccessible(page, "a return that asks to look at the bank")
  await question.getByRole("button", { name: "Conferi: não foi pago" }).click()
  await expect(toast(page, "Saque devolvido: o valor voltou ao saldo do vendedor.")).toBeVisible()
})

test("a receipt without the Pix's id leaves the field empty, and what somebody gave back meanwhile is skipped", {
  tag: "@soak",
}, async ({ page, request, complaints }) => {
  complaints.expect(/409/)
  const [id = ""] = await approveAll(request, [
    { name: "Lia Rocha", amount: 55.05, paymentMethod: "pix", pixKey: "lia@loja.example" },
  ])
  await page.goto("/admin/withdrawals/batch")
  await page.getByRole("button", { name: /^Pagar .*R\$\s55,05$/ }).click()
  const bankId = page.getByLabel("Identificador do banco")
  await expect(bankId).toBeVisible()
  const receipt = `Comprovante de transferência\nValor: R$ 55,05\n${"Banco do Brasil S.A. ".repeat(4)}`
  await page.evaluate((text) => navigator.clipboard.writeText(text), receipt)
  await bankId.focus()
  await page.keyboard.press("ControlOrMeta+V")
  await expect(
    page.getByText("Este comprovante não traz o ID do Pix: escreva o número da transferência."),
  ).toBeVisible()
  await expect(bankId).toHaveValue("")

  await page.getByRole("button", { name: "Deu errado" }).click()
  const question = page.getByRole("alertdialog", { name: "Devolver saque ao saldo?" })
  await question.getByLabel("Motivo").fill("A chave não existe")
  const headers = { Authorization: `Bearer ${await logIn(request, admin)}` }
  const path = `/api/v1/admin/withdrawals/${id}/return`
  expect((await request.patch(path, { headers, data: { reason: "A chave não existe" } })).ok()).toBe(true)
  await question.getByRole("button", { name: "Devolver ao saldo" }).click()
  await expect(page.getByText("Pulado")).toBeVisible()
  await expect(page.getByText("Deu errado")).toBeHidden()
})
