import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage, requestWithdrawal } from "./support/api.ts"
import { expect, repeatUntil, sellerTest } from "./support/journey.ts"
import { adminTest } from "./support/own-server.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const palette = (page: Page) => page.getByRole("dialog", { name: "Buscar" })
const field = (page: Page) => palette(page).getByRole("combobox")

sellerTest(
  "a seller gets everywhere by the keyboard, and the focus comes back",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    await createPaidPage(request, seller, { title: "Aula de violão clássico" })
    await page.goto("/dashboard")
    await expect(page.getByRole("button", { name: "Buscar" })).toBeVisible()
    const eye = page.getByRole("button", { name: "Ocultar valores" })
    await eye.focus()
    await page.keyboard.press("Control+k")
    await expect(field(page)).toBeFocused()
    await expectAccessible(page, "the search before anything is typed")
    await page.keyboard.press("Escape")
    await expect(palette(page)).toHaveCount(0)
    await expect(eye).toBeFocused()

    await page.keyboard.press("Control+k")
    await field(page).pressSequentially("violao")
    await expect(palette(page).getByRole("option", { name: /Aula de violão clássico.*Concluída/ })).toBeVisible()
    await expectAccessible(page, "what the search found")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("dialog", { name: "Detalhes da transação" })).toBeVisible()
    await page.keyboard.press("Escape")

    await page.keyboard.press("Control+k")
    await field(page).fill("nada que exista aqui")
    await expect(palette(page)).toContainText("Nada encontrado para “nada que exista aqui”")
    await expectAccessible(page, "a search that found nothing")
    await field(page).fill("pedir saque")
    await expect(palette(page).getByRole("option")).toHaveText(["Solicitar saque"])
    await page.keyboard.press("Enter")
    await expect(page.getByRole("dialog", { name: "Solicitar Saque" })).toBeVisible()
  },
)

sellerTest.describe("at 320 pixels", () => {
  sellerTest.use(narrow)

  sellerTest(
    "on a phone the search fills the screen, and a finger opens a hit",
    { tag: "@phone" },
    async ({ page, seller, request }) => {
      await createPaidPage(request, seller, { title: "Aula de violão clássico" })
      await page.goto("/dashboard")
      await page.getByRole("button", { name: "Buscar" }).click()
      await field(page).fill("atalhos")
      await expect(palette(page)).toContainText("Nada encontrado para “atalhos”")
      await field(page).fill("violão")
      const hit = palette(page).getByRole("option", { name: /Concluída/ })
      await expect(hit).toBeVisible()
      await expectNoSidewaysScroll(page, "the search on a phone")
      await expectAccessible(page, "the search on a phone")
      await hit.click()
      await expect(page).toHaveURL(/\/checkouts\/[0-9a-f-]{36}$/)
    },
  )
})

adminTest(
  "an admin opens a person, a withdrawal and a screen from the search",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    await createPaidPage(request, seller)
    await requestWithdrawal(request, seller, { amount: 30, paymentMethod: "pix", pixKey: seller.email })
    await page.goto("/admin")
    await expect(page.getByRole("button", { name: "Buscar" })).toBeVisible()
    // The button is drawn a moment before its key is heard.
    await repeatUntil(
      () => page.keyboard.press("Control+k"),
      (patience) => expect(field(page)).toBeVisible(patience),
    )
    await field(page).fill(seller.email)
    await expect(palette(page).getByRole("group", { name: "Saques" }).getByRole("option")).toHaveCount(1)
    await expectAccessible(page, "what an admin's search found")
    await palette(page).getByRole("group", { name: "Saques" }).getByRole("option").click()
    await expect(page.getByRole("dialog", { name: "Saque", exact: true })).toContainText(seller.email)
    await page.keyboard.press("Escape")

    await page.keyboard.press("Control+k")
    await field(page).fill(seller.email)
    await expect(palette(page).getByRole("group", { name: "Usuários" }).getByRole("option")).toHaveCount(1)
    await page.keyboard.press("Enter")
    await expect(page.getByRole("dialog", { name: "Detalhes do usuário" })).toContainText(seller.email)
    await page.keyboard.press("Escape")

    await page.keyboard.press("Control+k")
    await field(page).fill("auditoria")
    await page.keyboard.press("Enter")
    await expect(page).toHaveURL(/\/admin\/audit$/)
  },
)
