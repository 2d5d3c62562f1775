import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { APIRequestContext } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { admin, createChargePage, logIn, password, payCode, type Seller, validCpf } from "./support/api.ts"
import { expect, sellerTest, test } from "./support/journey.ts"

/** A shop that thanks whoever comes back by a link that is genuine, as docs/orders.md says. */
async function openShop() {
  let signingKey = ""
  const server = createServer((request, reply) => {
    const sent = new URL(request.url ?? "", "http://localhost").searchParams
    const told = ["t", "transactionId", "status", "reference"].map((name) => sent.get(name)).join(".")
    const isGenuine = createHmac("sha256", signingKey).update(told).digest("hex") === sent.get("signature")
    const title = isGenuine ? `Obrigado pelo ${sent.get("reference")}` : "Retorno desconhecido"
    reply.setHeader("content-type", "text/html; charset=utf-8").end(`<link rel="icon" href="data:,"><h1>${title}</h1>`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    knowKey(key: string) {
      signingKey = key
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Charge {
  checkoutUrl: string
  pixCode: string
}

async function createCharge(request: APIRequestContext, { token }: Seller, data: object): Promise<Charge> {
  const answer = await request.post("/api/v1/charges", { headers: { Authorization: `Bearer ${token}` }, data })
  return ((await answer.json()) as { data: { charge: Charge } }).data.charge
}

sellerTest(
  "an order is paid at the checkout, and the payer goes back to the shop by a link that the shop believes",
  { tag: "@desktop" },
  async ({ page, payer, request, seller, openBrowser }) => {
    const shop = await openShop()
    await page.goto("/developers/return")
    await page.getByRole("button", { name: "Permitir um site" }).click()
    const dialog = page.getByRole("dialog", { name: "Sites de retorno" })
    await dialog.getByLabel("Sites permitidos").fill(shop.origin)
    await dialog.getByLabel("Senha atual").fill(password)
    await dialog.getByRole("button", { name: "Salvar sites" }).click()
    await expect(dialog).toHaveCount(0)
    shop.knowKey((await page.getByText(/^rtk_/).textContent()) ?? "")
    await page.getByRole("button", { name: "Já guardei a chave" }).click()
    await expect(page.getByText(/^rtk_/)).toHaveCount(0)

    const order = { amount: 89.9, externalReference: "pedido-77", returnUrl: `${shop.origin}/volta?loja=1` }
    const { checkoutUrl, pixCode } = await createCharge(request, seller, order)
    await payer.goto(checkoutUrl)
    await expect(payer.getByText(/^Aguardando pagamento/)).toBeVisible()
    await expect(payer.getByRole("link", { name: "Voltar à loja" })).toHaveCount(0)
    await payCode(request, pixCode)
    const back = payer.getByRole("link", { name: "Voltar à loja" })
    await expect(back).toBeVisible()
    await expectAccessible(payer, "a receipt with the way back")
    await back.click()
    await expect(payer.getByRole("heading", { name: "Obrigado pelo pedido-77" })).toBeVisible()
    expect(new URL(payer.url()).searchParams.get("loja")).toBe("1")
    await payer.goto(payer.url().replace("pedido-77", "pedido-78"))
    await expect(payer.getByRole("heading", { name: "Retorno desconhecido" })).toBeVisible()
    await shop.close()

    const office = await (await openBrowser({ token: await logIn(request, admin) })).newPage()
    await office.goto("/admin/checkout-pages?search=pedido-77")
    await expect(
      office.getByRole("row", { name: /Pedido pedido-77/ }).getByText("Avulsa · pedido-77", { exact: true }),
    ).toBeVisible()
  },
)

test("a shop fills in what it knows of the payer, and no more than the page asks for", { tag: "@phone" }, async ({
  page,
  request,
  seller,
  complaints,
}) => {
  // Whether an address can be reached is read by the server alone.
  complaints.expect(/status of 422 .*process-modern-pix-payment/)
  const charge = await createChargePage(request, seller, {
    requireCustomerData: true,
    customerInfo: { requireName: true, requireEmail: true, requirePhone: false, requireCpf: true },
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  const known = new URLSearchParams({ name: "Caio Prado", email: "caio@", cpf: "529.982.247-25", phone: "11987654321" })
  await page.goto(`/checkout/${charge.slug}?${known}`)
  await expect(page.getByLabel("Nome completo")).toHaveValue("Caio Prado")
  await expect(page.getByLabel("CPF")).toHaveValue("529.982.247-25")
  await expect(page.getByLabel("Telefone")).toHaveCount(0)
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(page.getByLabel("Telefone")).toHaveAccessibleDescription("Telefone é obrigatório")
  await expect(page.getByLabel("Telefone")).toHaveValue("")
  await page.getByLabel("Telefone").fill("11912345678")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(page.getByLabel("E-mail")).toHaveAccessibleDescription("E-mail inválido")
  await page.getByLabel("E-mail").fill("caio@exemplo.com")
  const sent = page.waitForRequest(/process-modern-pix-payment/)
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    customerInfo: { name: "Caio Prado", email: "caio@exemplo.com", cpf: validCpf, phone: "11912345678" },
  })
  await expect(page.getByText(/^Aguardando pagamento/)).toBeVisible()
})
