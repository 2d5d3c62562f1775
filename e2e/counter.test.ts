import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { changeShop, changeUser, createChargePage, joinTeam, payCode } from "./support/api.ts"
import { expect, type OpenBrowser, sellerTest, toast, tryAgain } from "./support/journey.ts"

const offline = "Sem internet: o código ainda não foi gerado."
const charges = "**/api/v1/charges"

/** The Pix code of the sale that the till has open. */
async function openCode(till: Page): Promise<string> {
  const stored = await till.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith("counter-sale"))
    return localStorage.getItem(key ?? "")
  })
  return JSON.parse(String(stored)).charge.pixCode
}

/** The counter of a shop, in a browser of the person's own. */
async function openTill(openBrowser: OpenBrowser, token: string, shopId: string): Promise<Page> {
  const till = await (await openBrowser({ token, viewport: { width: 375, height: 667 } })).newPage()
  await till.addInitScript((shop) => sessionStorage.setItem("shop", shop), shopId)
  await till.goto("/counter")
  return till
}

/** The cashier's request, in the list of the day. */
async function askToUndo(till: Page, reason = ""): Promise<void> {
  await till.getByRole("button", { name: "Pedir estorno" }).click()
  const asked = till.getByRole("dialog", { name: /Pedir o estorno/ })
  await asked.getByLabel("Motivo").fill(reason)
  await asked.getByRole("button", { name: "Pedir estorno" }).click()
  await expect(till.getByText("Estorno pedido")).toBeVisible()
}

