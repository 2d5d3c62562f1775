import { adjustedDueDay, dayAfter } from "@tilinta/contract/vocabulary/due-amount"
import { expectAccessible } from "./support/accessibility.ts"
import { expect, sellerTest as test, toast } from "./support/journey.ts"

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date())
/** A business day, so that whatever the calendar says the amounts are these. */
const dueDay = adjustedDueDay({ dueDay: dayAfter(today, 20) })
const written = (day: string) => day.split("-").toReversed().join("/")

test("a seller charges a new customer by a day and sees what each day asks, and the customer reads it", {
  tag: "@phone",
}, async ({ page, payer }) => {
  await page.goto("/receivables")
  await expect(page.getByText("Nenhuma cobrança a vencer")).toBeVisible()
  await expectAccessible(page, "nothing to receive")
  await page.getByRole("link", { name: "Cobrar cliente" }).click()
  await expect(page.getByRole("heading", { name: "Cobrar cliente" })).toBeVisible()
  await page.getByRole("button", { name: "Cobrar", exact: true }).click()
  await expect(page.getByText("Informe o cliente")).toBeVisible()

  await page.getByRole("button", { name: "Novo cliente" }).click()
  await page.getByLabel("Nome").fill("Bruno Lima")
  await page.getByLabel("Telefone").fill("11987654321")
  await page.getByLabel("Valor", { exact: true }).fill("100,00")
  await page.getByLabel("Vencimento").fill(dueDay)
  await page.getByRole("button", { name: "Mais opções" }).click()
  await page.getByLabel("Multa por atraso").selectOption({ label: "% do valor" })
  await page.getByLabel("Quanto de multa").fill("2,00")
  await page.getByRole("button", { name: "Dar desconto" }).click()
  await page.getByLabel("Desconto", { exact: true }).fill("5,00")
  await page.getByLabel("Até").fill(dayAfter(today, 5))
  const preview = page.getByRole("region", { name: "Quanto o cliente paga" })
  await expect(preview).toContainText(/Hoje\s*R\$\s95,00/)
  await expect(preview).toContainText(/No vencimento, \d\d\/\d\d\s*R\$\s100,00/)
  await expect(preview).toContainText(/30 dias depois\s*R\$\s102,00/)
  await expectAccessible(page, "an invoice's form")
  await page.getByRole("button", { name: "Cobrar", exact: true }).click()
  await expect(toast(page, "Cobrança criada")).toBeVisible()

  const dialog = page.getByRole("dialog", { name: "Cobrança" })
  await expect(dialog).toContainText("Bruno Lima")
  await expect(dialog).toContainText(`Vencimento${written(dueDay)}`)
  await expectAccessible(page, "an invoice")
  const share = dialog.getByRole("link", { name: "Enviar no WhatsApp" })
  const message = decodeURIComponent((await share.getAttribute("href")) ?? "")
  expect(message).toContain("https://wa.me/5511987654321?text=Olá, Bruno Lima!")
  await payer.goto(/Pague com Pix em (\S+)$/.exec(message)?.[1] ?? "")
  await expect(payer.getByText(`Vence em ${written(dueDay).slice(0, 5)}`)).toBeVisible()
  await expectAccessible(payer, "an invoice's page")
})

test("an invoice is changed, settled outside and cancelled, and its tab says so", async ({ page }) => {
  const invoice = async (name: string) => {
    await page.goto("/receivables/create")
    await page.getByRole("button", { name: "Novo cliente" }).click()
    await page.getByLabel("Nome").fill(name)
    await page.getByLabel("Valor", { exact: true }).fill("80,00")
    await page.getByLabel("Vencimento").fill(dueDay)
    await page.getByRole("button", { name: "Cobrar", exact: true }).click()
    await expect(page.getByRole("dialog", { name: "Cobrança" })).toContainText(name)
  }
  await invoice("Carla Dias")
  await page.getByRole("link", { name: "Editar" }).click()
  await page.getByLabel("Valor", { exact: true }).fill("90,00")
  await page.getByRole("button", { name: "Salvar" }).click()
  const dialog = page.getByRole("dialog", { name: "Cobrança" })
  await expect(dialog.getByRole("region", { name: "Alterações" })).toContainText("R$ 80,00")
  await dialog.getByRole("button", { name: "Recebida por fora" }).click()
  await page.getByLabel("Como você recebeu").fill("Em dinheiro")
  await page.getByRole("button", { name: "Encerrar cobrança" }).click()
  await expect(dialog).toContainText("Em dinheiro")

  await invoice("Davi Reis")
  await page.getByRole("button", { name: "Cancelar cobrança" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancelar cobrança" }).click()
  await expect(toast(page, "Cobrança cancelada")).toBeVisible()
  await page.getByRole("button", { name: "Fechar" }).click()
  await page.getByRole("link", { name: "Encerradas" }).click()
  const table = page.getByRole("table", { name: "Cobranças com vencimento" })
  await expect(table.getByRole("row").filter({ hasText: "Carla Dias" })).toContainText("Recebida por fora")
  await expect(table.getByRole("row").filter({ hasText: "Davi Reis" })).toContainText("Cancelada")
  await page.getByRole("searchbox").fill("carla")
  await expect(table.getByRole("row").filter({ hasText: "Davi Reis" })).toHaveCount(0)
})
