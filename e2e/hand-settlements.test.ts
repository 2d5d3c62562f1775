import { embeddedUrl, query } from "../lab/crash-tests/embedded-books.ts"
import { expectAccessible } from "./support/accessibility.ts"
import {
  addAdmin,
  changeRole,
  createPaidPage,
  decideWithdrawal,
  receiveStray,
  requestWithdrawal,
  type Seller,
  setBankFaults,
  settleByHand,
} from "./support/api.ts"
import { expect } from "./support/journey.ts"
import { adminTest } from "./support/own-server.ts"

const byPix = { amount: 30, paymentMethod: "pix", pixKey: "123e4567-e89b-12d3-a456-426614174000" }
const endToEndId = "E9999999920261121120012345678901"
const listOf = ({ email }: Seller) => `/admin/withdrawals?search=${encodeURIComponent(email)}`

interface Fixtures {
  /** A second administrator, for as long as the test runs. */
  carla: Seller
  /** Moves what was handed to the bank a day into the past, once there is something. */
  passADay(table: "withdrawals" | "refunds", id: string): Promise<void>
}

const handedOver = { withdrawals: "sent_at", refunds: "created_at" }

const test = adminTest.extend<Fixtures>({
  carla: async ({ request }, use) => {
    await setBankFaults(request, { liquidacaoMs: 600_000 })
    const carla = await addAdmin(request, "Carla Dias")
    await use(carla)
    await changeRole(request, carla, "user")
    await setBankFaults(request, { liquidacaoMs: 0 })
  },
  passADay: async ({ installation }, use) => {
    const databaseUrl = await embeddedUrl(installation.dataDir)
    await use(async (table, id) => {
      const column = handedOver[table]
      const aged = `update ${table} set ${column} = ${column} - interval '1 day', sending_at = null
        where id = $1 and status = 'processing' and sending_at is not null returning id`
      await expect.poll(() => query(databaseUrl, aged, [id])).toHaveLength(1)
    })
  },
})

test("a payout that the bank doesn't answer for is settled by two administrators, by keyboard", {
  tag: "@soak-on-a-phone",
}, async ({ page, seller, carla, request, passADay }) => {
  await createPaidPage(request, seller)
  const { _id } = await requestWithdrawal(request, seller, byPix)
  await decideWithdrawal(request, { _id }, "approve")
  await passADay("withdrawals", _id)
  await page.goto(listOf(seller))
  await expect(page.getByRole("table", { name: "Saques" })).toContainText("Sem resposta do banco")
  await page.getByRole("table", { name: "Saques" }).getByRole("link").focus()
  await page.keyboard.press("Enter")
  const details = page.getByRole("dialog", { name: "Saque", exact: true })
  await expect(details.getByRole("region", { name: "Resolução manual" })).toContainText("O banco não responde")
  await expectAccessible(page, "a payout without an answer")

  await details.getByRole("button", { name: "Resolver manualmente" }).press("Enter")
  const question = page.getByRole("alertdialog", { name: "Resolver saque manualmente?" })
  await expect(question.getByRole("button", { name: "Voltar" })).toBeFocused()
  await question.getByRole("button", { name: "Resolver" }).press("Enter")
  await expect(question).toContainText("Diga se foi pago ou não.")
  await expect(question).toContainText("Escreva o motivo")
  await question.getByRole("radio", { name: "Não foi pago" }).press("Space")
  await expect(question).toContainText(/R\$\s30,00 voltam na hora ao saldo de Ana Souza/)
  await page.keyboard.press("ArrowLeft")
  await expect(question).toContainText(/R\$\s30,00 não voltam ao saldo de Ana Souza/)
  await question.getByLabel("ID do Pix (endToEndId)").fill("E1")
  await question.getByLabel("Motivo").fill("O extrato do banco mostra o Pix.")
  await expect(question).toContainText("começa com E ou D e tem 32 caracteres")
  await question.getByLabel("ID do Pix (endToEndId)").fill(endToEndId)
  await expectAccessible(page, "a payout settled by hand")

  await page.keyboard.press("Escape")

  const reason = "O extrato do banco mostra o Pix das 14h12."
  await settleByHand(request, `withdrawals/${_id}`, carla, { outcome: "paid", endToEndId, reason })
  await page.reload()
  await expect(page.getByText("Espera outro administrador").filter({ visible: true }).first()).toBeAttached()
  const said = details.getByRole("region", { name: "Resolução manual" })
  await expect(said).toContainText(/Carla Dias disse em .*: foi pago, com o ID E9999/)
  await expect(said).toContainText("Motivo: O extrato do banco mostra o Pix das 14h12.")
  await expect(details.getByRole("button", { name: "Dizer outra coisa" })).toBeVisible()
  await expectAccessible(page, "a payout that waits for a second administrator")
  await details.getByRole("button", { name: "Confirmar" }).press("Enter")
  await expect(question).toContainText("Carla Dias disse: foi pago")
  await question.getByLabel("Motivo").fill("Vi o mesmo")
  await expectAccessible(page, "a word that is confirmed")
  await question.getByRole("button", { name: "Confirmar que foi pago" }).press("Enter")
  await expect(question).toHaveCount(0)
  await expect(details).toContainText("Concluído")
  await expect(details.getByRole("button", { name: "Resolver manualmente" })).toHaveCount(0)
})

