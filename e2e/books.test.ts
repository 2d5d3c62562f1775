import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage } from "./support/api.ts"
import { expect, repeatUntil, toast } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"

test.use({ serverFor: "books" })

test("an admin reads the accounts, corrects a seller's balance, and ends the seller's sessions", {
  tag: "@soak",
}, async ({ page, seller, request, complaints }) => {
  complaints.expect(/422 .*admin\/journal/)
  await createPaidPage(request, seller, { title: "Aula de teatro", amount: 100 })
  await page.goto("/admin/accounts")
  const sellers = page.getByRole("link", { name: "Vendedores: saldo disponível" })
  await expect(page.getByRole("table", { name: "Contas" })).toContainText("R$ 85,00")
  const bank = page.getByRole("row").filter({ hasText: "Banco: Simulador" })
  await expect(bank).toContainText(/R\$\s\d/)
  await expect(bank).not.toContainText("−")
  await expectAccessible(page, "chart of accounts")
  await page.getByRole("switch", { name: "Débito e crédito (D e C)" }).focus()
  await page.keyboard.press("Space")
  await expect(page).toHaveURL(/show=sides/)
  await expect(bank).toContainText(/ D$/)
  await expectAccessible(page, "chart of accounts with debits and credits")
  await page.getByRole("switch", { name: "Débito e crédito (D e C)" }).uncheck()
  await sellers.focus()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("dialog")).toBeVisible()
  await expectAccessible(page, "an account's days")
  // The days lack what was booked a moment ago.
  await repeatUntil(
    () => page.reload(),
    (patience) =>
      expect(page.getByRole("dialog").getByRole("button", { name: /ver lançamentos/ })).toBeVisible(patience),
  )
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /ver lançamentos/ })
    .click()
  await expect(page.getByRole("dialog").getByRole("listitem")).toContainText(/Pagamento.*R\$\s85,00/)
  await expectAccessible(page, "the postings of an account's day")
  await page.getByRole("button", { name: "Todos os dias" }).click()
  await expect(page.getByRole("table", { name: "Dias" })).toBeVisible()
  await page.keyboard.press("Escape")

  await page.getByRole("navigation", { name: "Contabilidade" }).getByRole("link", { name: "Lançamentos" }).click()
  await expect(page.getByText("Nenhum lançamento ainda")).toBeVisible()
  await expectAccessible(page, "journal without entries")
  await page.getByRole("button", { name: "Novo lançamento" }).focus()
  await page.keyboard.press("Enter")
  const dialog = page.getByRole("dialog", { name: "Novo lançamento" })
  await dialog.getByLabel("Tipo").selectOption({ label: "Correção do saldo de um vendedor" })
  await dialog.getByRole("button", { name: "Lançar" }).click()
  await expect(dialog.getByText("Informe o vendedor.")).toBeVisible()
  await expectAccessible(page, "a correction that lacks everything")
  await dialog.getByLabel("Buscar vendedor por nome, e-mail ou CPF").fill(seller.email)
  await dialog.getByRole("radio", { name: seller.email }).check()
  await dialog.getByLabel("Valor").fill("1,23")
  await dialog.getByLabel("Motivo").fill("Tarifa cobrada em dobro")
  await expectAccessible(page, "a correction that is filled in")
  await dialog.getByLabel("Motivo").press("Tab")
  await page.keyboard.press("Tab")
  await dialog.getByRole("button", { name: "Lançar" }).click()
  await expect(toast(page, "Lançado")).toBeVisible()
  const entry = page.getByRole("listitem").filter({ hasText: "Tarifa cobrada em dobro" })
  await expect(entry).toContainText("Lançado sem segunda aprovação")
  await expectAccessible(page, "journal with an entry")

  await page.goto(`/admin/users?search=${encodeURIComponent(seller.email)}`)
  await page.getByRole("link", { name: "Ana Souza" }).click()
  await page.getByRole("button", { name: "Encerrar sessões" }).click()
  const question = page.getByRole("alertdialog", { name: "Encerrar as sessões?" })
  await expect(question).toBeVisible()
  await expectAccessible(page, "the end of a user's sessions")
  await question.getByRole("button", { name: "Encerrar sessões" }).click()
  await expect(toast(page, "1 sessão encerrada")).toBeVisible()
})

test("the day of the balances is typed key by key", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/admin/accounts")
  const day = page.getByLabel("Saldos no fim de")
  await day.focus()
  // A day that reads alike where the month comes first.
  await page.keyboard.type("11112025")
  await expect(page).toHaveURL(/asOf=2025-11-11/)
  await expect(day).toHaveValue("2025-11-11")
  await day.fill("1999-11-11")
  await expect(day).toHaveValue("1999-11-11")
  await day.blur()
  await expect(day).toHaveValue("2025-11-11")
})
