import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, createSoldPage } from "./support/api.ts"
import { expect, repeatUntil, sellerTest as test, tryAgain } from "./support/journey.ts"

test("the dashboard shows sales per day and how visits become payments", { tag: "@desktop" }, async ({
  page,
  payer,
  seller,
  request,
}) => {
  await createSoldPage(request, seller, { title: "Aula de piano", amount: 10, sales: 10 })
  const visited = await createChargePage(request, seller)
  await payer.goto(`/checkout/${visited.uniqueLink}`)
  await page.goto("/dashboard")
  const chart = page.getByRole("region", { name: "Recebido por dia" })
  await expect(chart.getByText(/^R\$\s85,00$/).first()).toBeVisible()
  await expect(chart.getByRole("table", { name: "Vendas por dia" }).getByRole("row")).toHaveCount(8)
  const visits = chart.getByText(/^Visitas às páginas/).locator("..")
  await repeatUntil(
    () => page.reload(),
    (patience) => expect(visits).toContainText("1", patience),
  )
  await expectAccessible(page, "dashboard with a chart")

  await chart.getByText("30 dias", { exact: true }).click()
  await expect(chart.getByRole("table", { name: "Vendas por dia" }).getByRole("row")).toHaveCount(31)
  const day = chart.getByRole("slider", { name: "Dia do gráfico" })
  await day.focus()
  await expect(day).toHaveAttribute("aria-valuetext", /^Hoje: R\$\s85,00 líquidos, 10 vendas$/)
  await page.keyboard.press("ArrowLeft")
  await expect(day).toHaveAttribute("aria-valuetext", /^\d\d\/\d\d: R\$\s0,00 líquidos, 0 vendas$/)
  await expectAccessible(page, "chart walked by the keyboard")
})

test("a chart that fails leaves the rest of the dashboard", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/500 .*reports\/seller/)
  await createSoldPage(request, seller, { title: "Aula de piano", sales: 10 })
  await page.route(/reports\/seller/, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto("/dashboard")
  await expect(page.getByRole("alert")).toContainText("Não foi possível carregar o gráfico de vendas")
  await expect(page.getByText("Aula de piano").first()).toBeVisible()
  await page.unrouteAll()
  await tryAgain(page)
  await expect(page.getByRole("region", { name: "Recebido por dia" })).toBeVisible()
})
