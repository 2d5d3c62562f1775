import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage } from "./support/api.ts"
import { expect, toast } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"

const title = "Sorteio de um carro"

test("a payer reports a page, an administrator suspends it and opens it again", { tag: "@soak-on-a-phone" }, async ({
  page,
  payer,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/404 .*\/checkout\//)
  const charge = await createChargePage(request, seller, { title })
  await page.goto("/admin/page-reports")
  await expect(page.getByText("Nenhuma denúncia espera decisão")).toBeVisible()
  await expectAccessible(page, "no page reports")

  await payer.goto(`/checkout/${charge.uniqueLink}`)
  await payer.getByRole("link", { name: "Denunciar esta página" }).click()
  await payer.getByLabel("Golpe ou cobrança falsa").check()
  await expectAccessible(payer, "a page that is being reported")
  await payer.getByRole("button", { name: "Enviar denúncia" }).click()
  await expect(payer.getByRole("heading", { name: "Denúncia recebida" })).toBeVisible()
  await expectAccessible(payer, "a page that was reported")

  await page.reload()
  const report = page.getByRole("listitem", { name: title })
  await expect(report).toContainText("1 denúncia")
  await expectAccessible(page, "page reports")
  await report.getByRole("button", { name: "Suspender página" }).focus()
  await page.keyboard.press("Enter")
  const question = page.getByRole("alertdialog", { name: "Suspender página?" })
  await expect(question.getByRole("button", { name: "Voltar" })).toBeFocused()
  await question.getByLabel("Motivo dito ao vendedor").selectOption("Produto ou serviço ilegal")
  await expectAccessible(page, "question before a page is suspended")
  await question.getByRole("button", { name: "Suspender página" }).click()
  await expect(toast(page, "Página suspensa.")).toBeVisible()
  await expect(report).toBeHidden()

  await payer.goto(`/checkout/${charge.slug}`)
  await expect(payer.getByRole("heading", { name: "Página suspensa" })).toBeVisible()
  await expect(payer.getByText("Pagamento Seguro")).toBeHidden()
  await expectAccessible(payer, "a suspended page")

  await payer.goto("/login")
  await payer.evaluate((token) => localStorage.setItem("token", token), seller.token)
  await payer.goto("/checkouts")
  await expect(payer.getByRole("table").getByText("Suspensa")).toBeVisible()
  await payer.getByRole("link", { name: title }).click()
  await expect(payer.getByRole("heading", { name: "Esta página está suspensa" })).toBeVisible()
  await expect(payer.getByText("Produto ou serviço ilegal")).toBeVisible()
  await expectAccessible(payer, "a seller's suspended page")
  await payer.getByRole("link", { name: /^Avisos: 1 novo/ }).click()
  await expect(payer.getByRole("heading", { name: `Sua página foi suspensa: ${title}` })).toBeVisible()
  await expectAccessible(payer, "notices")
  await payer.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
  await payer.getByRole("link", { name: `Sua página foi suspensa: ${title}` }).click()
  await expect(payer.getByRole("heading", { name: "Esta página está suspensa" })).toBeVisible()
  expect(await payer.evaluate(() => "isSameDocument" in globalThis)).toBe(true)

  await page.getByLabel("Status").selectOption("Páginas suspensas")
  await report.getByRole("button", { name: "Retirar suspensão" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Retirar suspensão" }).click()
  await expect(toast(page, "Suspensão retirada.")).toBeVisible()
  await payer.goto(`/checkout/${charge.slug}`)
  await expect(payer.getByRole("button", { name: "Gerar PIX Instantâneo" })).toBeVisible()
})

const approvals = [
  {
    _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27",
    act: "setting.change",
    subject: { _id: "TRANSACTION_FEE_PERCENTAGE", name: "TRANSACTION_FEE_PERCENTAGE" },
    changes: [{ field: "value", before: 15, after: 12 }],
    askedBy: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bruno Dias" },
    askedAt: "2026-11-21T12:00:00.000Z",
    expiresAt: "2026-11-23T12:00:00.000Z",
  },
]

test("what waits for a second administrator is for everybody", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/500 .*\/admin\/approvals/)
  await page.goto("/admin/approvals")
  await expect(page.getByText("Nada espera aprovação")).toBeVisible()
  await expectAccessible(page, "no approvals")
  const answered = { status: "success", data: { approvals, summary: { waiting: 1, own: 0 } } }
  await page.route("**/api/v1/admin/approvals", (route) => route.fulfill({ json: answered }))
  const waiting = { unmatchedPayments: 0, disputes: 0, pageReports: 0, approvals: 1, manualEntries: 0 }
  await page.route("**/api/v1/admin/pending-counts", (route) =>
    route.fulfill({ json: { status: "success", data: waiting } }),
  )
  await page.reload()
  await expect(page.getByRole("listitem", { name: /TRANSACTION_FEE_PERCENTAGE/ })).toBeVisible()
  await expect(page.getByRole("link", { name: /^Aprovações.*1 espera você/ })).toBeVisible()
  const entry = page
    .getByRole("navigation", { name: "Principal" })
    .getByRole("link", { name: /^Pendências.*1 espera você/ })
  await expect(entry).toHaveAttribute("href", "/admin/approvals")
  await expectAccessible(page, "approvals")
  await page.getByRole("main").getByRole("button", { name: "Aprovar" }).click()
  await expect(page.getByRole("alertdialog")).toBeVisible()
  await expectAccessible(page, "question before an approval")
  await page.unrouteAll()
  await page.route("**/api/v1/admin/approvals", (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByRole("alert")).toContainText("Erro ao carregar aprovações")
  await expectAccessible(page, "approvals that can't be loaded")
})
