import { expect, sellerTest as test } from "./support/journey.ts"

test.use({ serviceWorkers: "allow" })

test("the app can be installed, says when there is no network, keeps nothing, and shows notices", {
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
