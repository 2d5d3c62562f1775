import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { changeShop, createCustomer, createInvoice } from "./support/api.ts"
import { expect, sellerTest, toast } from "./support/journey.ts"

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name })

sellerTest("a seller enters a customer, changes, archives and restores them", async ({ page, complaints }) => {
  complaints.expect(/409 .*customers/)
  await page.goto("/customers")
  await expect(page.getByText("Você ainda não cadastrou nenhum cliente")).toBeVisible()
  await expectAccessible(page, "no customers")
  await page.getByRole("button", { name: "Novo cliente" }).click()
  await expect(page).toHaveURL(/open=new/)
  const form = dialog(page, "Novo cliente")
  await expect(form.getByLabel("Nome")).toBeFocused()
  await form.getByRole("button", { name: "Cadastrar" }).click()
  await expect(form.getByLabel("Nome")).toHaveAccessibleDescription("Nome é obrigatório")
  // The form gives the focus to its first mistake once more, a moment later: what is typed just then would go there.
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
  await form.getByLabel("CPF ou CNPJ").fill("11111111111")
  await form.getByRole("button", { name: "Cadastrar" }).click()
  await expect(form.getByLabel("CPF ou CNPJ")).toHaveAccessibleDescription("CPF inválido")
  await expectAccessible(page, "new customer with mistakes")
  await form.getByLabel("Nome").fill("Bruno Lima")
  await form.getByLabel("CPF ou CNPJ").fill("52998224725")
  await form.getByLabel("Telefone").fill("11987654321")
  await form.getByText("Endereço, referência e anotações").click()
  await form.getByLabel("Cidade").fill("Recife")
  await form.getByLabel("Anotações").fill("Prefere WhatsApp")
  await expectAccessible(page, "new customer, whole")
  await form.getByRole("button", { name: "Cadastrar" }).click()
  await expect(toast(page, "Cliente cadastrado")).toBeVisible()

  await page.getByRole("button", { name: "Novo cliente" }).click()
  await form.getByLabel("Nome").fill("Outro Bruno")
  await form.getByLabel("CPF ou CNPJ").fill("52998224725")
  await form.getByRole("button", { name: "Cadastrar" }).click()
  await expect(form.getByLabel("CPF ou CNPJ")).toHaveAccessibleDescription(
    "Você já tem um cliente com este CPF ou CNPJ.",
  )
  await page.keyboard.press("Escape")

  await expectAccessible(page, "customers")
  await page.getByRole("link", { name: /Bruno Lima/ }).click()
  await expect(page.getByRole("heading", { name: "Bruno Lima" })).toBeVisible()
  await expect(page.getByText("529.982.247-25")).toBeVisible()
  await expect(page.getByText("Prefere WhatsApp")).toBeVisible()
  await expectAccessible(page, "a customer")
  await page.getByRole("button", { name: "Editar" }).click()
  await dialog(page, "Editar cliente").getByLabel("E-mail").fill("bruno@exemplo.com.br")
  await dialog(page, "Editar cliente").getByRole("button", { name: "Salvar" }).click()
  await expect(toast(page, "Cliente salvo")).toBeVisible()
  await expect(page.getByText("bruno@exemplo.com.br")).toBeVisible()

  await page.getByRole("button", { name: "Arquivar" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Arquivar" }).click()
  await expect(toast(page, "Cliente arquivado")).toBeVisible()
  await page.getByRole("link", { name: "Voltar aos clientes" }).click()
  await expect(page.getByText("Você ainda não cadastrou nenhum cliente")).toBeVisible()
  await page.goto("/customers?status=archived")
  await page.getByRole("link", { name: /Bruno Lima/ }).click()
  await page.getByRole("button", { name: "Reativar" }).click()
  await expect(toast(page, "Cliente reativado")).toBeVisible()
})

sellerTest("who has a phone is reminded by WhatsApp, and found by the search", async ({ page, seller, request }) => {
  await changeShop(request, seller, { name: "Doces da Ana" })
  const id = await createCustomer(request, seller, { name: "Carla Dias", phone: "11987654321" })
  await createCustomer(request, seller, { name: "Dora", email: "dora@exemplo.com.br" })
  await page.goto(`/customers/${id}`)
  await expect(page.getByText("Nenhuma cobrança ainda")).toBeVisible()
  const greeting = page.getByRole("link", { name: "Falar pelo WhatsApp" })
  await expect(greeting).toHaveAttribute(
    "href",
    /^https:\/\/wa\.me\/5511987654321\?text=Ol%C3%A1%2C%20Carla!%20Aqui%20%C3%A9%20Doces%20da%20Ana/,
  )
  await createInvoice(request, seller, { customerId: id, dueDate: "2031-03-10", description: "Aula de março" })
  await page.reload()
  const reminder = page.getByRole("link", { name: "Lembrar pelo WhatsApp" })
  await expect(reminder).toHaveAttribute("href", /^https:\/\/wa\.me\/5511987654321\?.*checkout/)
  await expect(page.getByLabel("Resumo")).toContainText("R$ 100,00")
  await expectAccessible(page, "a customer who owes")
  await page.getByRole("link", { name: /Aula de março/ }).click()
  await expect(page).toHaveURL(/receivables\?.*invoice=/)
  await expect(page.getByRole("dialog")).toContainText("Carla Dias")

  await page.goto("/customers")
  const dora = page.getByRole("row").filter({ hasText: "Dora" })
  await expect(dora).toBeVisible()
  await page.getByRole("searchbox").fill("(11) 98765-4321")
  await expect(dora).toHaveCount(0)
  await expect(page.getByRole("row").filter({ hasText: "Carla Dias" })).toContainText("R$ 100,00")
  await expectAccessible(page, "customers of whom one owes")
  await page.keyboard.press("Control+k")
  await dialog(page, "Buscar").getByRole("combobox").fill("dora@ex")
  await dialog(page, "Buscar").getByRole("option", { name: /Dora/ }).click()
  await expect(page.getByRole("heading", { name: "Dora" })).toBeVisible()
  await expect(page.getByRole("link", { name: /WhatsApp/ })).toHaveCount(0)
})

sellerTest(
  "of many instalments the one due first is reminded of, and comes first",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    const customerId = await createCustomer(request, seller, { name: "Carla Dias", phone: "11987654321" })
    for (let month = 1; month <= 12; month++) {
      const dueDate = `2030-${String(month).padStart(2, "0")}-10`
      await createInvoice(request, seller, { customerId, dueDate, description: `Parcela ${month}` })
    }
    await page.goto(`/customers/${customerId}`)
    await expect(page.getByRole("link", { name: "Lembrar pelo WhatsApp" })).toHaveAttribute(
      "href",
      /\(Parcela%201\).*10%2F01%2F2030/,
    )
    await expect(
      page
        .getByRole("table")
        .getByRole("link", { name: /^Parcela/ })
        .first(),
    ).toHaveText("Parcela 1")
  },
)

sellerTest("a spreadsheet's customers are looked over before they are entered", async ({ page, seller, request }) => {
  await createCustomer(request, seller, { name: "Carla Dias", email: "carla@exemplo.com.br" })
  await page.goto("/customers?open=new")
  await dialog(page, "Novo cliente").getByRole("link", { name: "Importe a sua planilha" }).click()
  await expect(page.getByRole("heading", { name: "Importar clientes" })).toBeVisible()
  await expectAccessible(page, "import")
  const file = page.getByLabel("Arquivo de clientes")
  const send = (text: string) =>
    file.setInputFiles({
      name: "alunos.csv",
      mimeType: "application/vnd.ms-excel",
      buffer: Buffer.from(text, "latin1"),
    })
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Baixar modelo" }).click(),
  ])
  expect(download.suggestedFilename()).toBe("clientes.csv")

  await send("Nome;E-mail;Turma\r\nJoão;joao@;A\r\nZélia;zelia@exemplo.com.br;A\r\nCarla;carla@exemplo.com.br;B\r\n")
  await expect(page.getByText("1 cliente novo · 1 já cadastrado · 1 linha com erro")).toBeVisible()
  const table = page.getByRole("table", { name: "Linhas do arquivo" })
  await expect(table.getByRole("row").filter({ hasText: "João" })).toContainText("E-mail inválido")
  await expect(page.getByText("Colunas que não serão importadas: Turma.")).toBeVisible()
  await expectAccessible(page, "preview of an import")
  await page.getByRole("button", { name: "Importar 1 cliente" }).click()
  await expect(toast(page, "1 cliente importado")).toBeVisible()
  await expect(page).toHaveURL(/\/customers$/)
  await expect(page.getByRole("link", { name: /Zélia/ })).toBeVisible()
})

sellerTest(
  "a file that is no list of customers says what is wrong",
  { tag: "@desktop" },
  async ({ page, complaints }) => {
    complaints.expect(/422 .*customers\/import/)
    await page.goto("/customers/import")
    await page
      .getByLabel("Arquivo de clientes")
      .setInputFiles({ name: "foto.csv", mimeType: "text/csv", buffer: Buffer.from("a;b\n1;2") })
    await expect(page.getByRole("alert").getByText(/A primeira linha deve ter os nomes das colunas/)).toBeVisible()
  },
)
