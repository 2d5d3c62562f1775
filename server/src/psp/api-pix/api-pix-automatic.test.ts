import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { newDueTxid, randomAlphanumeric } from "#kit/ids"
import { clientId, clientSecret, startTestBank } from "../../../../simulator/test-support/test-bank.ts"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"
import { apiPixOptions } from "../../../test-support/api-pix-options.ts"
import { automaticTools } from "../../../test-support/automatic-pix.ts"
import { createApiPixPsp } from "./api-pix-psp.ts"

async function openBank() {
  const bank = await startTestBank()
  await bank.call("PUT", "/simulador/api/controle", { liquidacaoMs: 0 })
  const receiver = { key: bank.receiverKey, name: "Loja da Ana", city: "Recife" }
  const addresses = { baseUrl: `${bank.url}/v2`, tokenUrl: `${bank.url}/oauth/token` }
  const psp = createApiPixPsp(apiPixOptions({ ...addresses, clientId, clientSecret, receiver, timeoutMs: 2_000 }))
  const { automatic } = psp
  if (automatic === null) throw new Error("no Pix Automático")
  const tools = automaticTools(bank, psp)
  const fault = (tipo: string, limits: object = {}) => tools.payer("POST", "/controle/falhas", { tipo, ...limits })
  const authorised = async (changes: object = {}) => {
    const { recurrenceId } = await tools.openRecurrence(changes)
    await tools.payer("POST", `/recorrencias/${recurrenceId}/autorizar`)
    return recurrenceId
  }
  return { bank, psp, automatic, fault, authorised, ...tools }
}

const window = () => ({ from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) })

function partsOf(code: string | null | undefined) {
  const decoded = decodeBrCode(code ?? "")
  return decoded.valid ? decoded.code : undefined
}

test("a recurrence whose making was never answered is found by its contract, and is the only one", async () => {
  const { automatic, openRecurrence, fault } = await openBank()
  await fault("timeout-apos-aceitar", { operacoes: ["rec"], metodo: "POST", alvo: "contrato-1", vezes: 1 })
  await expect(openRecurrence({ contract: "contrato-1" })).rejects.toMatchObject({ failure: "unknown" })
  const found = await automatic.findRecurrencesByContract("contrato-1", window())
  expect(found).toMatchObject([{ contract: "contrato-1", state: "created", amountCents: 4_990, journey: null }])
  expect(await automatic.findRecurrencesByContract("contrato", window())).toEqual([])
})

test("a recurrence that failed before it was asked for is known not to be there", async () => {
  const { automatic, openRecurrence, fault } = await openBank()
  await fault("timeout-apos-aceitar", { operacoes: ["rec"], metodo: "POST", vezes: 1 })
  await expect(openRecurrence({ contract: "contrato-1" })).rejects.toMatchObject({ failure: "unavailable" })
  expect(await automatic.findRecurrencesByContract("contrato-1", window())).toEqual([])
})

test("the code authorises, and pays first where a charge is given, also where the bank writes no code", async () => {
  const { bank, psp, automatic, openRecurrence, fault } = await openBank()
  const charge = { txid: randomAlphanumeric(32), amountCents: 100 as Cents, expiresInSeconds: 600, description: "" }
  const url = partsOf((await psp.createCharge(charge)).pixCode)?.url
  for (const isWritten of [true, false]) {
    if (!isWritten) await fault("sem-dados-qr")
    const { recurrenceId } = await openRecurrence({ firstTxid: charge.txid })
    const alone = partsOf((await automatic.findRecurrence(recurrenceId))?.pixCode)
    expect(alone).toMatchObject({ kind: "rec-only", merchantName: isWritten ? "TILINTA SANDBOX" : "Loja da Ana" })
    const both = (await automatic.findRecurrence(recurrenceId, charge.txid))?.pixCode
    expect(partsOf(both)).toMatchObject({ kind: "composite:dynamic-cob", url, urlRec: alone?.urlRec })
    if (!isWritten) await bank.pay(both ?? "")
    const journey = isWritten ? null : 3
    expect(await automatic.findRecurrence(recurrenceId)).toMatchObject({ journey })
  }
})

