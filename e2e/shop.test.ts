import type { APIRequestContext, Page } from "@playwright/test"
import { shopColors } from "@tilinta/contract/vocabulary/shops"
import { expectAccessible } from "./support/accessibility.ts"
import {
  cancelChargePage,
  changeShop,
  createChargePage,
  payCode,
  putLogo,
  requestPix,
  type Seller,
} from "./support/api.ts"
import { expect, sellerTest, test, toast } from "./support/journey.ts"

const shop = {
  name: "Doces da Ana",
  document: "11.222.333/0001-81",
  whatsapp: "(11) 98765-4321",
  closedText: "As encomendas de dezembro estão encerradas.",
}
const ask = { name: "Falar com Doces da Ana" }

/** Any picture will do, and a page is one. */
async function openShop(page: Page, request: APIRequestContext, seller: Seller): Promise<void> {
  await changeShop(request, seller, shop)
  await page.setContent("<body style='background:#f5c25f'>")
  await putLogo(request, seller, await page.screenshot({ clip: { x: 0, y: 0, width: 120, height: 90 } }))
}

async function expectNoScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

async function expectShop(page: Page, state: string, header = page.getByRole("banner")): Promise<void> {
  await expect(header).toContainText("Doces da Ana")
  await expect(header).toContainText("CNPJ 11.222.333/0001-81")
  await expect.poll(() => header.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256)
  await expectAccessible(page, state)
  await expectNoScroll(page)
}

sellerTest(
  "a seller sees how payers see the shop while it is typed, and saves it",
  { tag: "@phone" },
  async ({ page }) => {
    await page.goto("/dashboard")
    await page.goto("/shop")
    await expect(page.getByRole("heading", { name: "Minha loja" })).toBeVisible()
    const isPhone = (page.viewportSize()?.width ?? 0) < 768
    const show = async (view: "Editar" | "Ver como fica") => {
      if (isPhone) await page.getByText(view, { exact: true }).click()
    }
    const preview = page.getByRole("region", { name: "Prévia" })
    await show("Ver como fica")
    await expect(preview).toContainText("Cobrança de Ana Souza")
    await expectAccessible(page, "preview without a shop")

    await show("Editar")
    await page.getByLabel("Nome da loja").fill("Doces da Ana")
    await page.getByLabel("CPF ou CNPJ").fill("11222333000181")
    await expect(page.getByLabel("CPF ou CNPJ")).toHaveValue("11.222.333/0001-81")
    await page.getByLabel("WhatsApp").fill("11987654321")
    await page.getByLabel("Recado").fill(shop.closedText)
    for (const color of ["Menta", "Céu", "Âmbar", "Coral", "Violeta", "Ardósia"]) await page.getByText(color).click()
    await show("Ver como fica")
    await expect(preview).toContainText("CNPJ 11.222.333/0001-81")
    await expectAccessible(page, "preview of a charge")
    await preview.getByText("Paga", { exact: true }).click()
    await expect(preview).toContainText("Falar com Doces da Ana")
    await expectAccessible(page, "preview of a paid charge")
    await preview.getByText("Encerrada", { exact: true }).click()
    await expect(preview).toContainText(shop.closedText)
    await expectAccessible(page, "preview of a closed charge")
    await expectNoScroll(page)

    await show("Editar")
    await page.getByRole("button", { name: "Salvar alterações" }).click()
    await expect(toast(page, "Loja salva")).toBeVisible()
    await expectAccessible(page, "saved shop")
    await page.reload()
    await expect(page.getByLabel("Nome da loja")).toHaveValue("Doces da Ana")
    await expect(page.getByRole("radio", { name: "Ardósia" })).toBeChecked()
  },
)

sellerTest(
  "a wrong document and a file that is no picture say what is wrong",
  { tag: "@phone" },
  async ({ page, complaints }) => {
    complaints.expect(/422 .*users\/me\/shop/)
    await page.goto("/shop")
    await page.getByLabel("CPF ou CNPJ").fill("11.222.333/0001-82")
    await page.getByRole("button", { name: "Salvar alterações" }).click()
    await expect(page.getByLabel("CPF ou CNPJ")).toHaveAccessibleDescription("CNPJ inválido")

    const file = page.getByLabel("Arquivo do logo")
    await file.setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") })
    await expect(page.getByRole("alert").getByText("Escolha um arquivo PNG, JPEG ou WebP.")).toBeVisible()
    await file.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("nada disso") })
    await expect(page.getByRole("alert").getByText(/imagem/)).toBeVisible()
    await expectAccessible(page, "shop with mistakes")

    await file.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await page.screenshot() })
    await expect(page.getByRole("img", { name: "Logo da loja" })).toBeVisible()
    await page.getByRole("button", { name: "Remover logo" }).click()
    await expect(toast(page, "Logo removido")).toBeVisible()
    await expect(page.getByRole("img", { name: "Logo da loja" })).toHaveCount(0)
  },
)

sellerTest("a photo that is too large is made smaller before it is sent", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/shop")
  const photo = await page.evaluate(async () => {
    const canvas = document.createElement("canvas")
    canvas.width = 480
    canvas.height = 400
    const context = canvas.getContext("2d") as CanvasRenderingContext2D
    const noise = context.createImageData(480, 400)
    for (let at = 0; at < noise.data.length; at += 64_000)
      crypto.getRandomValues(new Uint8Array(noise.data.buffer, at, 64_000))
    for (let at = 3; at < noise.data.length; at += 4) noise.data[at] = 255
    context.putImageData(noise, 0, 0)
    return canvas.toDataURL("image/png").split(",")[1] ?? ""
  })
  const buffer = Buffer.from(photo, "base64")
  expect(buffer.length).toBeGreaterThan(512 * 1024)
  await page.getByLabel("Arquivo do logo").setInputFiles({ name: "foto.png", mimeType: "image/png", buffer })
  await expect(page.getByRole("img", { name: "Logo da loja" })).toBeVisible()
})

