import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, password } from "./support/api.ts"
import { clipboardOf, expect, sellerTest } from "./support/journey.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"

/** A seller's program that answers with the status of the moment, and a challenge once it wants the events. */
async function startProgram() {
  let status = 200
  let wantsEvents = false
  const types: string[] = []
  const server = createServer(async (request, reply) => {
    let body = ""
    for await (const chunk of request) body += String(chunk)
    const { type, data } = JSON.parse(body) as { type: string; data: { challenge?: string } }
    if (type === "webhook.challenge") return reply.end(wantsEvents ? data.challenge : "ok")
    types.push(type)
    return reply.writeHead(status).end(status === 200 ? "ok" : "fora do ar")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gancho`,
    types,
    wantEvents() {
      wantsEvents = true
    },
    answer(next: number) {
      status = next
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

sellerTest(
  "a webhook added under Integrações hears of a new page; a failure shows its answer and is resent",
  { tag: "@phone" },
  async ({ page, request, seller, complaints }) => {
    complaints.expect(/422 .*webhooks/)
    const program = await startProgram()
    await page.goto("/developers/webhooks")
    await expect(page.getByText("Nenhum webhook ainda")).toBeVisible()
    await page.getByRole("button", { name: "Adicionar webhook" }).click()
    const dialog = page.getByRole("dialog", { name: "Adicionar webhook" })
    await dialog.getByLabel("Endereço").fill("http://169.254.169.254/latest")
    await dialog.getByText("Escolher", { exact: true }).click()
    await dialog.getByRole("checkbox", { name: "Página criada" }).check()
    await dialog.getByLabel("Senha atual").fill(password)
    await dialog.getByRole("button", { name: "Adicionar" }).click()
    await expect(dialog.getByText("leva a uma rede interna")).toBeVisible()
    await expectAccessible(page, "a webhook that leads inside")
    await expectThumbTargets(page, "a webhook that leads inside")
    await dialog.getByLabel("Endereço").fill(program.url)
    await dialog.getByRole("button", { name: "Adicionar" }).click()
    // The card stands above what is in sight.
    await expect(page.getByRole("status", { name: "Segredo do webhook" })).toBeFocused()
    await page.getByRole("button", { name: "Copiar segredo" }).click()
    expect(await clipboardOf(page)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await expectAccessible(page, "a new webhook with its secret")
    await page.getByRole("button", { name: "Já guardei o segredo" }).click()

    await expect(page.getByText("Respondeu sem a palavra da confirmação").first()).toBeVisible()
    await expect(page.getByText("Aguardando confirmação")).toBeVisible()
    await expectAccessible(page, "a webhook that waits for its confirmation")
    await expectThumbTargets(page, "a webhook that waits for its confirmation")
    program.wantEvents()
    await page.getByRole("button", { name: /^Confirmar de novo/ }).click()
    await expect(page.getByText("Confirmado: status 200")).toBeVisible()
    await page.getByRole("button", { name: /^Enviar teste/ }).click()
    await expect(page.getByText("Teste entregue: status 200")).toBeVisible()
    program.answer(503)
    await createChargePage(request, seller)
    await expect(page.getByText("Falhando")).toBeVisible()
    await expectThumbTargets(page, "a failing webhook")
    await page.getByRole("button", { name: /^Entregas/ }).click()
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Página criada/ })
      .click()
    await expect(page.getByText("fora do ar").first()).toBeVisible()
    await expectAccessible(page, "a delivery that failed")
    await expectThumbTargets(page, "a delivery that failed")
    program.answer(200)
    await page.getByRole("button", { name: "Reenviar", exact: true }).click()
    await expect(page.getByRole("dialog").getByText("Entregue", { exact: true })).toBeVisible()
    expect(new Set(program.types)).toEqual(new Set(["webhook.test", "page.created"]))
    await page.keyboard.press("Escape")

    await page.getByRole("button", { name: /^Ações de/ }).click()
    await page.getByRole("menuitem", { name: "Excluir" }).click()
    await page.getByRole("button", { name: "Excluir webhook" }).click()
    await expect(page.getByText("Nenhum webhook ainda")).toBeVisible()
    await program.stop()
  },
)
