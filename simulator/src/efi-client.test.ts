import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { EfiPay } from "sdk-node-apis-efi"
import { expect, onTestFinished, test } from "vitest"
import { clientId, clientSecret, newTxid, startTestBank } from "../test-support/test-bank.ts"

type Called = Record<string, string> & { valor: Record<string, string> }

/** Efí's own client, its base address replaced. It insists on a certificate, which plain HTTP never shows. */
function efiClient(baseUrl: string) {
  const certificate = { cert_base64: true, certificate: "eA==", pemKey: "eA==" }
  const client = new EfiPay({ sandbox: true, client_id: clientId, client_secret: clientSecret, ...certificate })
  const inside = client as unknown as { resolveRequestContext(name: string): object }
  const resolve = inside.resolveRequestContext.bind(client)
  inside.resolveRequestContext = (name) => ({ ...resolve(name), baseUrl })
  return (name: string, ...args: unknown[]) =>
    (client as unknown as Record<string, (...sent: unknown[]) => Promise<Called>>)[name]?.(...args) as Promise<Called>
}

async function startListener() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (part: string) => heard.push(part))
    request.on("end", () => response.end())
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  onTestFinished(() => void server.close())
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook` }
}

test("Efí's own client asks for Pix, receives, gives back, sends and reads its balance", async () => {
  const bank = await startTestBank()
  const call = efiClient(bank.url)
  const { heard, url: webhookUrl } = await startListener()
  const chave = bank.receiverKey
  await call("pixConfigWebhook", { chave }, { webhookUrl })
  expect(await call("pixDetailWebhook", { chave })).toMatchObject({ webhookUrl })

  const sale = { calendario: { expiracao: 3600 }, valor: { original: "12.34" }, chave, solicitacaoPagador: "Mentoria" }
  const chosen = await call("pixCreateImmediateCharge", sale)
  expect(chosen).toMatchObject({ status: "ATIVA", txid: expect.stringMatching(/^[a-zA-Z0-9]{26,35}$/) })
  const named = await call("pixCreateCharge", { txid: newTxid() }, sale)
  expect((await call("pixDetailCharge", { txid: named["txid"] })).valor).toMatchObject({ original: "12.34" })
  const removed = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }
  expect(await call("pixUpdateCharge", { txid: named["txid"] }, removed)).toMatchObject(removed)

  const paid = await bank.pay(chosen["pixCopiaECola"] ?? "")
  const e2eId = paid.body.endToEndId
  expect(await call("pixDetailReceived", { e2eId })).toMatchObject({ endToEndId: e2eId, valor: "12.34" })
  await expect.poll(() => heard.join("")).toContain(e2eId)
  expect(await call("getAccountBalance", {})).toEqual({ saldo: "12.34" })

  const refund = await call("pixDevolution", { e2eId, id: "devolucao1" }, { valor: "2.34" })
  expect(refund).toMatchObject({ id: "devolucao1", valor: "2.34" })
  const order = { valor: "4.00", pagador: { chave }, favorecido: { chave: "ana@loja.example" } }
  expect(await call("pixSend", { idEnvio: "saque1" }, order)).toMatchObject({ idEnvio: "saque1" })
  expect(await call("pixSendDetailId", { idEnvio: "saque1" })).toMatchObject({ valor: "4.00" })
  expect(await call("getAccountBalance", {})).toEqual({ saldo: "6.00" })
  await call("pixDeleteWebhook", { chave })
})

test("Efí's own client keeps charges with a due day", async () => {
  const bank = await startTestBank()
  const call = efiClient(bank.url)
  const txid = newTxid()
  const dueDay = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  const address = { logradouro: "Rua do Sol, 5", cidade: "Recife", uf: "PE", cep: "50010000" }
  const invoice = {
    calendario: { dataDeVencimento: dueDay, validadeAposVencimento: 30 },
    devedor: { ...address, cpf: "12345678909", nome: "Francisco da Silva" },
    valor: {
      original: "123.45",
      multa: { modalidade: 2, valorPerc: "15.00" },
      juros: { modalidade: 2, valorPerc: "2.00" },
      desconto: { modalidade: 1, descontoDataFixa: [{ data: dueDay, valorPerc: "30.00" }] },
    },
    chave: bank.receiverKey,
    solicitacaoPagador: "Cobrança dos serviços prestados.",
  }
  const made = await call("pixCreateDueCharge", { txid }, invoice)
  expect(made).toMatchObject({ txid, status: "ATIVA", revisao: 0, loc: { tipoCob: "cobv" } })
  const revised = await call("pixUpdateDueCharge", { txid }, { valor: { original: "100.00" } })
  expect(revised).toMatchObject({ revisao: 1, valor: { original: "100.00" }, pixCopiaECola: made["pixCopiaECola"] })

  const paid = await bank.pay(made["pixCopiaECola"] ?? "")
  expect(await call("pixDetailReceived", { e2eId: paid.body.endToEndId })).toMatchObject({
    txid,
    valor: "70.00",
    componentesValor: { original: { valor: "100.00" }, desconto: { valor: "30.00" } },
  })
  expect(await call("pixDetailDueCharge", { txid })).toMatchObject({ status: "CONCLUIDA", pix: [{ valor: "70.00" }] })
})

test("Efí's own client authorises a recurrence and debits its first cycle", async () => {
  const bank = await startTestBank()
  const call = efiClient(bank.url)
  await bank.call("PUT", "/simulador/api/controle", { liquidacaoMs: 0 })
  const { heard, url: webhookUrl } = await startListener()
  await call("pixConfigWebhookRecurrenceAutomatic", { webhookUrl })
  await call("pixConfigWebhookAutomaticCharge", { webhookUrl })
  expect(await call("pixListWebhookAutomaticCharge")).toMatchObject({ webhookUrl })

  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const location = await call("pixCreateLocationRecurrenceAutomatic")
  const rec = await call("pixCreateRecurrenceAutomatic", {
    vinculo: { contrato: "contrato-1", devedor: { cpf: "52998224725", nome: "Bruno Lima" }, objeto: "Assinatura" },
    calendario: { dataInicial: day(8), periodicidade: "SEMANAL" },
    valor: { valorRec: "49.90" },
    politicaRetentativa: "NAO_PERMITE",
    loc: location["id"],
  })
  const idRec = rec["idRec"]
  const { dadosQR } = (await call("pixDetailRecurrenceAutomatic", { idRec })) as unknown as {
    dadosQR: { pixCopiaECola: string }
  }
  await bank.pay(dadosQR.pixCopiaECola)
  await expect.poll(() => heard.join("")).toContain('"APROVADA"')
  const debit = await call(
    "pixCreateAutomaticChargeTxid",
    { txid: newTxid() },
    {
      idRec,
      calendario: { dataDeVencimento: day(8) },
      valor: { original: "49.90" },
      ajusteDiaUtil: false,
      recebedor: { agencia: "0001", conta: "1234567", tipoConta: "PAGAMENTO" },
    },
  )
  const txid = debit["txid"]
  expect(await call("pixDetailAutomaticCharge", { txid })).toMatchObject({ status: "ATIVA" })
  expect(await call("pixUpdateAutomaticCharge", { txid }, { status: "CANCELADA" })).toMatchObject({
    status: "CANCELADA",
  })
  expect(await call("pixUpdateRecurrenceAutomatic", { idRec }, { status: "CANCELADA" })).toMatchObject({
    status: "CANCELADA",
  })
  await call("pixDeleteWebhookRecurrenceAutomatic")
})
