import type { Page, Route } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage } from "./support/api.ts"
import { expect, sellerTest as test, toast, tryAgain } from "./support/journey.ts"

const serversWords = "Palavras do servidor."
const noNetwork = "Sem conexão com a internet."
const expired = "Sessão expirada. Faça login novamente."
const toldStatuses = [403, 404, 409, 429] as const

function refuse(route: Route, status: number): Promise<void> {
  return route.fulfill({ status, json: { status: "error", code: "any", message: serversWords } })
}

interface Screen {
  name: string
  path: string
  call: RegExp
  /** The screen's text when the server sent none. */
  failed: string
  /** The screen's own texts that take precedence over the server's. */
  own?: Partial<Record<(typeof toldStatuses)[number], string>>
  landmark: (page: Page) => ReturnType<Page["getByText"]>
}

const screens: Screen[] = [
  {
    name: "dashboard",
    path: "/dashboard",
    call: /payments\/transactions\?/,
    failed: "Não foi possível carregar os dados do dashboard",
    landmark: (page) => page.getByRole("heading", { name: "Compartilhe a cobrança" }),
  },
  {
    name: "list of charges",
    path: "/checkouts",
    call: /checkout\/pages\?/,
    failed: "Não foi possível carregar suas páginas de cobrança",
    landmark: (page) => page.getByRole("link", { name: "Mentoria de Vendas", exact: true }),
  },
  {
    name: "copy of a charge",
    path: "/checkouts/create?from=:id",
    call: /checkout\/pages\/[0-9a-f-]{36}$/,
    failed: "Não foi possível carregar a cobrança a duplicar",
    landmark: (page) => page.getByLabel("Título"),
  },
  {
    name: "charge",
    path: "/checkouts/:id",
    call: /checkout\/pages\/[0-9a-f-]{36}$/,
    failed: "Não foi possível carregar os detalhes da página de cobrança",
    own: { 403: "Você não tem permissão para acessar esta página", 404: "Página de cobrança não encontrada" },
    landmark: (page) => page.getByLabel("Título"),
  },
  {
    name: "list of customers",
    path: "/customers",
    call: /api\/v1\/customers\?/,
    failed: "Não foi possível carregar os clientes",
    landmark: (page) => page.getByText("Você ainda não cadastrou nenhum cliente"),
  },
  {
    name: "list of subscriptions",
    path: "/subscriptions",
    call: /api\/v1\/subscriptions\?/,
    failed: "Não foi possível carregar as assinaturas",
    landmark: (page) => page.getByText("Nenhuma assinatura ainda"),
  },
  {
    name: "list of transactions",
    path: "/transactions",
    call: /payments\/transactions\?/,
    failed: "Erro ao carregar transações. Tente novamente.",
    landmark: (page) => page.getByText("Você ainda não tem transações"),
  },
  {
    name: "withdrawals",
    path: "/withdrawals",
    call: /api\/v1\/withdrawals\?/,
    failed: "Erro ao carregar histórico de saques",
    landmark: (page) => page.getByText("Nenhum saque solicitado ainda"),
  },
  {
    name: "statement",
    path: "/statement",
    call: /users\/me\/statement\?/,
    failed: "Não foi possível carregar o extrato",
    landmark: (page) => page.getByText("Nenhum lançamento neste mês"),
  },
  {
    name: "open sessions of the profile",
    path: "/profile/security",
    call: /users\/me\/sessions$/,
    failed: "Erro ao carregar sessões",
    landmark: (page) => page.getByText("Esta sessão"),
  },
]

/** One screen meets every status; the others share its code, and meet one in turn beside those they answer themselves. */
function statusesFor(index: number, own: Screen["own"]): (typeof toldStatuses)[number][] {
  if (index === 0) return [...toldStatuses]
  const shared = toldStatuses[index % toldStatuses.length]
  return toldStatuses.filter((status) => status === shared || own?.[status] !== undefined)
}

