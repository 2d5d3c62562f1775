import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { saoPauloDay } from "#kit/clock"
import { newDueTxid } from "#kit/ids"
import type { Psp } from "#psp/psp"
import { openConformity } from "../../../../simulator/test-support/conformity.ts"
import { startRecordingProxy } from "../../../../simulator/test-support/recording-proxy.ts"
import {
  basic,
  chargeBody,
  clientId,
  clientSecret,
  newTxid,
  startTestBank,
  startWebhookReceiver,
  type TestBank,
} from "../../../../simulator/test-support/test-bank.ts"
import { apiPixOptions } from "../../../test-support/api-pix-options.ts"
import { automaticTools } from "../../../test-support/automatic-pix.ts"
import { createApiPixPsp } from "./api-pix-psp.ts"

const conformity = await openConformity()

async function openRecordedBank() {
  const bank = await startTestBank()
  const proxy = await startRecordingProxy(`${bank.url}/v2`)
  const receiver = { key: bank.receiverKey, name: "Loja da Ana", city: "Recife" }
  const options = { baseUrl: proxy.url, tokenUrl: `${bank.url}/oauth/token`, clientId, clientSecret, receiver }
  const psp = createApiPixPsp(apiPixOptions(options))
  await bank.call("PUT", "/simulador/api/controle", { liquidacaoMs: 0 })
  return { bank, proxy, psp }
}

const request = () => ({
  txid: newTxid(),
  amountCents: 10_000 as Cents,
  expiresInSeconds: 3600,
  description: "Mentoria",
})

test("all requests of the adapter, and all answers and callbacks of the simulator, conform to the Central Bank's document", async () => {
  const { bank, proxy, psp } = await openRecordedBank()
  const receiver = await startWebhookReceiver()
  await psp.registerWebhook(receiver.url)
  await useAll(bank, psp)
  await receiver.isReached(3)
  await askTheRest(bank, proxy.url)
  // Last of all, because it moves the bank's clock beyond its tokens.
  await useAutomatic(bank, psp, { url: proxy.url, webhookUrl: receiver.url })
  await receiver.isReached(12)

  const outside = proxy.exchanges.filter((exchange) => conformity.nameOf(exchange) === null)
  // The document knows no 401, which the adapter gets once the bank's clock is beyond its token.
  const inside = proxy.exchanges.filter((exchange) => conformity.nameOf(exchange) !== null && exchange.status !== 401)
  expect(inside.flatMap(conformity.violationsOf)).toEqual([])
  expect(receiver.received.flatMap(({ body }) => conformity.violationsOfCallback(body))).toEqual([])
  expect(new Set(inside.map(conformity.nameOf))).toEqual(new Set(everythingStandard))
  // Payouts are not part of the standard: these calls are Efí's.
  expect(outside.map(({ method, path }) => `${method} ${path.replace(/[^/]+$/, "")}`)).toEqual([
    "PUT /gn/pix/",
    "GET /gn/pix/enviados/id-envio/",
  ])
})

const everythingStandard = [
  "PUT /cob/{txid} 201",
  "PUT /cob/{txid} 400",
  "PUT /cob/{txid} 403",
  "PUT /cob/{txid} 503",
  "PATCH /cob/{txid} 200",
  "PATCH /cob/{txid} 400",
  "PATCH /cob/{txid} 404",
  "GET /cob/{txid} 200",
  "GET /cob/{txid} 404",
  "GET /cob 200",
  "PUT /cobv/{txid} 201",
  "PUT /cobv/{txid} 400",
  "PATCH /cobv/{txid} 200",
  "PATCH /cobv/{txid} 400",
  "PATCH /cobv/{txid} 404",
  "GET /cobv/{txid} 200",
  "GET /cobv/{txid} 404",
  "GET /cobv 200",
  "POST /locrec 201",
  "GET /locrec 200",
  "GET /locrec/{id} 200",
  "GET /locrec/{id} 404",
  "DELETE /locrec/{id}/idRec 200",
  "POST /rec 201",
  "POST /rec 400",
  "PATCH /rec/{idRec} 200",
  "PATCH /rec/{idRec} 400",
  "PATCH /rec/{idRec} 404",
  "GET /rec/{idRec} 200",
  "GET /rec/{idRec} 400",
  "GET /rec/{idRec} 404",
  "GET /rec 200",
  "POST /solicrec 201",
  "POST /solicrec 400",
  "GET /solicrec/{idSolicRec} 200",
  "GET /solicrec/{idSolicRec} 404",
  "PATCH /solicrec/{idSolicRec} 201",
  "PATCH /solicrec/{idSolicRec} 400",
  "PUT /cobr/{txid} 201",
  "PUT /cobr/{txid} 400",
  "POST /cobr 201",
  "PATCH /cobr/{txid} 200",
  "PATCH /cobr/{txid} 400",
  "PATCH /cobr/{txid} 404",
  "GET /cobr/{txid} 200",
  "GET /cobr/{txid} 404",
  "GET /cobr 200",
  "POST /cobr/{txid}/retentativa/{data} 201",
  "POST /cobr/{txid}/retentativa/{data} 400",
  "PUT /webhookrec 200",
  "PUT /webhookrec 400",
  "GET /webhookrec 200",
  "GET /webhookrec 404",
  "DELETE /webhookrec 204",
  "PUT /webhookcobr 200",
  "GET /webhookcobr 200",
  "GET /webhookcobr 404",
  "DELETE /webhookcobr 204",
  "GET /pix 200",
  "GET /pix/{e2eid} 200",
  "GET /pix/{e2eid} 404",
  "PUT /pix/{e2eid}/devolucao/{id} 201",
  "PUT /pix/{e2eid}/devolucao/{id} 400",
  "GET /pix/{e2eid}/devolucao/{id} 200",
  "GET /pix/{e2eid}/devolucao/{id} 404",
  "PUT /webhook/{chave} 200",
  "PUT /webhook/{chave} 400",
  "GET /webhook/{chave} 200",
  "GET /webhook/{chave} 404",
  "DELETE /webhook/{chave} 204",
  "GET /webhook 200",
]

