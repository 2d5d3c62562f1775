import { expectAccessible } from "./support/accessibility.ts"
import { changeShop, createChargePage, joinTeam, payCode } from "./support/api.ts"
import { expect, sellerTest } from "./support/journey.ts"

const offline = "Sem internet: o código ainda não foi gerado."
const charges = "**/api/v1/charges"

sellerTest(
  "a sale at the counter survives a lost network at each step, and is paid only when the server says so",
  { tag: "@phone" },
  async ({ page, context, request, seller, complaints }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await changeShop(request, seller, { name: "Padaria do Zé" })
    await page.goto("/counter")
    const pad = page.getByRole("dialog", { name: "Balcão" })
    await pad.getByRole("button", { name: "Favoritos" }).click()
    await page.getByLabel("Nome do favorito 1").fill("Café")
    await page.getByLabel("Preço do favorito 1").pressSequentially("400")
    await expectAccessible(page, "favourites")
    await page.getByRole("button", { name: "Salvar" }).click()
    await pad.getByRole("button", { name: /R\$\s4,00\s*Café/ }).click()
    await expect(pad.getByLabel("Observação")).toHaveValue("Café")
    for (let digits = 0; digits < 3; digits += 1) await pad.getByRole("button", { name: "Apagar" }).click()
    for (const digit of ["1", "2", "5", "0"]) await pad.getByRole("button", { name: digit, exact: true }).click()
    await pad.getByLabel("Observação").fill("Dois pães na chapa com manteiga e um café coado pequeno, para levar")
    await expect(pad.getByRole("status", { name: "Valor" })).toContainText("12,50")
    await expectAccessible(page, "pad of the counter")

    // Before the request leaves.
    await context.setOffline(true)
    await pad.getByRole("button", { name: "Gerar QR" }).click()
    await expect(pad.getByText(offline)).toBeVisible()
    await expect(pad.getByLabel("Observação")).toHaveValue(
      "Dois pães na chapa com manteiga e um café coado pequeno, para levar",
    )

    // After the server made the code, whose answer is lost: the same one is asked for again.
    await page.route(charges, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await context.setOffline(false)
    await expect(pad.getByText(offline)).toBeVisible()
    await page.unroute(charges)
    await pad.getByRole("button", { name: "Tentar novamente" }).click()
    await expect(pad.getByRole("img", { name: /QR code Pix de R\$\s12,50/ })).toBeVisible()
    await expect(pad).toContainText("Padaria do Zé")
    await expectAccessible(page, "code at the counter")

    // While the payer pays.
    const { charge } = JSON.parse(String(await page.evaluate(() => localStorage.getItem("counter-sale"))))
    await context.setOffline(true)
    await payCode(request, charge.pixCode)
    await expect(pad).toContainText("Sem internet: ainda não sabemos se foi pago.")
    await expect(pad).not.toContainText("Recebido")
    await context.setOffline(false)
    await expect(pad.getByText(/Recebido R\$\s12,50/)).toBeVisible()
    await expectAccessible(page, "paid at the counter")

    // Back by itself, and one tap for what was just sold.
    const again = pad.getByRole("button", { name: /R\$\s12,50\s*Dois pães na chapa/ })
    await expect(again).toBeVisible({ timeout: 10_000 })
    await again.click()
    await pad.getByRole("button", { name: "Gerar QR" }).click()
    await expect(pad.getByRole("img", { name: /QR code Pix/ })).toBeVisible()
    await page.reload()
    await expect(pad.getByRole("img", { name: /QR code Pix/ })).toBeVisible()
    await pad.getByRole("button", { name: "Nova venda" }).click()
    await pad.getByRole("button", { name: /^Hoje/ }).click()
    await expect(pad).toContainText("1 venda · R$ 12,50")
    await expect(pad.getByRole("button", { name: "Imprimir" })).toBeInViewport({ ratio: 1 })
    await pad.getByLabel("Dia").fill("2026-01-02")
    await expect(pad).toContainText("Nenhuma venda neste dia.")
    await expectAccessible(page, "today at the counter")
  },
)

sellerTest(
  "a payer chooses the amount by a suggestion",
  { tag: "@phone" },
  async ({ page, request, seller, complaints }) => {
    complaints.expect(/422 .*process-modern-pix-payment/)
    const charge = await createChargePage(request, seller, {
      amount: null,
      minAmount: 5,
      maxAmount: 50,
      suggestions: [10, 20],
      pixConfig: { allowAnonymous: true, expiresInHours: 24 },
    } as never)
    await page.goto(`/checkout/${charge.uniqueLink}`)
    await expect(page.getByText("De R$ 5,00 a R$ 50,00")).toBeVisible()
    await expect(page.getByText(/Código da página: [2-9A-Z]{3}-[2-9A-Z]{3}/)).toBeVisible()
    await page.getByLabel("Valor em R$").pressSequentially("6000")
    await expect(page.getByLabel("Valor em R$")).toHaveValue("60,00")
    await page.getByRole("button", { name: /Gerar PIX/ }).click()
    await expect(page.getByText("Informe um valor de R$ 5,00 a R$ 50,00.")).toBeVisible()
    await expectAccessible(page, "amount outside the limits")
    await page.getByRole("link", { name: /R\$\s20,00/ }).click()
    await page.getByRole("button", { name: /Gerar PIX/ }).click()
    await expect(page.getByRole("img", { name: /QR Code Pix de R\$\s20,00/ })).toBeVisible()
  },
)

sellerTest(
  "a paired screen shows the sale and its payment, a cashier asks to undo it, and the owner confirms",
  { tag: "@desktop" },
  async ({ page, payer, browser, baseURL, request, seller, complaints }) => {
    complaints.expect(/404 .*screens\/(pair|current)/)
    await changeShop(request, seller, { name: "Padaria do Zé" })
    await payer.goto("/tela")
    await payer.getByLabel("Código").fill("AAAA-BBBB")
    await payer.getByRole("button", { name: "Ligar a tela" }).click()
    await expect(payer.getByText("Código errado ou vencido")).toBeVisible()
    await expectAccessible(payer, "pairing of a screen")

    const cashier = await joinTeam(request, seller, "cashier")
    const state = {
      cookies: [],
      origins: [{ origin: baseURL ?? "", localStorage: [{ name: "token", value: cashier.token }] }],
    }
    const till = await (await browser.newContext({ storageState: state })).newPage()
    await till.addInitScript((shop) => sessionStorage.setItem("shop", shop), cashier.shopId)
    await till.goto("/counter")
    await till.getByRole("button", { name: "Tela do cliente" }).click()
    await till.getByRole("button", { name: "Ligar uma tela" }).click()
    const code = till.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    await payer.getByLabel("Código").fill((await code.textContent()) ?? "")
    await payer.getByRole("button", { name: "Ligar a tela" }).click()
    await expect(payer.getByText("Pague aqui com Pix")).toBeVisible()
    await expectAccessible(payer, "screen between sales")
    await expect(till.getByRole("checkbox", { name: /Mostra as vendas deste balcão/ })).toBeChecked()
    await expectAccessible(till, "screens of the counter")
    await till.getByRole("button", { name: "Fechar" }).click()
    for (const digit of ["7", "00"]) await till.getByRole("button", { name: digit, exact: true }).click()
    await till.getByRole("button", { name: "Gerar QR" }).click()
    await expect(payer.getByRole("img", { name: /QR code Pix de R\$\s7,00/ })).toBeVisible()
    await expectAccessible(payer, "screen with a sale")
    const { charge } = JSON.parse(String(await till.evaluate(() => localStorage.getItem("counter-sale"))))
    await payCode(request, charge.pixCode)
    await expect(payer.getByText(/Pago: R\$\s7,00/)).toBeVisible()
    await expectAccessible(payer, "screen with a payment")
    await till.getByRole("button", { name: "Nova venda" }).click()
    await expect(payer.getByText("Pague aqui com Pix")).toBeVisible()

    await till.getByRole("button", { name: /^Hoje/ }).click()
    await till.getByRole("button", { name: "Pedir estorno" }).click()
    await till.getByLabel("Motivo").fill("Cobrei errado")
    await till
      .getByRole("dialog", { name: /Pedir o estorno/ })
      .getByRole("button", { name: "Pedir estorno" })
      .click()
    await expect(till.getByText("Estorno pedido")).toBeVisible()
    await page.goto("/transactions")
    await expect(page.getByText(/pediu em .*Cobrei errado/)).toBeVisible()
    await expectAccessible(page, "a request to undo")
    await page.getByRole("button", { name: "Estornar", exact: true }).click()
    await page.getByRole("button", { name: /^Estornar R\$\s7,00/ }).click()
    await expect(page.getByText("Pedidos de estorno do balcão")).toHaveCount(0)

    await till.reload()
    await till.getByRole("button", { name: "Tela do cliente" }).click()
    await till.getByRole("button", { name: "Desligar" }).click()
    await expect(payer.getByText("Esta tela foi desligada")).toBeVisible()
  },
)