test("payers see the shop with its logo from the form to every ending, and whom to ask", async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/404 .*\/checkout\//)
  await openShop(page, request, seller)
  const charge = await createChargePage(request, seller, { title: "Bolo de cenoura" })
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await expect(page.getByText("Cobrança de")).toHaveCount(0)
  await expectShop(page, "form of a shop")
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  const code = (await page.locator(".code").textContent()) ?? ""
  await expectShop(page, "code of a shop")
  await payCode(request, code)
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  await expect(page.getByText("Para").locator("..")).toContainText("Doces da Ana")
  const link = page.getByRole("link", ask)
  await expect(link).toHaveAttribute("href", /^https:\/\/wa\.me\/5511987654321\?text=Ol.*Bolo%20de%20cenoura/)
  await expectShop(page, "paid to a shop")

  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await expect(page.getByRole("heading", { name: "Cobrança já paga" })).toBeVisible()
  await expect(link).toBeVisible()
  await expectShop(page, "paid before to a shop")
})

test("a code that is cancelled, and its page, name the shop and its word", async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/404 .*\/checkout\//)
  await openShop(page, request, seller)
  const charge = await createChargePage(request, seller, { title: "Bolo de cenoura" })
  const { transactionId } = await requestPix(request, charge)
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(page.getByRole("button", { name: "Copiar Código PIX" })).toBeVisible()
  await cancelChargePage(request, seller, charge)
  await expect(page.getByRole("heading", { name: "Este código foi cancelado" })).toBeVisible()
  await expect(page.getByText(shop.closedText)).toBeVisible()
  await expect(page.getByRole("link", ask)).toBeVisible()
  await expectShop(page, "cancelled code of a shop")

  await page.evaluate(() => sessionStorage.clear())
  const answer = await page.reload()
  expect(answer?.status()).toBe(404)
  await expect(page.getByText("Página de cobrança não encontrada ou expirada")).toBeVisible()
  await expect(page.getByText(shop.closedText)).toBeVisible()
  await expect(page.getByRole("link", ask)).toBeVisible()
  await expectShop(page, "closed page of a shop")

  await changeShop(request, seller, { whatsapp: "", email: "oi@docesdaana.example" })
  await page.reload()
  const mail = /^mailto:oi@docesdaana\.example\?subject=/
  await expect(page.getByRole("link", ask)).toHaveAttribute("href", mail)

  await page.goto(`/payment/error?transactionId=${transactionId}`)
  await expect(page.getByText("Este pagamento foi cancelado.")).toBeVisible()
  await expect(page.getByRole("link", ask)).toHaveAttribute("href", mail)
  await expectShop(page, "cancelled payment to a shop", page.getByRole("main"))
})

test("an unknown page names nobody", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/404 .*\/checkout\//)
  await page.goto("/checkout/nao-existe")
  await expect(page.getByRole("heading", { name: "Oops!" })).toBeVisible()
  await expect(page.locator(".seller")).toHaveCount(0)
})

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false })

  test("the shop is shown from the form to the receipt", { tag: "@phone" }, async ({ page, seller, request }) => {
    await changeShop(request, seller, shop)
    const charge = await createChargePage(request, seller, { title: "Bolo de cenoura" })
    const { pixCode, transactionId, payerToken } = await requestPix(request, charge)
    await page.goto(`/checkout/${charge.uniqueLink}?pix=${transactionId}&k=${payerToken}`)
    await expect(page.getByRole("banner")).toContainText("Doces da Ana")
    await payCode(request, pixCode)
    await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
    await expect(page.getByRole("link", ask)).toBeVisible()
    await page.getByRole("link", { name: "Ver comprovante" }).click()
    await expect(page).toHaveURL(/\/payment\/success/)
    await expect(page.getByRole("link", ask)).toBeVisible()
  })
})

test("each of the six colours is read by everybody", { tag: "@desktop" }, async ({ page, seller, request }) => {
  const charge = await createChargePage(request, seller)
  for (const color of shopColors) {
    await changeShop(request, seller, { name: "Doces da Ana", color })
    await page.goto(`/checkout/${charge.uniqueLink}`)
    await expectAccessible(page, `checkout in ${color}`)
  }
})

test("the text to share and the poster name the shop", { tag: "@desktop" }, async ({ page, seller, request }) => {
  await changeShop(request, seller, { name: "Doces da Ana" })
  await page.goto("/login")
  await page.evaluate((token) => localStorage.setItem("token", token), seller.token)
  await createChargePage(request, seller, { title: "Aula de piano", amount: 80 })
  await page.goto("/checkouts")
  await page.getByRole("button", { name: "Ações de Aula de piano" }).click()
  await page.getByRole("menuitem", { name: "Compartilhar" }).click()
  const share = page.getByRole("dialog", { name: "Compartilhar cobrança" })
  await expect(share.getByRole("link", { name: "WhatsApp" })).toHaveAttribute("href", /text=Doces%20da%20Ana%3A%20Aula/)
  await share.getByRole("button", { name: "QR para mostrar ou imprimir" }).click()
  await expect(page.locator(".poster")).toContainText("Doces da Ana")
})