for (const [index, { name, path, call, failed, own = {}, landmark }] of screens.entries()) {
  const tag = name === "charge" ? [] : ["@desktop"]
  test(`whatever goes wrong, the screen says it: ${name}`, { tag }, async ({ page, seller, request, complaints }) => {
    test.slow()
    complaints.expect(/4\d\d|500|ERR_INTERNET_DISCONNECTED/)
    const address = path.replace(":id", (await createChargePage(request, seller))._id)
    const alert = page.getByRole("main").getByRole("alert").filter({ hasText: /./ })
    for (const status of statusesFor(index, own)) {
      await page.route(call, (route) => refuse(route, status))
      await page.goto(address)
      await expect(alert, String(status)).toContainText(own[status] ?? serversWords)
      await page.unrouteAll()
    }

    await page.route(call, (route) => route.abort("internetdisconnected"))
    await page.goto(address)
    await expect(alert).toContainText(failed)
    await expect(alert).toContainText(noNetwork)
    await page.unrouteAll()

    await page.route(call, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(address)
    await expect(alert).toContainText(failed)
    await expectAccessible(page, `${name}: 500`)
    await page.unrouteAll()
    await tryAgain(alert)
    await expect(landmark(page)).toBeVisible()
    await expect(alert).toHaveCount(0)

    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route(call, async (route) => {
      await answered
      await route.fallback()
    })
    await page.goto(address)
    await expect(
      page
        .getByRole("main")
        .getByRole("status")
        .filter({ hasText: /^Carregando/ })
        .first(),
    ).toBeVisible()
    await expectAccessible(page, `${name}: slow`)
    answer()
    await expect(landmark(page)).toBeVisible()
    await page.unrouteAll({ behavior: "wait" })

    await page.route(call, (route) => refuse(route, 401))
    await page.goto(address)
    await expect(page).toHaveURL(/\/login$/)
    await expect(toast(page, expired)).toBeVisible()
  })
}

const forms = [
  {
    name: "new charge",
    path: "/checkouts/create",
    call: { method: "POST", url: /checkout\/pages$/ },
    submit: "Criar cobrança",
    busy: "Criando...",
    failed: "Erro ao criar página de cobrança",
  },
  {
    name: "changed charge",
    path: "/checkouts/:id",
    call: { method: "PATCH", url: /checkout\/pages\/[0-9a-f-]{36}$/ },
    submit: "Salvar alterações",
    busy: "Salvando...",
    failed: "Erro ao atualizar página de cobrança",
  },
] as const

for (const { name, path, call, submit, busy, failed } of forms) {
  test(`whatever goes wrong, what was typed stays: ${name}`, { tag: "@desktop" }, async ({
    page,
    seller,
    request,
    complaints,
  }) => {
    complaints.expect(/4\d\d|500|ERR_INTERNET_DISCONNECTED/)
    await page.goto(path.replace(":id", (await createChargePage(request, seller))._id))
    const main = page.getByRole("main")
    const alert = main.getByRole("alert").filter({ hasText: /./ })
    const button = main.getByRole("button", { name: submit, exact: true })
    await main.getByLabel("Título").fill("Aula de canto")
    await main.getByLabel("Valor", { exact: true }).fill("120,00")

    async function sendWhile(fault: (route: Route) => Promise<void>): Promise<void> {
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await page.route(call.url, (route) =>
        route.request().method() === call.method ? fault(route) : route.fallback(),
      )
      await button.click()
    }

    for (const status of toldStatuses) {
      await sendWhile((route) => refuse(route, status))
      await expect(alert, String(status)).toContainText(serversWords)
    }
    await sendWhile((route) => route.fulfill({ status: 500, json: {} }))
    await expect(alert).toContainText(failed)
    await sendWhile((route) => route.abort("internetdisconnected"))
    await expect(toast(page, noNetwork)).toBeVisible()
    await expect(alert).toContainText(failed)
    await expectAccessible(page, `${name} without a network`)
    await expect(main.getByLabel("Título")).toHaveValue("Aula de canto")

    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await sendWhile(async (route) => {
      await answered
      await refuse(route, 401)
    })
    await expect(main.getByRole("button", { name: busy })).toBeDisabled()
    answer()
    await expect(page).toHaveURL(/\/login$/)
    await expect(toast(page, expired)).toBeVisible()
  })
}

test("what was never fetched says so without a network, and comes with it", { tag: "@desktop" }, async ({
  page,
  context,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED|dynamically imported module|Sem conexão com a internet/)
  await page.goto("/transactions")
  await expect(page.getByText("Você ainda não tem transações")).toBeVisible()
  // The toaster loads after the screen, and must be there before the network goes.
  await page.getByLabel("Notificações").waitFor({ state: "attached" })
  await context.setOffline(true)
  await page.keyboard.press("?")
  await expect(toast(page, "Não foi possível abrir")).toBeVisible()
  await page.getByRole("navigation").getByRole("link", { name: "Saques" }).click()
  const failure = page.getByRole("alert").filter({ hasText: "Não foi possível abrir esta tela" })
  await expect(failure).toContainText(noNetwork)
  await expectAccessible(page, "screen that could not be fetched")
  await context.setOffline(false)
  await expect(page.getByText("Nenhum saque solicitado ainda")).toBeVisible()
  await page.keyboard.press("?")
  await expect(page.getByRole("dialog", { name: "Atalhos do teclado" })).toBeVisible()
})

test("an overloaded server is reported on the screen, which loads once it recovers", { tag: "@desktop" }, async ({
  page,
  complaints,
}) => {
  complaints.expect(/503/)
  const crowded = "Estamos com muitos acessos agora. Tente de novo em alguns segundos."
  let asked = 0
  await page.route(/payments\/transactions\?/, (route) => {
    asked += 1
    if (asked > 2) return route.fallback()
    const json = { status: "error", code: "overloaded", message: crowded }
    return route.fulfill({ status: 503, headers: { "retry-after": "1" }, json })
  })
  await page.goto("/transactions")
  await expect(page.getByRole("main").getByRole("alert").filter({ hasText: crowded })).toBeVisible()
  await expect(page.getByText("Você ainda não tem transações")).toBeVisible()
  await expect(page.getByText(crowded)).toHaveCount(0)
  expect(asked).toBeGreaterThan(2)
})
