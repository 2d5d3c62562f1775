import { expect, sellerTest as test, toast } from "./support/journey.ts"

test.use({ serviceWorkers: "allow" })

test("the app can be installed, says when there is no network, keeps no screen but the counter's, and shows notices", {
  tag: "@desktop",
}, async ({ page, context, complaints, baseURL }) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED|503/)
  await page.goto("/dashboard")
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const browser = await context.newCDPSession(page)
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors")
  // Every test's window is a private one.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([])
  expect((await browser.send("Page.getAppManifest")).errors).toEqual([])

  await page.reload()
  await expect(page.getByRole("heading", { name: /, Ana$/ })).toBeVisible()
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole("heading", { name: "Sem internet" })).toBeVisible()
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  await context.setOffline(false)
  await page.getByRole("link", { name: "Tentar novamente" }).click()
  await expect(page.getByRole("heading", { name: /, Ana$/ })).toBeVisible()

  const [worker] = context.serviceWorkers()
  // A browser without a screen shows no notices.
  await worker?.evaluate(() => {
    const scope = self as unknown as { registration: ServiceWorkerRegistration; shown?: object }
    scope.registration.showNotification = async (title, { body, tag, data } = {}) => {
      scope.shown = { title, body, tag, data }
    }
  })
  const registered = new Promise<string>((found) => {
    browser.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [registration] }) => {
      if (registration !== undefined) found(registration.registrationId)
    })
  })
  await browser.send("ServiceWorker.enable")
  const message = { title: "Pagamento recebido", body: "Bolo", url: "/transactions", tag: "payments:1" }
  const { origin } = new URL(baseURL ?? "")
  const registrationId = await registered
  await browser.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(message) })
  const { url, ...shown } = message
  await expect
    .poll(() => worker?.evaluate(() => (self as unknown as { shown?: object }).shown))
    .toEqual({ ...shown, data: { url } })
})

const till = { width: 375, height: 667 }

test("the counter opens without a network with what was typed, and goes on by itself", { tag: "@desktop" }, async ({
  page,
  context,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED|503/)
  await page.setViewportSize(till)
  await page.goto("/counter")
  const pad = page.getByRole("dialog", { name: "Balcão" })
  const offline = pad.getByText("Sem internet: o código ainda não foi gerado.")
  await pad.getByRole("button", { name: "5", exact: true }).click()
  await pad.getByRole("button", { name: "00", exact: true }).click()
  await pad.getByLabel("Observação").fill("Dois pães")
  const keptPaths = () =>
    page.evaluate(async () => {
      const cache = await caches.open("shell")
      return (await cache.keys()).map(({ url }) => new URL(url).pathname)
    })
  await expect.poll(keptPaths).toContain("/counter")
  expect((await keptPaths()).filter((path) => path !== "/counter" && !path.startsWith("/assets/"))).toEqual([])

  await context.setOffline(true)
  await page.reload()
  await expect(offline).toBeVisible()
  await expect(pad.getByLabel("Observação")).toHaveValue("Dois pães")
  await expect(pad.getByRole("status", { name: "Valor" })).toContainText("5,00")
  await page.screenshot({ path: test.info().outputPath("offline.png") })
  await pad.getByRole("button", { name: "Tentar novamente" }).click()
  await expect(offline).toBeVisible()
  await context.setOffline(false)
  await expect(pad.getByRole("img", { name: /QR code Pix de R\$\s5,00/ })).toBeVisible()

  await context.setOffline(true)
  await page.goto("/dashboard")
  await expect(page.getByRole("heading", { name: "Sem internet" })).toBeVisible()
  await page.getByRole("link", { name: "Abrir o balcão" }).click()
  await expect(pad.getByText("Sem internet: ainda não sabemos se foi pago.")).toBeVisible()
  await context.setOffline(false)
  await page.reload()
  await expect(pad.getByRole("img", { name: /QR code Pix de R\$\s5,00/ })).toBeVisible()
})

test("a new version is told once, and waits for the next start", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/dashboard")
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload()
  await expect(page.getByRole("heading", { name: /, Ana$/ })).toBeVisible()
  await page.evaluate(async () => {
    // As if this page came from another build than the worker.
    for (const file of document.querySelectorAll("script[src], link[rel=modulepreload]")) file.remove()
    await navigator.serviceWorker.register("/sw.js?next")
  })
  await expect(toast(page, "Há uma versão nova")).toBeVisible()
  const states = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return [registration?.active?.scriptURL, registration?.waiting?.scriptURL].map((url) => url?.split("/").at(-1))
  })
  expect(states).toEqual(["sw.js", "sw.js?next"])
})
