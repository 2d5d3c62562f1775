import { expectAccessible } from "./support/accessibility.ts"
import { changeShop, changeUser, createChargePage, createCustomer, joinTeam, password, signUp } from "./support/api.ts"
import { expect, sellerTest, test, toast } from "./support/journey.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

sellerTest.describe("the team", () => {
  sellerTest.use({ viewport: { width: 375, height: 812 } })

  sellerTest(
    "an owner invites an accountant by the keyboard, who works in two shops, until removed",
    async ({ page, payer, request, seller, complaints }) => {
      complaints.expect(/403 .*users\/me\/events/)
      const accountant = await signUp(request, "Caio Contador")
      await createCustomer(request, seller, { name: "Padaria do Zé" })
      await page.goto("/team")
      await expect(page.getByRole("heading", { name: "Equipe" })).toBeVisible()
      await page.getByRole("button", { name: "Convidar" }).press("Enter")
      const dialog = page.getByRole("dialog", { name: "Convidar para a equipe" })
      await dialog.getByLabel("E-mail").fill(accountant.email)
      await dialog.getByRole("radio", { name: /^Contador/ }).press("Space")
      await expectAccessible(page, "the invitation")
      await dialog.getByLabel("E-mail").press("Enter")
      const made = page.getByRole("dialog", { name: "Convite enviado" })
      const link = (await made.getByText("/convite/").textContent()) ?? ""
      await expectAccessible(page, "the link")
      await made.getByRole("button", { name: "Fechar" }).last().click()
      await expect(page.getByText("Convites à espera")).toBeVisible()
      await page.setViewportSize(narrow.viewport)
      await expectNoSidewaysScroll(page, "the team")
      await expectAccessible(page, "the team")

      // Signed out, the link leads through the login and back.
      await payer.goto(new URL(link.trim()).pathname)
      await expect(payer.getByText("Você foi convidado como contador.")).toBeVisible()
      await expectAccessible(payer, "an invitation")
      await payer.getByRole("link", { name: "Entrar" }).click()
      await payer.getByLabel("E-mail").fill(accountant.email)
      await payer.getByLabel("Senha", { exact: true }).fill("uma senha comprida")
      await payer.getByRole("button", { name: "Entrar", exact: true }).click()
      await payer.getByRole("button", { name: "Aceitar convite" }).click()

      // An accountant begins at the statement, and nothing there changes anything.
      await expect(payer).toHaveURL(/\/statement/)
      await payer.goto("/customers")
      await expect(payer.getByText("Padaria do Zé")).toBeVisible()
      await expect(payer.getByRole("button", { name: "Novo cliente" })).toHaveCount(0)
      await payer.goto("/developers")
      await expect(payer).toHaveURL(/\/statement/)
      await payer.setViewportSize({ width: 1280, height: 800 })
      const menu = payer.getByRole("navigation", { name: "Principal" })
      await expect(menu.getByRole("link")).toHaveText(["A receber", "Clientes", "Transações", "Saques", "Extrato"])
      await payer.getByRole("button", { name: /Trocar de loja/ }).click()
      await expectAccessible(payer, "the switcher")

      // Another tab acts for their own shop, while this one stays in the other's.
      const ownTab = await payer.context().newPage()
      await ownTab.goto("/customers")
      await expect(ownTab.getByText("Você ainda não cadastrou nenhum cliente")).toBeVisible()
      await payer.keyboard.press("Escape")
      await payer.goto("/customers")
      await expect(payer.getByText("Padaria do Zé")).toBeVisible()

      await page.reload()
      await page.getByRole("button", { name: "Remover Caio Contador da equipe" }).click()
      await page.getByRole("button", { name: "Remover", exact: true }).click()
      await expect(toast(page, "Caio Contador saiu da equipe")).toBeVisible()
      // Their open tab goes away by itself.
      await expect(payer.getByText("Padaria do Zé")).toHaveCount(0)
      await payer.goto("/customers")
      await expect(payer.getByText("Você ainda não cadastrou nenhum cliente")).toBeVisible()
      await expect(payer.getByText("Padaria do Zé")).toHaveCount(0)
      await expect(payer.getByRole("button", { name: /Trocar de loja/ })).toHaveCount(0)
    },
  )
})

test("a used or unknown invitation says so", async ({ page, complaints }) => {
  complaints.expect(/404/)
  await page.goto(`/convite/${"x".repeat(43)}`)
  await expect(page.getByText("Este convite não vale")).toBeVisible()
  await expectAccessible(page, "an invitation that is over")
})

sellerTest(
  "a member leaves a team by themselves",
  { tag: "@desktop" },
  async ({ page, openBrowser, request, seller }) => {
    await changeShop(request, seller, { name: "Padaria e Confeitaria Nossa Senhora da Conceição" })
    const member = await joinTeam(request, seller, "manager")
    const own = await (await openBrowser({ token: member.token })).newPage()
    await own.goto(`/profile?shop=${member.shopId}`)
    await expect(own.getByText("Equipes em que você trabalha")).toBeVisible()
    await own.setViewportSize(narrow.viewport)
    await expectNoSidewaysScroll(own, "the profile of a member")
    await own.getByRole("button", { name: "Sair da equipe" }).click()
    await expectAccessible(own, "leaving a team")
    await own.getByRole("alertdialog").getByRole("button", { name: "Sair da equipe" }).click()
    await expect(own).toHaveURL(/\/dashboard/)
    await own.goto("/profile")
    await expect(own.getByRole("button", { name: "Salvar" }).first()).toBeVisible()
    await expect(own.getByText("Equipes em que você trabalha")).toHaveCount(0)
    await page.goto("/team")
    await expect(page.getByText("Bia Reis")).toHaveCount(0)
  },
)

