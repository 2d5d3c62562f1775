import { expectAccessible } from "./support/accessibility.ts"
import { password } from "./support/api.ts"
import { clipboardOf, expect, sellerTest } from "./support/journey.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"

sellerTest(
  "a key made under Integrações works for a program until it is revoked",
  { tag: "@phone" },
  async ({ page, request, complaints }) => {
    complaints.expect(/422 .*api-keys/)
    await page.goto("/developers")
    await expect(page.getByText("Você ainda não criou chaves")).toBeVisible()
    await expectThumbTargets(page, "no keys")
    await page.getByRole("button", { name: "Criar chave" }).click()
    const dialog = page.getByRole("dialog", { name: "Criar chave de API" })
    await dialog.getByRole("button", { name: "Criar chave" }).click()
    await expect(dialog.getByText("Dê um nome")).toBeVisible()
    await expectAccessible(page, "a key that lacks everything")
    await expectThumbTargets(page, "a key that lacks everything")

    await dialog.getByLabel("Nome").fill("Loja virtual")
    await dialog.getByRole("checkbox", { name: "Ver as páginas de cobrança" }).check()
    await dialog.getByLabel("Senha atual").fill(password)
    await dialog.getByRole("button", { name: "Criar chave" }).click()
    await page.getByRole("button", { name: "Copiar chave" }).click()
    const key = await clipboardOf(page)
    expect(key).toMatch(/^tk_test_[0-9A-Za-z]{46}$/)
    await expectAccessible(page, "a key that was created")
    const use = () => request.get("/api/v1/checkout/pages", { headers: { authorization: `Bearer ${key}` } })
    expect((await use()).status()).toBe(200)

    await page.reload()
    await expect(page.getByText(/^Último uso/)).toBeVisible()
    await expect(page.getByText(key)).toHaveCount(0)
    await expectThumbTargets(page, "a key in the list")
    await page.getByRole("button", { name: "Revogar Loja virtual" }).click()
    await page.getByRole("button", { name: "Revogar chave" }).click()
    await expect(page.getByText("Você ainda não criou chaves")).toBeVisible()
    expect((await use()).status()).toBe(401)
  },
)