/** Every call of the adapter, with each of its outcomes. */
async function useAll(bank: TestBank, psp: Psp): Promise<void> {
  const [paid, open] = [request(), request()]
  const { pixCode } = await psp.createCharge(paid)
  await psp.createCharge({ ...open, description: "" })
  await bank.pay(pixCode)
  expect(await psp.removeCharge(paid.txid)).toBe("paid")
  expect(await psp.removeCharge(open.txid)).toBe("removed")
  expect(await psp.removeCharge(newTxid())).toBe("absent")
  await useDueCharges(bank, psp)
  const [receipt] = await psp.findReceiptsOfCharge(paid.txid)
  const endToEndId = receipt?.endToEndId ?? ""
  expect(await psp.findReceipt(endToEndId)).toMatchObject({ txid: paid.txid, amountCents: 10_000 })
  expect(await psp.findReceipt(`E99999999202601010000${"x".repeat(11)}`)).toBeNull()

  const name = { endToEndId, pspRefundId: "r1" }
  expect(await psp.findRefund(name)).toBeNull()
  await psp.requestRefund({ ...name, amountCents: 100 as Cents, description: "Produto devolvido" })
  expect(await psp.findRefund(name)).toMatchObject({ state: "completed" })
  const tooMuch = { endToEndId, pspRefundId: "r2", amountCents: 10_000 as Cents, description: "" }
  expect(await psp.requestRefund(tooMuch)).toMatchObject({ state: "refused" })
  await bank.call("POST", "/simulador/api/devolucoes", { endToEndId, valor: "1.00" })

  await Promise.all(
    Array.from({ length: 101 }, () => bank.call("POST", "/simulador/api/recebimentos", { valor: "7.00" })),
  )
  const window = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) }
  expect((await Array.fromAsync(psp.listReceipts(window))).map((receipts) => receipts.length)).toEqual([103])
  await Array.fromAsync(psp.listReceipts({ ...window, isNarrow: true }))
  if (psp.listRefundedReceipts !== null) await Array.fromAsync(psp.listRefundedReceipts(window))

  await psp.payouts?.send({
    payoutId: "saque1",
    pixKey: { kind: "email", key: "ana@loja.example" },
    amountCents: 100 as Cents,
    description: "Saque",
  })
  await psp.payouts?.find("saque1")
}