sellerTest(
  "an owner who removes or lowers another reads that keys go on working",
  { tag: "@desktop" },
  async ({ page, request, seller }) => {
    await joinTeam(request, seller, "owner")
    await page.goto("/team")
    const warning = page.getByText("chaves de API e os segredos dos webhooks")
    await page.getByRole("button", { name: "Mudar o papel de Bia Reis" }).click()
    await expect(page.getByRole("radio", { name: /^Dono/ })).toBeChecked()
    await expect(warning).toHaveCount(0)
    await page.getByText("Gerente", { exact: true }).click()
    await expect(warning).toBeVisible()
    await expectAccessible(page, "an owner who is lowered")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Remover Bia Reis da equipe" }).click()
    await expect(warning).toBeVisible()
    await expectAccessible(page, "an owner who is removed")
    await page.getByRole("alertdialog").getByRole("link", { name: "Integrações" }).click()
    await expect(page).toHaveURL(/\/developers/)
  },
)

sellerTest(
  "no screen leads a manager or an accountant to what only others may open",
  { tag: "@desktop" },
  async ({ openBrowser, request, seller }) => {
    const page = await createChargePage(request, seller, { externalReference: "pedido-1042" } as never)
    const open = async (role: "manager" | "accountant") => {
      const { token, shopId } = await joinTeam(request, seller, role)
      const own = await (await openBrowser({ token })).newPage()
      await own.addInitScript((shop) => sessionStorage.setItem("shop", shop), shopId)
      return own
    }
    const accountant = await open("accountant")
    await accountant.goto("/receivables")
    await expect(accountant.getByRole("link", { name: /^Vencidas/ })).toBeVisible()
    await expect(accountant.getByRole("link", { name: "Lembretes" })).toHaveCount(0)
    await accountant.goto("/transactions")
    await expect(accountant.getByText("Você ainda não tem transações")).toBeVisible()
    await expect(accountant.getByRole("link", { name: "Criar cobrança Pix" })).toHaveCount(0)

    // A call that answers 403 is an error on the console, and so a complaint.
    const manager = await open("manager")
    await manager.goto(`/checkouts/${page._id}`)
    await expect(manager.getByLabel("Referência")).toHaveValue("pedido-1042")
    await expect(manager.getByRole("link", { name: "Integrações" })).toHaveCount(0)
    await manager.goto("/profile/security")
    await expect(manager.getByRole("heading", { name: "Sessões" })).toBeVisible()
    await manager.goto("/checkouts/create")
    await manager.getByText("Mais opções").click()
    await expect(manager.getByText("Aceitar vários pagamentos")).toBeVisible()
    await manager.goto("/withdrawals")
    await expect(manager.getByText("Nenhum saque solicitado ainda")).toBeVisible()
  },
)

sellerTest(
  "a shop's new name is in the top bar at once",
  { tag: "@desktop" },
  async ({ openBrowser, request, seller }) => {
    const { token, shopId } = await joinTeam(request, seller, "manager")
    const own = await (await openBrowser({ token })).newPage()
    await own.addInitScript((shop) => sessionStorage.setItem("shop", shop), shopId)
    await own.goto("/shop")
    await own.getByLabel("Nome da loja").fill("Doces da Ana")
    await own.getByRole("button", { name: "Salvar alterações" }).click()
    await expect(own.getByRole("button", { name: "Trocar de loja: Doces da Ana" })).toBeVisible()
  },
)

sellerTest(
  "a manager is shown the shop's fee, balance, name and orders, not their own",
  { tag: "@desktop" },
  async ({ openBrowser, request, seller }) => {
    const { token, shopId } = await joinTeam(request, seller, "manager")
    await changeUser(request, seller, { feePercentage: 4.5 })
    const headers = { Authorization: `Bearer ${seller.token}` }
    const key = { name: "Loja", scopes: ["pages:write"], passwordCurrent: password }
    expect((await request.post("/api/v1/users/me/api-keys", { headers, data: key })).status()).toBe(201)
    const own = await (await openBrowser({ token })).newPage()
    await own.addInitScript((shop) => sessionStorage.setItem("shop", shop), shopId)
    // The shop's balance is on its way for ever.
    await own.route("**/users/myBalance", () => undefined)
    await own.goto("/dashboard")
    await expect(own.getByText("4,5%")).toBeVisible()
    const balance = own.getByRole("article").filter({ hasText: "Saldo disponível" })
    await expect(balance).toContainText("Recebido hoje")
    await expect(balance.getByText("Pagamentos hoje")).toBeVisible()
    await expect(balance).not.toContainText(/Saldo disponível.*R\$\s?0,00.*Recebido hoje/)
    await own.goto("/shop")
    await expect(own.getByRole("region", { name: "Prévia" })).toContainText(seller.name)
    await expect(own.getByRole("region", { name: "Prévia" })).not.toContainText("Bia Reis")
    await own.goto("/checkouts/create")
    await own.getByText("Mais opções").click()
    await expect(own.getByLabel("Referência")).toBeVisible()
  },
)
