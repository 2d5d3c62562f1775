import { expect, sellerTest, test, toast } from "./support/journey.ts"

test("a wrong password is refused in words, and the right one opens the dashboard", { tag: "@desktop" }, async ({
  page,
  seller,
  complaints,
}) => {
  complaints.expect(/401 .*auth\/login/)
  await page.goto("/login")
  await page.getByRole("button", { name: "Entrar" }).click()
  await expect(page.getByRole("alert")).toHaveText("Preencha todos os campos obrigatórios")

  await page.getByLabel("E-mail").fill(seller.email)
  await page.getByLabel("Senha", { exact: true }).fill("outra senha qualquer")
  await page.getByRole("button", { name: "Entrar" }).click()
  await expect(page.getByRole("alert")).toHaveText("E-mail ou senha incorretos.")
  await expect(page.getByLabel("E-mail")).toHaveValue(seller.email)

  await page.getByLabel("Senha", { exact: true }).fill(seller.password)
  await page.getByRole("button", { name: "Entrar" }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(toast(page, "Login realizado com sucesso!")).toBeVisible()
  await expect(page.getByRole("heading", { name: /, Ana$/ })).toBeVisible()
})

test("nobody gets in without a session", { tag: "@desktop" }, async ({ page }) => {
  for (const path of [
    "/",
    "/dashboard",
    "/checkouts",
    "/checkouts/create",
    "/receivables",
    "/receivables/create",
    "/subscriptions",
    "/subscriptions/plans",
    "/customers",
    "/customers/import",
    "/transactions",
    "/withdrawals",
    "/shop",
    "/developers",
    "/developers/events",
    "/notices",
    "/profile",
    "/profile/security",
  ]) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
  await page.goto("/checkouts/0190a5b0-0000-7000-8000-000000000000")
  await expect(page).toHaveURL(/\/login$/)
  await expect(toast(page, "Token de autenticação não encontrado")).toBeVisible()
})

test("a token that the server refuses is dropped without a word", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/401 .*users\/me/)
  await page.goto("/login")
  await page.evaluate(() => localStorage.setItem("token", "um-token-que-nao-existe"))
  await page.goto("/dashboard")
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole("heading", { name: "Entrar" })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull()
  await expect(page.getByRole("region", { name: "Notificações" })).toHaveCount(0)
})

sellerTest(
  "the root is the dashboard, and an unknown path says so and leads home",
  { tag: "@desktop" },
  async ({ page, complaints }) => {
    complaints.expect(/404 .*nada-aqui/)
    await page.goto("/")
    await expect(page).toHaveURL(/\/dashboard$/)
    const answer = await page.goto("/nada-aqui")
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole("heading", { name: "Página Não Encontrada" })).toBeVisible()
    await page.getByRole("link", { name: "Ir para o início" }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)

sellerTest(
  "logging out ends the session and says so for five seconds, longer under the pointer",
  {
    tag: "@desktop",
  },
  async ({ page, seller, request }) => {
    await page.clock.install()
    await page.goto("/dashboard")
    await expect(page.getByRole("heading", { name: "Monte a sua loja" })).toBeVisible()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await page.getByRole("button", { name: "Conta de Ana Souza" }).click()
    await page.getByRole("menuitem", { name: "Sair" }).click()
    const notice = toast(page, "Você saiu da sua conta")
    await expect(notice).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)

    await page.clock.runFor(3_000)
    await notice.hover()
    // The screen handles pointer events in a task of its own; with the fake clock nothing else waits for it.
    await page.evaluate(() => {
      const { port1, port2 } = new MessageChannel()
      const isOver = new Promise((resolve) => port1.addEventListener("message", resolve))
      port1.start()
      port2.postMessage(null)
      return isOver.then(() => undefined)
    })
    await page.clock.runFor(20_000)
    await expect(notice).toBeVisible()
    await page.mouse.move(0, 700)
    await page.clock.runFor(1_800)
    await expect(notice).toBeVisible()
    await page.clock.runFor(300)
    await expect(notice).toHaveCount(0)

    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull()
    const headers = { Authorization: `Bearer ${seller.token}` }
    await expect.poll(async () => (await request.get("/api/v1/users/me", { headers })).status()).toBe(401)
  },
)

sellerTest(
  "on a phone the menu opens over the page and closes with the choice",
  { tag: "@phone" },
  async ({ page }) => {
    await page.goto("/dashboard")
    await page.getByRole("button", { name: "Abrir menu" }).click()
    const menu = page.getByRole("dialog", { name: "Menu" })
    await menu.getByRole("link", { name: "Páginas de Cobrança" }).click()
    await expect(page).toHaveURL(/\/checkouts$/)
    await expect(menu).toHaveCount(0)
    await page.getByRole("button", { name: "Conta de Ana Souza" }).click()
    await page.getByRole("menuitem", { name: "Sair" }).click()
    await expect(toast(page, "Você saiu da sua conta")).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  },
)
