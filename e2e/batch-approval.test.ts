import type { APIRequestContext } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage, decideWithdrawal, requestWithdrawal, type Seller, signUp } from "./support/api.ts"
import { expect } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const byPix = { paymentMethod: "pix", pixKey: "123e4567-e89b-12d3-a456-426614174000" }

/** Requests R$ 10,00, R$ 20,00 and R$ 30,00 of one seller, oldest first. */
async function askForThree(request: APIRequestContext, seller: Seller): Promise<{ _id: string }[]> {
  await createPaidPage(request, seller)
  const asked: { _id: string }[] = []
  for (const amount of [10, 20, 30]) asked.push(await requestWithdrawal(request, seller, { ...byPix, amount }))
  return asked
}

const waitingOf = ({ email }: Seller) => `/admin/withdrawals?status=pending&search=${encodeURIComponent(email)}`

test("several are approved by keyboard alone, and one that somebody else decided is reported", {
  tag: "@desktop",
}, async ({ page, request }) => {
  const seller = await signUp(request, "Bia Lima")
  const [, second] = await askForThree(request, seller)
  await page.goto(waitingOf(seller))
  const rows = page.getByRole("row").filter({ hasText: seller.email })
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText(/R\$\s10,00/)
  await expect(rows.first()).toContainText("Primeiro saque")
  await expect(rows.first()).toContainText(/fica com R\$\s25,00/)

  for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key)
  await expect(page.getByRole("status").filter({ hasText: /Selecionados: 2 saques · R\$\s30,00/ })).toBeVisible()
  // At the end of the list the bar covers no row.
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded()
  await expectAccessible(page, "withdrawals that are chosen")
  await decideWithdrawal(request, second ?? { _id: "" }, "reject")
  await page.keyboard.press("a")
  const question = page.getByRole("alertdialog", { name: "Aprovar 2 saques?" })
  await expect(question).toContainText("2 Pix são enviados ao banco em seguida: isto não pode ser desfeito.")
  await expect(question.getByRole("button", { name: "Voltar" })).toBeFocused()
  await expectAccessible(page, "question before several withdrawals are approved")
  await page.keyboard.press("Tab")
  await expect(question.getByRole("button", { name: /^Aprovar 2 saques · R\$\s30,00$/ })).toBeFocused()
  await page.keyboard.press("Enter")

  const result = page.getByRole("dialog", { name: "Resultado da aprovação" })
  await expect(result).toContainText("1 saque aprovado; 1 não pôde ser aprovado.")
  await expect(result.getByRole("listitem").filter({ hasText: "Rejeitado" })).toContainText(
    "Este saque não está mais pendente.",
  )
  await expectAccessible(page, "what came of several approvals")
  await page.keyboard.press("Escape")
  await expect(result).toHaveCount(0)
  await expect(rows).toHaveCount(1)
})

test.describe("at 375 pixels", () => {
  test.use(narrow)

  test("a finger chooses all of a page and approves them", { tag: "@phone" }, async ({ page, request }) => {
    const seller = await signUp(request, "Caio Reis")
    await askForThree(request, seller)
    await page.goto(waitingOf(seller))
    await page.getByRole("checkbox", { name: "Selecionar 3 pendentes desta página" }).check()
    await expectNoSidewaysScroll(page, "withdrawals that are chosen")
    await page.getByRole("button", { name: /^Aprovar 3 saques · R\$\s60,00$/ }).click()
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Aprovar 3 saques/ })
      .click()
    await expect(page.getByRole("dialog")).toContainText("3 saques aprovados.")
    await expectNoSidewaysScroll(page, "what came of several approvals")
  })
})