test("the code of a due charge authorises, too", async () => {
  const { bank, psp, automatic, openRecurrence, firstDay } = await openBank()
  const terms = { amountCents: 4_990 as Cents, dueDay: firstDay, daysAfterDue: 30 }
  const debtor = { name: "Bruno Lima", document: "52998224725", address: {} }
  const txid = newDueTxid(new Date())
  await psp.dueCharges?.create({ txid, terms, debtor, description: "Assinatura" })
  const { recurrenceId } = await openRecurrence({ firstTxid: txid })
  const code = (await automatic.findRecurrence(recurrenceId, txid))?.pixCode ?? ""
  expect(partsOf(code)?.kind).toBe("composite:dynamic-cobv")
  await bank.pay(code)
  expect(await automatic.findRecurrence(recurrenceId)).toMatchObject({ state: "approved", journey: 4, pixCode: null })
})

test("the bank's code for another recurrence, or another charge, is never shown", async () => {
  const elsewhere =
    "00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9"
  const idRec = `RN${"1".repeat(27)}`
  const recurrence = {
    ...{ idRec, status: "CRIADA", vinculo: { contrato: "c" }, loc: { location: "pix.loja.example/rec/1" } },
    dadosQR: { jornada: "JORNADA_2", pixCopiaECola: elsewhere },
  }
  const { url } = await bankThat((_request, response) => reply(response, 200, recurrence))
  const psp = createApiPixPsp(apiPixOptions({ baseUrl: url }))
  const found = await psp.automatic?.findRecurrence(idRec)
  expect(partsOf(found?.pixCode)).toMatchObject({ kind: "rec-only", urlRec: "pix.loja.example/rec/1" })
  await expect(psp.automatic?.findRecurrence(`RN${"2".repeat(27)}`)).rejects.toMatchObject({ failure: "unknown" })
})

test.each([
  ["recusar", undefined, { state: "rejected", ended: { by: "payer", code: "AP13" } }],
  ["cancelar", undefined, { state: "cancelled", ended: { by: "payer", code: "SLDB" } }],
  [
    "cancelar",
    { solicitante: "PSP_PAGADOR", codigo: "ACCL" },
    { state: "cancelled", ended: { by: "payer_bank", code: "ACCL" } },
  ],
])("the payer's side may %s a recurrence %j, which then can't be cancelled by us", async (verb, body, expected) => {
  const { automatic, openRecurrence, payer } = await openBank()
  const { recurrenceId } = await openRecurrence()
  await payer("POST", `/recorrencias/${recurrenceId}/${verb}`, body)
  expect(await automatic.findRecurrence(recurrenceId)).toMatchObject(expected)
  expect(await automatic.cancelRecurrence(recurrenceId)).toBe("ended")
})

test("a cancellation that was never answered is found out by repeating it", async () => {
  const { automatic, authorised, fault } = await openBank()
  const recurrenceId = await authorised()
  expect(await automatic.findRecurrence(recurrenceId)).toMatchObject({ approvedAt: expect.any(Date), journey: 2 })
  await fault("erro-apos-aceitar", { operacoes: ["rec"], metodo: "PATCH", vezes: 1 })
  await expect(automatic.cancelRecurrence(recurrenceId)).rejects.toMatchObject({ failure: "unknown" })
  expect(await automatic.cancelRecurrence(recurrenceId)).toBe("cancelled")
  expect(await automatic.findRecurrence(recurrenceId)).toMatchObject({ ended: { by: "us", code: "SLCR" } })
})

test("a debit is made once, however often and at once it is asked for, and is paid once", async () => {
  const { psp, automatic, authorised, debitOf, goTo, fault } = await openBank()
  const debit = debitOf(await authorised())
  await fault("timeout-apos-aceitar", { operacoes: ["cobr"], metodo: "PUT", vezes: 1 })
  await expect(automatic.createDebit(debit)).rejects.toMatchObject({ failure: "unknown" })
  const [one, two] = await Promise.all([automatic.createDebit(debit), automatic.createDebit(debit)])
  expect(one).toEqual(two)
  await expect(automatic.createDebit({ ...debit, amountCents: 1 as Cents })).rejects.toMatchObject({
    failure: "rejected",
  })
  // Another one of the same cycle is refused by the bank.
  await expect(automatic.createDebit(debitOf(debit.recurrenceId))).rejects.toMatchObject({ failure: "rejected" })
  await goTo(debit.dueDay, "07:00")
  const paid = await automatic.findDebit(debit.txid)
  expect(paid).toMatchObject({
    state: "paid",
    attempts: [{ kind: "first", day: debit.dueDay, state: "paid", code: null }],
    receipts: [{ txid: debit.txid, amountCents: 4_990, provider: "bank" }],
  })
  expect(await psp.findReceipt(paid?.receipts[0]?.endToEndId ?? "")).toMatchObject({ txid: debit.txid })
  expect(await automatic.cancelDebit(debit.txid)).toBe("paid")
})