async function useDueCharges(bank: TestBank, psp: Psp): Promise<void> {
  const day = (ahead: number) => saoPauloDay(new Date(Date.now() + ahead * 86_400_000))
  const terms: DueTerms = {
    amountCents: 10_000 as Cents,
    dueDay: day(5),
    daysAfterDue: 30,
    fine: { basisPoints: 200 },
    interest: { share: { basisPoints: 100 }, per: "month", counting: "calendar" },
    discount: { until: [{ day: day(2), share: { cents: 500 as Cents } }] },
  }
  const address = { street: "Rua do Sol", number: "5", city: "Recife", state: "PE", zipCode: "50010-000" }
  const debtor = { name: "Bruno Lima", document: "52998224725", address }
  const due = () => ({ txid: newDueTxid(new Date()), terms, debtor, description: "Mensalidade" })
  const [paid, open] = [due(), due()]
  const pixCode = (await psp.dueCharges?.create(paid))?.pixCode ?? ""
  expect(await psp.dueCharges?.create(paid)).toEqual({ pixCode })
  await psp.dueCharges?.create({ ...open, debtor: { ...debtor, document: "12ABC34501DE35" } })
  expect(await psp.dueCharges?.revise({ ...paid, terms: { ...terms, amountCents: 9_000 as Cents } })).toBe("revised")
  const retyped = {
    ...terms,
    fine: { cents: 200 as Cents },
    discount: { until: [{ day: day(2), share: { basisPoints: 500 } }] },
  }
  expect(await psp.dueCharges?.revise({ ...open, terms: retyped })).toBe("revised")
  await bank.pay(pixCode)
  expect(await psp.dueCharges?.revise({ ...paid, terms: { ...terms, amountCents: 8_000 as Cents } })).toBe("paid")
  expect(await psp.removeCharge(paid.txid)).toBe("paid")
  expect(await psp.removeCharge(open.txid)).toBe("removed")
  expect(await psp.dueCharges?.revise(open)).toBe("ended")
  expect(await psp.removeCharge(due().txid)).toBe("absent")
  expect(await psp.dueCharges?.revise(due())).toBe("ended")
  const parts = { originalCents: 9_000, discountCents: 500, fineCents: 0, interestCents: 0 }
  expect(await psp.findReceiptsOfCharge(paid.txid)).toMatchObject([{ amountCents: 8_500, parts }])
}

const wholeTime = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"

/** Recurrences in each of the ways, their debits with each end, and the calls of these groups that the adapter never makes. */
async function useAutomatic(bank: TestBank, psp: Psp, at: { url: string; webhookUrl: string }): Promise<void> {
  const { automatic } = psp
  if (automatic === null) return
  const ask = askerOf(bank, at.url)
  const payer = (method: string, path: string, body?: unknown) => bank.call(method, `/simulador/api${path}`, body)
  const { openRecurrence, debitOf, goTo } = automaticTools(bank, psp)

  await ask("PUT", "/webhookrec", { webhookUrl: "nenhum" })
  await automatic.registerWebhooks(at.webhookUrl)
  for (const path of ["/webhookrec", "/webhookcobr"]) {
    await ask("DELETE", path)
    await ask("GET", path)
  }
  for (const _ of [1, 2]) await automatic.registerWebhooks(at.webhookUrl)

  const first = request()
  await psp.createCharge(first)
  const { recurrenceId } = await openRecurrence({ firstTxid: first.txid })
  await bank.pay((await automatic.findRecurrence(recurrenceId, first.txid))?.pixCode ?? "")
  const due = await openRecurrence({ lastDay: null })
  await ask("GET", `/rec/${due.recurrenceId}?txid=${newTxid()}`)
  expect(await automatic.findRecurrence(`RN${"x".repeat(27)}`)).toBeNull()
  expect(await automatic.cancelRecurrence(`RN${"x".repeat(27)}`)).toBe("absent")
  const past = new Date(Date.now() - 86_400_000)
  await automatic.findRecurrencesByContract("contrato-1", { from: past, to: new Date(Date.now() + 86_400_000) })

  const [paid, cancelled] = [debitOf(recurrenceId), debitOf(due.recurrenceId)]
  await payer("POST", `/recorrencias/${due.recurrenceId}/autorizar`)
  await automatic.createDebit(paid)
  await automatic.createDebit(paid)
  await automatic.createDebit(cancelled)
  expect(await automatic.cancelDebit(cancelled.txid)).toBe("cancelled")
  expect(await automatic.cancelDebit(newTxid())).toBe("absent")
  const { id } = (await ask("POST", "/locrec")) as { id: number }
  for (const path of [`/locrec/${id}`, "/locrec/1", `/locrec?${wholeTime}`]) await ask("GET", path)
  await ask("DELETE", `/locrec/${id}/idRec`)
  await ask("POST", "/rec", { vinculo: {} })
  const called = await openRecurrence({})
  const call = {
    idRec: called.recurrenceId,
    calendario: { dataExpiracaoSolicitacao: "2098-01-01T00:00:00Z" },
    destinatario: { cpf: "52998224725", ispbParticipante: "99999999", conta: "550689" },
  }
  const { idSolicRec } = (await ask("POST", "/solicrec", call)) as { idSolicRec: string }
  await ask("POST", "/solicrec", call)
  for (const path of [`/solicrec/${idSolicRec}`, `/solicrec/SC${"x".repeat(27)}`]) await ask("GET", path)
  for (const _ of [1, 2]) await ask("PATCH", `/solicrec/${idSolicRec}`, { status: "CANCELADA" })
  await payer("POST", `/recorrencias/${called.recurrenceId}/autorizar`)
  await ask("POST", "/cobr", {
    idRec: called.recurrenceId,
    calendario: { dataDeVencimento: called.firstDay },
    valor: { original: "49.90" },
    ajusteDiaUtil: true,
    recebedor: { agencia: "0001", conta: "1234567", tipoConta: "PAGAMENTO" },
  })
  await ask("GET", `/cobr?${wholeTime}&status=ATIVA`)
  await ask("GET", `/cobr/${newTxid()}`)
  const late = debitOf(due.recurrenceId)
  await automatic.createDebit(late)
  await payer("POST", "/controle/falhas", { tipo: "sem-saldo", alvo: late.txid })
  await goTo(late.dueDay, "21:30")
  expect(await automatic.findDebit(paid.txid)).toMatchObject({ state: "paid" })
  expect(await automatic.cancelDebit(late.txid)).toBe("too-late")
  await automatic.retryDebit(late.txid, saoPauloDay(new Date(Date.parse(late.dueDay) + 2 * 86_400_000)))
  await expect(automatic.retryDebit(paid.txid, "2099-01-01")).rejects.toMatchObject({ failure: "rejected" })
  expect(await automatic.cancelRecurrence(due.recurrenceId)).toBe("cancelled")
  expect(await automatic.cancelRecurrence(due.recurrenceId)).toBe("cancelled")
}

