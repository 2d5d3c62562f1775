import { randomUUID } from "node:crypto"
import { expectAccessible } from "./support/accessibility.ts"
import { contestPayment, createPaidPage, decideDispute, signUp } from "./support/api.ts"
import { expect, sellerTest, toast } from "./support/journey.ts"
import { adminTest } from "./support/own-server.ts"

const title = "Aula de violão"

sellerTest(
  "a contested payment is blocked beside the balance, defended, and freed when the bank says so",
  { tag: "@phone" },
  async ({ page, seller, request }) => {
    await createPaidPage(request, seller, { title })
    const disputeId = await contestPayment(request, seller)
    await page.goto("/dashboard")
    const notice = page.getByRole("region", { name: "Contestações" })
    await expect(notice).toContainText(/1 pagamento contestado.*R\$\s100,00 · responda até/)
    await expect(page.getByRole("region", { name: "Resumo" })).toContainText(/BloqueadoR\$\s?85,00/)
    await expectAccessible(page, "dashboard with a contested payment")
    await notice.getByRole("link", { name: title }).click()

    const details = page.getByRole("dialog", { name: "Detalhes da transação" })
    await expect(details.getByRole("list", { name: "Linha do tempo" })).toContainText("Contestado pelo pagador")
    await expect(details.getByRole("button", { name: "Estornar" })).toHaveCount(0)
    await details.getByRole("button", { name: "Escrever defesa" }).click()
    const form = page.getByRole("dialog", { name: "Defesa da contestação" })
    const text = form.getByLabel("Sua defesa")
    await expect(text).toBeFocused()
    await form.getByRole("button", { name: "Enviar defesa" }).click()
    await expect(text).toHaveAccessibleDescription(/Escreva a defesa\./)
    await expectAccessible(page, "defence that is missing")
    await text.fill("A aula foi dada no dia 20, com registro de presença.")
    await form.getByRole("button", { name: "Enviar defesa" }).click()
    await expect(toast(page, "Defesa registrada. O banco vai analisar.")).toBeVisible()
    const dispute = details.getByRole("region", { name: "Contestação" })
    await expect(dispute).toContainText("com registro de presença")
    await expect(details.getByRole("button", { name: "Escrever defesa" })).toHaveCount(0)
    await expectAccessible(page, "payment with its defence")

    await page.goto("/withdrawals")
    const summary = page.getByRole("region", { name: "Resumo" })
    await expect(summary).toContainText(/Saldo disponívelR\$\s?0,00.*BloqueadoR\$\s85,00/)
    await decideDispute(request, seller, { disputeId, status: "REJEITADA" })
    await page.reload()
    await expect(summary).toContainText(/Saldo disponívelR\$\s?85,00/)
    await expect(summary).not.toContainText("Bloqueado")
  },
)

adminTest(
  "an admin sees what is contested, what each end would do, and what the bank took",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    await createPaidPage(request, seller, { title })
    const disputeId = await contestPayment(request, seller, "40.00")
    await page.goto("/admin")
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Contestações/ })
      .click()
    const table = page.getByRole("table", { name: "Contestações" })
    await expect(table.getByRole("row").filter({ hasText: seller.email })).toContainText(
      /R\$\s40,00.*R\$\s34,00.*Em aberto/,
    )
    await expectAccessible(page, "list of what is contested")
    await page.goto(`/admin/disputes?status=all&search=${encodeURIComponent(seller.email)}`)
    await table.getByRole("link", { name: /^Golpe ou fraude/ }).click()
    const details = page.getByRole("dialog", { name: "Contestação" })
    await expect(details).toContainText(
      /R\$\s34,00 voltam ao saldo.*Saem R\$\s34,00.*R\$\s6,00 de taxa.*R\$\s40,00 de volta/,
    )
    await expect(details).toContainText("Saldo bloqueado do vendedor")
    await expectAccessible(page, "a contested payment with its books")

    await decideDispute(request, seller, { disputeId, status: "ACEITA" })
    await page.reload()
    await expect(details).toContainText(/Debitado pelo bancoR\$\s40,00/)
    await details.getByRole("link", { name: new RegExp(title) }).click()
    const transaction = page.getByRole("dialog", { name: "Detalhes da transação" })
    await expect(transaction.getByRole("list", { name: "Linha do tempo" })).toContainText("Contestação encerrada")
    await expect(transaction.getByRole("link", { name: /Golpe ou fraude/ })).toBeVisible()
    await expect(transaction).toContainText(/Valor estornado−R\$\s40,00/)
  },
)

adminTest("on a phone nothing of a contested payment is cut off", { tag: "@phone" }, async ({ page, request }) => {
  const seller = await signUp(request, "Ana Souza", `${randomUUID().replaceAll("-", "")}@exemplo.com`)
  await createPaidPage(request, seller, { title })
  await contestPayment(request, seller)
  await page.goto(`/admin/disputes?status=all&search=${encodeURIComponent(seller.email)}`)
  await page
    .getByRole("table", { name: "Contestações" })
    .getByRole("link", { name: /^Golpe ou fraude/ })
    .click()
  const fact = page.getByRole("dialog", { name: "Contestação" }).getByText(seller.email)
  await expect(fact).toBeVisible()
  const overhang = await fact.evaluate((value) => {
    const { right } = (value.closest("dialog, [role=dialog]") ?? document.body).getBoundingClientRect()
    return value.getBoundingClientRect().right - right
  })
  expect(overhang).toBeLessThan(0)
})