sellerTest(
  "a sale at the counter survives a lost network at each step, and is paid only when the server says so",
  { tag: "@phone" },
  async ({ page, context, request, seller, complaints }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await changeShop(request, seller, { name: "Padaria do Zé" })
    await page.addInitScript(() => {
      const { AudioContext } = window
      window.AudioContext = class extends AudioContext {
        constructor() {
          super()
          document.documentElement.dataset["sounds"] = `${Number(document.documentElement.dataset["sounds"] ?? 0) + 1}`
        }
      }
    })
    await page.goto("/counter")
    const pad = page.getByRole("dialog", { name: "Balcão" })
    await pad.getByRole("button", { name: "Favoritos" }).click()
    await page.getByLabel("Nome do favorito 1").fill("Café")
    await page.getByRole("button", { name: "Salvar" }).click()
    await expect(page.getByText("Favorito 1: informe o nome e um preço de R$ 1,00 ou mais.")).toBeVisible()
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
    // The page asks by itself as soon as it is online.
    const lost = page.waitForEvent("requestfailed", (sent) => sent.url().endsWith("/api/v1/charges"))
    await context.setOffline(false)
    await lost
    await page.unroute(charges)
    await tryAgain(pad)
    await expect(pad.getByRole("img", { name: /QR code Pix de R\$\s12,50/ })).toBeVisible()
    await expect(pad).toContainText("Padaria do Zé")
    await expectAccessible(page, "code at the counter")

    // While the payer pays.
    const code = await openCode(page)
    await context.setOffline(true)
    await payCode(request, code)
    await expect(pad).toContainText("Sem internet: ainda não sabemos se foi pago.")
    await expect(pad).not.toContainText("Recebido")
    await context.setOffline(false)
    await expect(pad.getByText(/Recebido R\$\s12,50/)).toBeVisible()
    await expectAccessible(page, "paid at the counter")

    // Back by itself, and one tap for what was just sold.
    const again = pad.getByRole("button", { name: /R\$\s12,50\s*Dois pães na chapa/ })
    await expect(again).toBeVisible()
    await expect(page.locator("html")).toHaveAttribute("data-sounds", "1")
    await again.click()
    await pad.getByRole("button", { name: "Gerar QR" }).click()
    await expect(pad.getByRole("img", { name: /QR code Pix/ })).toBeVisible()
    await page.reload()
    await expect(pad.getByRole("img", { name: /QR code Pix/ })).toBeVisible()
    await pad.getByRole("button", { name: "Nova venda" }).click()
    await pad.getByRole("button", { name: /^Hoje/ }).click()
    await expect(pad).toContainText("1 venda · R$ 12,50")
    await expect(pad.getByRole("button", { name: "Imprimir" })).toBeInViewport({ ratio: 1 })
    await expectAccessible(page, "open shift at the counter")
    await pad.getByRole("button", { name: "Fechar turno" }).click()
    await expect(pad.getByText("Turno fechado: 1 venda · R$ 12,50")).toBeVisible()
    await expect(pad.getByText("Nenhuma venda paga desde o último fechamento.")).toBeVisible()
    await page.evaluate(() => (window.print = () => undefined))
    await pad.getByRole("button", { name: "Imprimir turno" }).click()
    await expect(page.locator(".shift")).toContainText("Fechamento do turno")
    await expect(pad.getByRole("list", { name: "Turnos" }).getByRole("listitem")).toHaveCount(1)
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
  async ({ page, payer, openBrowser, request, seller, complaints }) => {
    complaints.expect(/404 .*screens\/(pair|current)|ERR_FAILED .*\/screens\//)
    await changeShop(request, seller, { name: "Padaria do Zé" })
    // A television that nobody ever told the time.
    await payer.clock.setFixedTime(Date.now() + 3_600_000)
    await payer.goto("/tela")
    await payer.getByLabel("Código").fill("AAAA-BBBB")
    await payer.getByRole("button", { name: "Ligar a tela" }).click()
    await expect(payer.getByText("Código errado ou vencido")).toBeVisible()
    await expectAccessible(payer, "pairing of a screen")

    const cashier = await joinTeam(request, seller, "cashier")
    const till = await openTill(openBrowser, cashier.token, cashier.shopId)
    await till.getByRole("button", { name: "Tela do cliente" }).click()
    await till.getByRole("button", { name: "Ligar uma tela" }).dblclick()
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
    await expect(payer.getByText(/No app do banco aparece TILINTA/)).toBeVisible()
    await expectAccessible(payer, "screen with a sale")

    // A request that a slow network holds back never replaces a later one, and one that it lost is sent again.
    const shown = "**/api/v1/shops/*/screens/*"
    const isHeld = Promise.withResolvers<void>()
    await till.route(shown, async (route) => {
      await isHeld.promise
      await route.continue().catch(() => undefined)
    })
    await till.getByRole("button", { name: "Nova venda" }).click()
    await till.unroute(shown)
    await till.route(shown, (route) => route.abort(), { times: 1 })
    for (const digit of ["8", "00"]) await till.getByRole("button", { name: digit, exact: true }).click()
    await till.getByRole("button", { name: "Gerar QR" }).click()
    await expect(payer.getByRole("img", { name: /QR code Pix de R\$\s8,00/ })).toBeVisible()
    isHeld.resolve()
    await payCode(request, await openCode(till))
    await expect(payer.getByText(/Pago: R\$\s8,00/)).toBeVisible()
    await expectAccessible(payer, "screen with a payment")
    await till.getByRole("button", { name: "Nova venda" }).click()
    await expect(payer.getByText("Pague aqui com Pix")).toBeVisible()

    await till.getByRole("button", { name: /^Hoje/ }).click()
    await askToUndo(till, "Cobrei errado")
    await page.goto("/transactions")
    await expect(page.getByText(/pediu em .*Cobrei errado/)).toBeVisible()
    await expectAccessible(page, "a request to undo")
    await page.getByRole("button", { name: "Estornar", exact: true }).click()
    await page.getByRole("button", { name: /^Estornar R\$\s8,00/ }).click()
    await expect(toast(page, "Estorno solicitado")).toBeVisible()
    await expect(page.getByText("Pedidos de estorno do balcão")).toHaveCount(0)

    // The cashier's list hears of it, also at a day's end.
    await till.clock.setFixedTime(Date.now() + 86_400_000)
    await expect(till.getByText("Estorno confirmado")).toBeVisible()
    await expect(till.getByText("As vendas do dia não foram carregadas.")).toHaveCount(0)
    await till.clock.setFixedTime(Date.now())

    await till.reload()
    await till.getByRole("button", { name: "Tela do cliente" }).click()
    await till.getByRole("button", { name: "Desligar" }).click()
    await expect(payer.getByText("Esta tela foi desligada")).toBeVisible()

    // A code that was used, or is over, is not shown as if it were good.
    const another = till.getByRole("button", { name: "Ligar uma tela" })
    await another.click()
    await payer.goto("/tela")
    await payer.getByLabel("Código").fill((await code.textContent()) ?? "")
    await payer.getByRole("button", { name: "Ligar a tela" }).click()
    await till.getByRole("button", { name: "Desligar" }).click()
    await expect(another).toBeVisible()
    await expect(code).toHaveCount(0)
    await another.click()
    await expect(code).toBeVisible()
    const headers = { Authorization: `Bearer ${seller.token}` }
    const screens = `/api/v1/shops/${cashier.shopId}/screens`
    const [waiting] = (await (await request.get(screens, { headers })).json()).data.screens
    await request.delete(`${screens}/${waiting._id}`, { headers })
    await expect(another).toBeVisible()
    await expect(code).toHaveCount(0)
  },
)

sellerTest(
  "who decides a request to undo that somebody else has decided reads so",
  { tag: "@desktop" },
  async ({ page, openBrowser, request, seller, complaints }) => {
    complaints.expect(/409 .*refund-requests/)
    const cashier = await joinTeam(request, seller, "cashier")
    const till = await openTill(openBrowser, cashier.token, cashier.shopId)
    for (const digit of ["7", "00"]) await till.getByRole("button", { name: digit, exact: true }).click()
    await till.getByRole("button", { name: "Gerar QR" }).click()
    await expect(till.getByRole("img", { name: /QR code Pix/ })).toBeVisible()
    await payCode(request, await openCode(till))
    await till.getByRole("button", { name: "Nova venda" }).click()
    const ask = async () => {
      await askToUndo(till)
      await page.goto("/transactions")
    }
    await till.getByRole("button", { name: /^Hoje/ }).click()
    await ask()
    await page.getByRole("button", { name: "Recusar" }).click()
    await expect(toast(page, "Pedido recusado")).toBeVisible()

    await expect(till.getByText("Estorno recusado")).toBeVisible()
    await ask()
    await page.route("**/confirm", async (route) => {
      const url = route
        .request()
        .url()
        .replace(/confirm$/, "decline")
      await request.patch(url, { headers: { Authorization: `Bearer ${seller.token}` } })
      await route.continue()
    })
    await page.getByRole("button", { name: "Estornar", exact: true }).click()
    await page.getByRole("button", { name: /^Estornar R\$\s7,00/ }).click()
    await expect(toast(page, /já foi/)).toBeVisible()
  },
)

sellerTest(
  "a sale stays with its shop, two taps or the keyboard make its code, and the pad fits a phone",
  { tag: "@phone" },
  async ({ openBrowser, request, seller }) => {
    const names = ["Pão na chapa", "Café", "Suco", "Bolo", "Sonho", "Coxinha", "Torta", "Misto", "Água", "Pudim"]
    const favourites = names.map((name, at) => ({ name, amount: at + 3 }))
    await request.put("/api/v1/counter/favourites", {
      headers: { Authorization: `Bearer ${seller.token}` },
      data: { favourites },
    })
    const cashier = await joinTeam(request, seller, "cashier")
    const till = await openTill(openBrowser, cashier.token, cashier.shopId)
    const amount = till.getByRole("status", { name: "Valor" })
    const qr = till.getByRole("img", { name: /QR code Pix/ })
    const make = till.getByRole("button", { name: /^(Gerar QR|Tentar novamente)$/ })

    await till.getByRole("button", { name: /Café/ }).click()
    await expect(amount).toContainText("4,00")
    for (const part of [amount, make]) await expect(part).toBeInViewport({ ratio: 1 })
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 667, height: 375 },
      { width: 768, height: 1024 },
    ]) {
      await till.setViewportSize(viewport)
      for (const part of [amount, make]) await expect(part).toBeInViewport({ ratio: 1 })
    }
    await till.keyboard.press("Enter")
    await expect(qr).toHaveAccessibleName(/R\$\s4,00/)

    // Another shop of the same person knows nothing of it.
    const own = await till.context().newPage()
    await own.goto("/counter")
    await expect(own.getByRole("button", { name: "Gerar QR" })).toBeVisible()
    await expect(own.getByRole("img", { name: /QR code Pix/ })).toHaveCount(0)
    await own.close()
    await till.reload()
    await expect(qr).toHaveAccessibleName(/R\$\s4,00/)
    await till.getByRole("button", { name: "Nova venda" }).click()

    // Enter makes the code, whichever button was used before.
    await till.getByRole("button", { name: "5", exact: true }).click()
    await till.keyboard.press("Enter")
    await expect(till.getByText("O valor mínimo da cobrança é R$ 1,00")).toBeVisible()
    await till.getByRole("button", { name: "Tela do cliente" }).click()
    await expect(till.getByRole("dialog", { name: "Tela do cliente" })).toBeVisible()
    await till.keyboard.press("Escape")
    await till.keyboard.type("00")
    await expect(amount).toContainText("5,00")
    await expect(till.getByText("O valor mínimo da cobrança é R$ 1,00")).toHaveCount(0)
    await till.keyboard.press("Enter")
    await expect(qr).toHaveAccessibleName(/R\$\s5,00/)
  },
)

sellerTest(
  "an open till whose shop is closed charges for nobody else",
  { tag: "@phone" },
  async ({ openBrowser, request, seller, complaints }) => {
    complaints.expect(/403 .*/)
    const { token } = await joinTeam(request, seller, "cashier", { byInvitation: true })
    const till = await (await openBrowser({ token, viewport: { width: 375, height: 667 } })).newPage()
    await till.goto("/counter")
    for (const digit of ["7", "00"]) await till.getByRole("button", { name: digit, exact: true }).click()
    await changeUser(request, seller, { active: false })
    const charge = till.waitForResponse((answer) => answer.url().endsWith("/api/v1/charges"))
    await till.getByRole("button", { name: "Gerar QR" }).click()
    expect((await charge).status()).toBe(403)
    await expect(till).toHaveURL(/\/dashboard/)
  },
)