test("a debit is cancelled in time and not later, whatever was answered", async () => {
  const { automatic, authorised, debitOf, goTo, fault } = await openBank()
  const [intime, late] = [debitOf(await authorised()), debitOf(await authorised())]
  await automatic.createDebit(intime)
  await automatic.createDebit(late)
  await fault("erro-apos-aceitar", { operacoes: ["cobr"], metodo: "PATCH", vezes: 1 })
  await expect(automatic.cancelDebit(intime.txid)).rejects.toMatchObject({ failure: "unknown" })
  expect(await automatic.cancelDebit(intime.txid)).toBe("cancelled")
  await goTo(late.dueDay, "00:01")
  expect(await automatic.cancelDebit(late.txid)).toBe("too-late")
  expect(await automatic.cancelDebit(randomAlphanumeric(32))).toBe("absent")
  expect(await automatic.findDebit(intime.txid)).toMatchObject({ state: "cancelled", endedCode: "SLCR", receipts: [] })
})

test("a further day is asked for once, and refused by the standard's rules", async () => {
  const { automatic, authorised, debitOf, goTo, fault } = await openBank()
  const debit = debitOf(await authorised())
  await automatic.createDebit(debit)
  await fault("sem-saldo", { alvo: debit.txid })
  await goTo(debit.dueDay, "21:30")
  const day = (ahead: number) => new Date(Date.parse(debit.dueDay) + ahead * 86_400_000).toISOString().slice(0, 10)
  await fault("timeout-apos-aceitar", { operacoes: ["cobr"], metodo: "POST", vezes: 1 })
  await expect(automatic.retryDebit(debit.txid, day(1))).rejects.toMatchObject({ failure: "unknown" })
  const retried = await automatic.retryDebit(debit.txid, day(1))
  expect(retried.attempts).toMatchObject([
    { kind: "first", state: "expired" },
    { kind: "later_day", day: day(1) },
  ])
  await expect(automatic.retryDebit(debit.txid, day(3))).rejects.toMatchObject({ failure: "rejected" })
})

test("webhooks about recurrences and debits name what to query, also as a bare list", async () => {
  const { psp } = await openBank()
  const events = (body: unknown) => psp.eventsReportedBy(Buffer.from(JSON.stringify(body)))
  const recs = [{ idRec: "RN1", status: "APROVADA" }]
  const cobsr = [{ idRec: "RN1", txid: "t1", status: "ATIVA" }]
  expect(events({ recs })).toEqual([{ kind: "recurrence", recurrenceId: "RN1" }])
  expect(events({ cobsr })).toEqual([{ kind: "debit", txid: "t1" }])
  expect(events([...recs, ...cobsr])).toHaveLength(2)
  expect(events({ recs: [{ idRec: "../x" }], cobsr: [{ idRec: "RN1", txid: "../x" }] })).toEqual([])
})

test("another system's webhook stays, whichever of the account's it has", async () => {
  for (const path of ["/webhookrec", "/webhookcobr"]) {
    const { bank, automatic } = await openBank()
    await bank.api("PUT", path, { webhookUrl: "https://outra.example/hooks/rec" })
    await expect(automatic.registerWebhooks("https://loja.example/webhooks/bank/segredo")).rejects.toMatchObject({
      name: "WebhookTaken",
      host: "outra.example",
    })
  }
})

test("a bank that is down decides nothing", async () => {
  const { automatic, openRecurrence, debitOf, fault } = await openBank()
  await fault("timeout-antes")
  const debit = debitOf(`RN${"1".repeat(27)}`)
  const calls = [
    () => openRecurrence(),
    () => automatic.findRecurrence(debit.recurrenceId),
    () => automatic.findRecurrencesByContract("c", window()),
    () => automatic.cancelRecurrence(debit.recurrenceId),
    () => automatic.createDebit(debit),
    () => automatic.findDebit(debit.txid),
    () => automatic.cancelDebit(debit.txid),
    () => automatic.retryDebit(debit.txid, debit.dueDay),
    () => automatic.registerWebhooks("https://loja.example"),
  ]
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({ failure: expect.stringMatching(/unknown|unavailable/) })
  }
})
