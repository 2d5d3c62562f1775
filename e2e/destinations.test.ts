import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage, requestWithdrawal } from "./support/api.ts"
import { expect, sellerTest as test, toast } from "./support/journey.ts"

const pixKey = "123e4567-e89b-12d3-a456-426614174000"

test("a seller removes a destination that isn't theirs", { tag: "@phone" }, async ({ page, seller, request }) => {
  await createPaidPage(request, seller)
  await requestWithdrawal(request, seller, { amount: 10, paymentMethod: "pix", pixKey })
  await page.goto("/profile/security")
  const card = page.getByRole("region", { name: "Destinos de saque" })
  await card.getByRole("button", { name: /^Ações de / }).click()
  await page.getByRole("menuitem", { name: "Remover" }).click()
  const question = page.getByRole("alertdialog")
  await expect(question.getByText("espera como para um novo")).toBeVisible()
  await expectAccessible(page, "removing a destination")
  await question.getByRole("button", { name: "Remover" }).click()
  await expect(toast(page, "Destino removido")).toBeVisible()
  await expect(card.getByText("Nenhum ainda: o primeiro aparece com o seu primeiro saque.")).toBeVisible()
})
