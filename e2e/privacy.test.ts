import { readFile } from "node:fs/promises"
import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, payCode } from "./support/api.ts"
import { expect, sellerTest } from "./support/journey.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const asked = { requireName: true, requireEmail: true, requirePhone: false, requireCpf: false }

sellerTest(
  "a payer corrects and erases their data from the proof, and the seller sees that they are gone",
  async ({ page, seller, payer, request, complaints }) => {
    complaints.expect(/422 .*payment\/data/)
    const charged = await createChargePage(request, seller, {
      ...{ requireCustomerData: true, customerInfo: asked, maxPayments: null },
      ...({ pixConfig: { allowAnonymous: false, expiresInHours: 24 } } as const),
    })
    const answer = await request.post("/api/v1/checkout/process-modern-pix-payment", {
      data: { checkoutPageId: charged._id, customerInfo: { name: "Bruno Lima", email: "bruno@cliente.example" } },
    })
    const { transactionId, payerToken, pixCode } = (await answer.json()).data
    await payCode(request, pixCode)

    await payer.goto(`/payment/success?transactionId=${transactionId}&k=${payerToken}`)
    await expect(payer.getByRole("heading", { name: "Pagamento Realizado com Sucesso!" })).toBeVisible()
    await expectAccessible(payer, "a proof with the way to the payer's data")
    await payer.getByRole("link", { name: "Ver, corrigir ou apagar os meus dados" }).click()
    await expect(payer.getByText("Hoje: Bruno L•••")).toBeVisible()
    await expectAccessible(payer, "a payer's data")
    await payer.setViewportSize(narrow.viewport)
    await expectNoSidewaysScroll(payer, "a payer's data")
    await payer.setViewportSize({ width: 375, height: 812 })

    await payer.getByLabel("Nome").fill("Bruna Lima")
    await payer.getByRole("button", { name: "Corrigir" }).click()
    await expect(payer.getByRole("status")).toContainText("os seus dados estão corrigidos")
    await expect(payer.getByText("Hoje: Bruna L•••")).toBeVisible()
    await payer.getByLabel("E-mail").fill("errado")
    await payer.getByRole("button", { name: "Corrigir" }).click()
    await expect(payer.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true")
    await payer.getByRole("button", { name: "Apagar os meus dados" }).click()
    await expect(payer.getByText("Não guardamos dados seus neste pagamento.")).toBeVisible()

    await page.goto("/transactions")
    await expect(page.getByText("Dados apagados")).toBeVisible()
    await page.goto(`/transactions?transaction=${transactionId}`)
    await expect(page.getByRole("dialog").getByText("Dados apagados")).toBeVisible()
    await page.goto("/notices")
    await expect(page.getByText("Um pagador apagou os dados dele")).toBeVisible()
  },
)

sellerTest("a seller downloads their data, and deletes the account", async ({ page, seller, complaints }) => {
  complaints.expect(/40[13] .*(users\/me|auth)/)
  await page.goto("/profile/privacy")
  const card = page.getByRole("region", { name: "Seus dados" })
  await expect(card).toBeVisible()
  await expectAccessible(page, "a profile with the owner's data")
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("button", { name: "Baixar meus dados" }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^meus_dados_\d{4}-\d\d-\d\d\.zip$/)
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe("PK")

  await page.getByRole("button", { name: "Excluir minha conta" }).click()
  const question = page.getByRole("alertdialog", { name: "Excluir a sua conta?" })
  await expectAccessible(page, "the question before an account is deleted")
  await question.getByRole("button", { name: "Excluir conta" }).click()
  const proof = page.getByRole("dialog", { name: "Confirme que é você" })
  await proof.getByLabel("Senha", { exact: true }).fill(seller.password)
  await proof.getByRole("button", { name: "Confirmar" }).click()
  await expect(page).toHaveURL(/\/login$/)
})

sellerTest("terms and policy are plain pages", { tag: "@desktop" }, async ({ page }) => {
  for (const path of ["/termos", "/privacidade"]) {
    await page.goto(path)
    await expectAccessible(page, path)
  }
  await page.setViewportSize(narrow.viewport)
  await expectNoSidewaysScroll(page, "the policy on a phone")
})

sellerTest(
  "a text that the seller has not accepted yet is shown above every screen until they do",
  async ({ page }) => {
    await page.route("**/api/v1/users/me/legal-texts", async (route) => {
      if (route.request().method() !== "GET") return route.continue()
      const answer = await route.fetch()
      const body = await answer.json()
      for (const text of body.data.legalTexts) text.acceptedAt = null
      return route.fulfill({ response: answer, json: body })
    })
    await page.goto("/dashboard")
    const notice = page.getByRole("region", { name: "Termos e privacidade" })
    await expect(notice.getByRole("link", { name: "Termos de Serviço (versão 1)" })).toHaveAttribute("href", "/termos")
    await expectAccessible(page, "a text to accept")
    await notice.getByRole("button", { name: "Aceitar" }).click()
    await expect(notice).toHaveCount(0)
  },
)
