import { adjustedDueDay, dayAfter } from "@tilinta/contract/vocabulary/due-amount"
import { expectAccessible } from "./support/accessibility.ts"
import { createCustomer, createInvoice, signUp } from "./support/api.ts"
import { expect, repeatUntil } from "./support/journey.ts"
import { ownServerTest as test } from "./support/own-server.ts"

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date())
/** A business day, on which reminders go in the morning. */
const dueDay = adjustedDueDay({ dueDay: dayAfter(today, 10) })

test.use({ serverFor: "reminders" })

test("customers are reminded on the due day: by mail, once the seller wants it, or by a tap for WhatsApp", {
  tag: "@phone",
}, async ({ page, request }) => {
  const seller = await signUp(request)
  const owing = async (customer: { name: string; email?: string; phone?: string }) =>
    createInvoice(request, seller, { customerId: await createCustomer(request, seller, customer), dueDate: dueDay })
  await owing({ name: "Ana Prado", email: "ana.prado@correio.example" })
  await owing({ name: "Bruno Prado", phone: "11987654321" })
  await page.addInitScript((token) => localStorage.setItem("token", token), seller.token)
  await page.goto("/receivables/reminders")
  await expect(page.getByText("Ninguém para lembrar hoje")).toBeVisible()
  await expectAccessible(page, "nobody to remind")
  await page.getByRole("switch", { name: "1 dia depois do vencimento" }).click()
  await page.getByRole("button", { name: "Mudar texto: No dia do vencimento" }).click()
  await page.getByRole("dialog").getByRole("textbox").fill("Oi, {nome}: hoje vence {valor}.")
  await expectAccessible(page, "a reminder's text")
  await page.getByRole("dialog").getByRole("button", { name: "Salvar texto" }).click()
  await page.getByRole("button", { name: "Ligar os lembretes" }).click()
  await expect(page.getByRole("switch", { name: "Lembrar por e-mail" })).toBeChecked()

  const adiantadoMs = Date.parse(`${dueDay}T10:00:00-03:00`) - Date.now()
  expect((await request.put("/simulador/api/controle/relogio", { data: { adiantadoMs } })).status()).toBe(200)
  const mails = async () => {
    const answer = await request.get("/simulador/api/emails", { params: { to: "ana.prado@correio.example" } })
    return ((await answer.json()) as { emails: { text: string }[] }).emails.map(({ text }) => text)
  }
  await expect.poll(async () => (await mails()).length).toBe(1)
  expect((await mails())[0]).toMatch(/Oi, Ana Prado: hoje vence R\$\s100,00\./)

  const rows = page.getByRole("listitem")
  await repeatUntil(
    () => page.reload(),
    (patience) => expect(rows.filter({ hasText: "Ana Prado" })).toContainText(/e-mail: enviado/i, patience),
  )
  const bruno = rows.filter({ hasText: "Bruno Prado" })
  const link = bruno.getByRole("link", { name: "WhatsApp: lembrar Bruno Prado" })
  expect(decodeURIComponent((await link.getAttribute("href")) ?? "")).toContain("Oi, Bruno Prado: hoje vence")
  await page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "WhatsApp" }))
  await link.click()
  await expect(bruno).toContainText(/WhatsApp: enviado/)
  await expectAccessible(page, "reminders of a day")
  await page.getByRole("link", { name: "Ana Prado", exact: true }).click()
  await expect(page.getByRole("dialog", { name: "Cobrança" })).toContainText("No dia do vencimento")
  await expectAccessible(page, "an invoice that was reminded of")
})