/** Calls that the adapter never makes, and refusals that it never gets. */
async function askTheRest(bank: TestBank, url: string): Promise<void> {
  const ask = askerOf(bank, url)
  const whole = wholeTime
  await ask("GET", `/cob?${whole}&status=ATIVA`)
  await ask("GET", `/cobv?${whole}&status=ATIVA`)
  await ask("PUT", `/cobv/${newTxid()}`, chargeBody(bank.receiverKey, { valor: { original: 1 } }))
  await ask("GET", `/pix?${whole}&txIdPresente=true&paginacao.itensPorPagina=1`)
  await ask("PUT", `/cob/${newTxid()}`, chargeBody(bank.receiverKey, { valor: { original: 1 } }))
  const grant = { grant_type: "client_credentials", scope: "pix.read" }
  const little = await bank.call("POST", "/oauth/token", grant, { authorization: basic })
  await ask("PUT", `/cob/${newTxid()}`, chargeBody(bank.receiverKey), `Bearer ${little.body.access_token}`)
  await bank.call("POST", "/simulador/api/controle/falhas", { tipo: "indisponivel", vezes: 1 })
  await ask("PUT", `/cob/${newTxid()}`, chargeBody(bank.receiverKey))
  await ask("GET", `/cob/${newTxid()}`)
  await ask("PUT", "/webhook/outra", { webhookUrl: "https://loja.example" })
  await ask("GET", `/webhook/${bank.receiverKey}`)
  await ask("GET", "/webhook")
  await ask("GET", "/webhook/outra")
  await ask("DELETE", `/webhook/${bank.receiverKey}`)
}

function askerOf(bank: TestBank, url: string) {
  return async (method: string, path: string, body?: unknown, authorization = bank.authorization): Promise<unknown> => {
    const sent = { headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) }
    const answer = await fetch(url + path, { method, ...(body === undefined ? { headers: { authorization } } : sent) })
    const text = await answer.text()
    return text.startsWith("{") ? JSON.parse(text) : undefined
  }
}

test("the check finds what is wrong", async () => {
  const { bank, proxy, psp } = await openRecordedBank()
  for (const tipo of ["numeros-como-texto", "horario-local"]) {
    await bank.call("POST", "/simulador/api/controle/falhas", { tipo })
  }
  const charge = request()
  await psp.createCharge(charge)
  const [exchange] = proxy.exchanges
  expect(exchange && conformity.violationsOf(exchange)).toEqual(
    expect.arrayContaining([
      expect.stringContaining("/calendario/expiracao must be integer"),
      expect.stringContaining('/calendario/criacao must match format "date-time"'),
    ]),
  )
  const wrong = { ...(exchange?.requestBody as object), valor: { original: 100 } }
  expect(exchange && conformity.violationsOf({ ...exchange, requestBody: wrong })).toContainEqual(
    expect.stringContaining("/requestBody/valor/original must be string"),
  )
  expect(conformity.violationsOfCallback({ pix: [{ endToEndId: "E1" }] })).not.toEqual([])
})
