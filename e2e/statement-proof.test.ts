import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage } from "./support/api.ts"
import { expect, test } from "./support/journey.ts"

test.use({ serviceWorkers: "allow" })

test("a statement's CSV with proofs is proved on this device, without a network, too, and not when a line was changed", {
  tag: "@soak",
}, async ({ page, context, seller, request, complaints }) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await createPaidPage(request, seller, { title: "Aula de piano", amount: 80 })
  const month = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format(new Date()).slice(0, 7)
  const headers = { authorization: `Bearer ${seller.token}` }
  const download = async (format: string) =>
    (await request.get(`/api/v1/users/me/statement/export?month=${month}&format=${format}`, { headers })).text()
  const csv = () => download("csv-proofs")
  // A sale is sealed some seconds after it was booked, and its line has a proof from then on.
  await expect.poll(async () => /;[^;]{40,}\r\n$/.test(await csv())).toBe(true)
  const file = await csv()
  const choose = (text: string) =>
    page
      .getByLabel("Extrato em CSV com provas")
      .setInputFiles({ name: "extrato.csv", mimeType: "text/csv", buffer: Buffer.from(text) })

  await page.goto("/verificar/extrato")
  await expect(page.getByLabel("Ponto de controle")).not.toHaveValue("")
  await page.getByRole("button", { name: "Conferir" }).click()
  await expect(page.getByText("Escolha o arquivo CSV com provas do extrato.")).toBeVisible()
  await choose(await download("csv"))
  await page.getByRole("button", { name: "Conferir" }).click()
  await expect(page.getByRole("heading", { name: "Este arquivo não tem provas" })).toBeVisible()
  await choose(file)
  await page.getByRole("button", { name: "Conferir" }).focus()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("heading", { name: "Extrato confirmado" })).toBeVisible()
  await expectAccessible(page, "a statement that is proved")
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByLabel("Chave pública")).not.toHaveValue("")
  await choose(file)
  await page.getByRole("button", { name: "Conferir" }).click()
  await expect(page.getByRole("heading", { name: /^Extrato (confirmado|assinado, sem prova)$/ })).toBeVisible()
  await choose(file.replace(";80,00;", ";800,00;"))
  await page.getByRole("button", { name: "Conferir" }).click()
  await expect(page.getByRole("heading", { name: "O extrato não confere" })).toBeVisible()
  await expect(page.getByRole("listitem").filter({ hasText: "não é o que foi selado" })).toHaveCount(1)
  await expectAccessible(page, "a statement that was changed")
})