test("a refund that the bank doesn't answer for is settled where it is shown", { tag: "@soak-on-a-phone" }, async ({
  page,
  seller,
  carla,
  request,
  passADay,
}) => {
  await createPaidPage(request, seller)
  const headers = { Authorization: `Bearer ${seller.token}` }
  const list = await (await request.get("/api/v1/payments/transactions", { headers })).json()
  const { _id } = list.data.transactions[0]
  const path = `/api/v1/payments/transactions/${_id}/refunds`
  const { data } = await (await request.post(path, { headers, data: { amount: 40 } })).json()
  await passADay("refunds", data.refund._id)
  await page.goto(`/admin/transactions?transaction=${_id}`)
  const details = page.getByRole("dialog", { name: "Detalhes da transação" })
  await details.getByRole("button", { name: "Resolver manualmente" }).press("Enter")
  const question = page.getByRole("alertdialog", { name: "Resolver estorno manualmente?" })
  await question.getByRole("radio", { name: "Não foi pago" }).press("Space")
  await expect(question).toContainText(/R\$\s40,00 voltam na hora ao saldo de Ana Souza, menos a parte da taxa/)
  await expectAccessible(page, "a refund settled by hand")
  await page.keyboard.press("Escape")

  const reason = "O banco diz que não devolveu."
  await settleByHand(request, `refunds/${data.refund._id}`, carla, { outcome: "not_paid", reason })
  await page.reload()
  await expect(details.getByRole("region", { name: "Resolução manual" })).toContainText("não foi pago")
  await expectAccessible(page, "a refund that waits for a second administrator")
  await details.getByRole("button", { name: "Confirmar" }).press("Enter")
  await question.getByLabel("Motivo").fill("O banco encerrou a conta")
  await question.getByRole("button", { name: "Confirmar que não foi pago" }).press("Enter")
  await expect(question).toHaveCount(0)
  await expect(details.getByRole("button", { name: "Resolver manualmente" })).toHaveCount(0)
  await expect
    .poll(async () => (await (await request.get(path, { headers })).json()).data.refunds[0].status)
    .toBe("refused")
})

test("a return that the bank doesn't answer for is settled where the payment is", { tag: "@desktop" }, async ({
  page,
  carla,
  request,
  passADay,
}) => {
  const endToEndId = await receiveStray(request, "25.00")
  const headers = { Authorization: `Bearer ${carla.token}` }
  const list = "/api/v1/admin/unmatched-payments"
  const { data } = await (await request.get(list, { headers, params: { search: endToEndId } })).json()
  const { _id } = data.payments[0]
  const asked = await (await request.patch(`${list}/${_id}/return`, { headers, data: {} })).json()
  await passADay("refunds", asked.data.payment.refund._id)
  await page.goto(`/admin/unmatched-payments?status=resolved&search=${endToEndId}`)
  const table = page.getByRole("table", { name: "Pagamentos a conferir" })
  await expect(table).toContainText("Sem resposta do banco")
  await table.getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Pagamento a conferir" })
  await details.getByRole("button", { name: "Resolver manualmente" }).click()
  const question = page.getByRole("alertdialog", { name: "Resolver estorno manualmente?" })
  await question.getByRole("radio", { name: "Não foi pago" }).press("Space")
  await expect(question).toContainText(/O pagamento de R\$\s25,00 espera de novo uma decisão/)
  await expectAccessible(page, "a return settled by hand")
  await page.keyboard.press("Escape")

  const reason = "O banco diz que não devolveu."
  await settleByHand(request, `refunds/${asked.data.payment.refund._id}`, carla, { outcome: "not_paid", reason })
  await page.reload()
  await details.getByRole("button", { name: "Confirmar" }).click()
  await question.getByLabel("Motivo").fill("Vi o mesmo")
  await question.getByRole("button", { name: "Confirmar que não foi pago" }).click()
  await expect(details.getByRole("button", { name: "Devolver" })).toBeVisible()
  await expect(details).not.toContainText("Recusado pelo banco")
})
