import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, payCode, requestPix } from "./support/api.ts"
import { expect, sellerTest as test, toast } from "./support/journey.ts"

test("a payment shows at once on the dashboard and in both lists", async ({ page, seller, request }) => {
  const charge = await createChargePage(request, seller, { title: "Aula de piano", maxPayments: null })
  for (const path of ["/dashboard", "/transactions", "/checkouts"]) {
    const { pixCode } = await requestPix(request, charge)
    const listens = page.waitForResponse(/users\/me\/events/)
    await page.goto(path)
    expect((await listens).status()).toBe(200)
    await expect(page.getByText("Aula de piano").first()).toBeVisible()
    await payCode(request, pixCode)
    await expect(toast(page, "Pagamento recebido")).toBeVisible()
    await expect(page.getByRole("status").filter({ hasText: "Seu cliente pagou R$" })).toHaveCount(1)
    await expect(page.locator("tr[data-fresh]")).toHaveCount(1)
    await expectAccessible(page, `${path} with a payment that just came`)
  }
})

test("without the stream a payment shows all the same", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/net::ERR_FAILED.*users\/me\/events/)
  await page.route(/users\/me\/events/, (route) => route.abort())
  const { pixCode } = await requestPix(request, await createChargePage(request, seller))
  await page.goto("/dashboard")
  await expect(page.getByRole("table").getByText("Pendente")).toBeVisible()
  await payCode(request, pixCode)
  await expect(toast(page, "Pagamento recebido")).toBeVisible()
})

test("two tabs share one stream, and the second goes on when the first is closed", { tag: "@desktop" }, async ({
  page,
  context,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller, { maxPayments: null })
  const streams: string[] = []
  context.on("request", (sent) => {
    if (sent.url().endsWith("/users/me/events")) streams.push(sent.url())
  })
  await page.goto("/dashboard")
  await expect.poll(() => streams.length).toBe(1)
  const second = await context.newPage()
  await second.goto("/transactions")
  await expect(second.getByText("Você ainda não tem transações")).toBeVisible()
  const first = await requestPix(request, charge)
  await payCode(request, first.pixCode)
  await expect(toast(second, "Pagamento recebido")).toBeVisible()
  expect(streams).toHaveLength(1)

  const goesOn = second.waitForResponse(/users\/me\/events/)
  await page.close()
  expect((await goesOn).status()).toBe(200)
  await toast(second, "Pagamento recebido").waitFor({ state: "hidden" })
  await payCode(request, (await requestPix(request, charge)).pixCode)
  await expect(toast(second, "Pagamento recebido")).toBeVisible()
})

test("amounts can be hidden, everywhere and until they are shown again", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  await requestPix(request, await createChargePage(request, seller, { title: "Aula de piano", amount: 1234.56 }))
  await page.goto("/dashboard")
  await expect(page.getByText(/1\.234,56/).first()).toBeVisible()
  const eye = page.getByRole("button", { name: "Ocultar valores" })
  await eye.click()
  await expect(eye).toHaveAttribute("aria-pressed", "true")
  await expect(page.getByText("R$ •••••").first()).toBeVisible()
  for (const path of ["/dashboard", "/checkouts", "/transactions"]) {
    await page.goto(path)
    await expect(page.getByText("Aula de piano").first()).toBeVisible()
    await expect(page.getByText("R$ •••••").filter({ visible: true }).first()).toBeVisible()
    expect(await page.locator("body").innerText()).not.toMatch(/\d,\d\d/)
    await expectAccessible(page, `${path} with hidden amounts`)
  }
  await eye.click()
  await expect(page.getByText(/1\.234,56/).first()).toBeVisible()
})

test("the sound is off until it is switched on, and is remembered", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/dashboard")
  const account = page.getByRole("button", { name: "Conta de Ana Souza" })
  const sound = page.getByRole("menuitemcheckbox", { name: "Som ao receber" })
  await account.click()
  await expect(sound).not.toBeChecked()
  await sound.click()
  await expect(sound).toBeChecked()
  await expectAccessible(page, "account's menu with the sound on")
  await page.reload()
  await account.click()
  await expect(sound).toBeChecked()
})
