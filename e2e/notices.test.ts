import { expectAccessible } from "./support/accessibility.ts"
import { contestPayment, createPaidPage, requestWithdrawal } from "./support/api.ts"
import { expect, repeatUntil, sellerTest as test, toast } from "./support/journey.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"

const pixKey = "ana@loja.example"

test("a seller reads what came and what goes on in few lines, and security apart", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "Bolo de cenoura", amount: 40 })
  // A job writes the notice, and a page asks for their number when it opens.
  await repeatUntil(
    () => page.goto("/dashboard"),
    (patience) => expect(page.getByRole("link", { name: "Avisos: 1 novo" })).toBeVisible(patience),
  )
  await page.goto("/notices")
  const payment = page.getByRole("listitem").filter({ hasText: "Pagamento recebido: R$ 40,00" })
  await expect(payment).toContainText("Bolo de cenoura. Líquido: R$ 34,00.")
  await expect(page.getByRole("link", { name: "Avisos", exact: true })).toBeVisible()

  await requestWithdrawal(request, seller, { amount: 10, paymentMethod: "pix", pixKey })
  await page.reload()
  const withdrawal = page.getByRole("listitem").filter({ hasText: "Saque solicitado: R$ 10,00" })
  await expect(withdrawal.getByText("Novo")).toBeAttached()
  await expect(page.getByRole("heading", { name: "Hoje" })).toBeVisible()
  await expect(page.getByText("Não foi você?")).toHaveCount(1)
  expect((await withdrawal.boundingBox())?.height).toBeLessThanOrEqual(96)
  await expectAccessible(page, "notices of money")
  await expectThumbTargets(page, "notices of money")

  await page.getByRole("link", { name: /^Segurança/ }).click()
  await expect(page.getByText("Um destino novo para os seus saques")).toBeVisible()
  await expect(payment).toHaveCount(0)
  await expectAccessible(page, "notices of security")
  await expectThumbTargets(page, "notices of security")

  await page.goBack()
  await withdrawal.getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Saque" })
  await details.getByRole("button", { name: "Cancelar saque" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancelar saque" }).click()
  await expect(toast(page, "Saque cancelado")).toBeVisible()
  await page.goto("/notices")
  await expect(page.getByText("Saque cancelado: R$ 10,00")).toBeVisible()
  await expect(page.getByText("Saque solicitado")).toHaveCount(0)
})

test("a dispute is told in the bell, and leads to its payment", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "Bolo de cenoura", amount: 40 })
  await contestPayment(request, seller)
  await page.goto("/notices")
  await page.getByRole("link", { name: "Pagamento contestado: R$ 40,00" }).click()
  await expect(page.getByRole("dialog", { name: "Detalhes da transação" })).toContainText("Bolo de cenoura")
})

test("on a phone a toast lies over the top bar alone, and goes with a finger", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/profile")
  await page.getByLabel("Pagamentos recebidos").selectOption("daily")
  const item = page.getByRole("region", { name: "Notificações" }).getByRole("listitem")
  await expect(item).toBeVisible()
  const bar = await page.getByRole("banner").boundingBox()
  const box = await item.boundingBox()
  expect(box?.y).toBe(0)
  expect(box?.height).toBeLessThanOrEqual(bar?.height ?? 0)
  await expectAccessible(page, "a toast on a phone")

  const swipe = (type: string, x: number) =>
    item.dispatchEvent(type, { pointerType: "touch", clientX: x, clientY: 30, bubbles: true })
  await swipe("pointerdown", 300)
  await swipe("pointermove", 280)
  await swipe("pointerup", 280)
  await expect(item).toBeVisible()
  await swipe("pointerdown", 300)
  await swipe("pointermove", 220)
  await swipe("pointerup", 220)
  await expect(item).toHaveCount(0)
})
