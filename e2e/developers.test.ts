import { createHmac } from "node:crypto"
import { readFile } from "node:fs/promises"
import { stripTypeScriptTypes } from "node:module"
import type { APIRequestContext, Page } from "@playwright/test"
import type * as Client from "../client/src/tilinta.ts"
import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, createPaidPage, password, type Seller } from "./support/api.ts"
import { clipboardOf, expect, sellerTest, test } from "./support/journey.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"

/** As when another tab comes to the front. */
async function show(page: Page, visibilityState: "hidden" | "visible"): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
  }, visibilityState)
}

async function lastEvent(request: APIRequestContext, { token }: Seller): Promise<number> {
  const answer = await request.get("/api/v1/events?last=1", { headers: { Authorization: `Bearer ${token}` } })
  return ((await answer.json()) as { data: { next: number } }).data.next
}

sellerTest(
  "a developer takes the first steps with a new key, and sees each event as it comes",
  { tag: "@phone" },
  async ({ page, request, seller, complaints }) => {
    complaints.expect(/ERR_FAILED .*\/events/)
    await page.goto("/developers")
    await expect(page.getByLabel("1. Prepare o terminal")).toContainText("tk_SUA_CHAVE")
    await page.getByRole("button", { name: "Criar chave" }).click()
    const dialog = page.getByRole("dialog", { name: "Criar chave de API" })
    await dialog.getByLabel("Nome").fill("Loja")
    await dialog.getByRole("checkbox", { name: /^Criar, editar/ }).check()
    await dialog.getByLabel("Senha atual").fill(password)
    await dialog.getByRole("button", { name: "Criar chave" }).click()
    await expect(page.getByText(/mas não permite “Acompanhar os eventos”/)).toBeVisible()
    await page.getByRole("button", { name: "Copiar o passo 1" }).click()
    const prepare = await clipboardOf(page)
    expect(prepare).toContain(`TILINTA_URL='${new URL(page.url()).origin}'`)
    expect(prepare).toMatch(/TILINTA_API_KEY='tk_test_[0-9A-Za-z]{46}'/)
    await page.getByText("TypeScript", { exact: true }).click()
    await expect(page.getByLabel("2. Salve como loja.ts")).toContainText("tilinta.createCharge")
    await expectAccessible(page, "first steps with a new key")
    await expectThumbTargets(page, "first steps with a new key")
    // A key is never shown again, so it stays while somebody looks at another tab.
    await page.getByRole("link", { name: "Eventos" }).click()
    await expect(page.getByText("Nenhum evento ainda")).toBeVisible()
    await expect(page.getByRole("status", { name: "Chave criada: Loja" })).toBeVisible()
    await page.goBack()
    await page.getByRole("button", { name: "Já guardei a chave" }).click()
    await expect(page.getByLabel("1. Prepare o terminal")).toContainText("tk_SUA_CHAVE")
    const key = /tk_test_\w+/.exec(prepare)?.[0] ?? ""
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect(stored).not.toContain(key)

    await page.getByRole("link", { name: "Eventos" }).click()
    await expect(page.getByText("Ao vivo")).toBeVisible()
    await createPaidPage(request, seller)
    const paid = page.getByRole("button", { name: /Pagamento recebido charge\.paid/ })
    await expect(paid).toBeVisible()
    await expect(page.getByText(/^Novo evento, nº 4: Página concluída$/)).toBeAttached()
    await paid.focus()
    await page.keyboard.press("Enter")
    await expect(page.getByLabel("Evento", { exact: true })).toContainText('"type": "charge.paid"')
    await expectAccessible(page, "an open event")
    await expectThumbTargets(page, "an open event")

    await show(page, "hidden")
    const asked: string[] = []
    page.on("request", (made) => asked.push(made.url()))
    await createChargePage(request, seller)
    await expect.poll(() => lastEvent(request, seller)).toBe(5)
    expect(asked.filter((url) => /\/api\/v1\/events/.test(url))).toEqual([])
    await show(page, "visible")
    await expect(page.getByRole("button", { name: /Página criada page\.created nº 5/ })).toBeVisible()

    await page.route("**/api/v1/events?*", (route) => route.abort())
    await page.reload()
    await expect(page.getByText("Erro ao carregar eventos")).toBeVisible()
    await page.unroute("**/api/v1/events?*")
    await expect(page.getByText("Ao vivo")).toBeVisible()
    await page.getByRole("button", { name: /Pagamento recebido charge\.paid/ }).click()
    await page.getByRole("link", { name: "Ver transação" }).click()
    await expect(page).toHaveURL(/\/transactions\?transaction=[0-9a-f-]{36}$/)
    await expect(page.getByRole("dialog")).toContainText("Mentoria de Vendas")
  },
)

test("the client sells, hears of the payment and refunds in a browser, on pages of the server's own", {
  tag: ["@desktop", "@soak"],
}, async ({ page, request, seller, baseURL }) => {
  // Its sources without their types are what the package holds.
  await page.route("**/client/*.ts", async (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1) ?? ""
    const source = await readFile(new URL(`../client/src/${name}`, import.meta.url), "utf8")
    await route.fulfill({ contentType: "text/javascript", body: stripTypeScriptTypes(source, { mode: "transform" }) })
  })
  const made = await request.post("/api/v1/users/me/api-keys", {
    headers: { Authorization: `Bearer ${seller.token}` },
    data: { name: "Navegador", scopes: ["pages:write", "events:read", "refunds:write"], passwordCurrent: password },
  })
  const { key } = ((await made.json()) as { data: { key: string } }).data
  await page.goto("/login")

  const secret = Buffer.alloc(32, 7)
  const body = JSON.stringify({ type: "charge.paid" })
  const sentAt = String(Math.floor(Date.now() / 1000))
  const signature = createHmac("sha256", secret).update(`evt_1.${sentAt}.${body}`).digest("base64")
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": sentAt, "webhook-signature": `v1,${signature}` }
  const webhook = { body, headers, secret: `whsec_${secret.toString("base64")}` }

  const seen = await page.evaluate(
    async ({ apiKey, url, signed }) => {
      const address = "/client/tilinta.ts"
      const { createTilinta, verifyWebhook } = (await import(address)) as typeof Client
      const tilinta = createTilinta({ apiKey, url })
      const { charge } = await tilinta.createCharge({ body: { amount: 12.5, externalReference: "navegador-1" } })
      await fetch("/simulador/api/pagamentos", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ pixCopiaECola: charge.pixCode }),
      })
      for await (const event of tilinta.events({ types: ["charge.paid"] })) {
        const { refund } = await tilinta.refundTransaction({ params: { id: charge._id } })
        const verified = await verifyWebhook(signed.body, signed.headers, signed.secret)
        const forgery = await verifyWebhook(`${signed.body} `, signed.headers, signed.secret).catch(({ name }) => name)
        return { paid: event.sequence, refunded: refund.amount, verified: verified.type, forgery }
      }
      return null
    },
    { apiKey: key, url: baseURL ?? "", signed: webhook },
  )
  expect(seen).toEqual({
    paid: expect.any(Number),
    refunded: 12.5,
    verified: "charge.paid",
    forgery: "WebhookForgedError",
  })
})
