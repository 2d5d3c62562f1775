import { expect, test } from "vitest"
import { startTestBank, startWebhookReceiver, type TestBank } from "../test-support/test-bank.ts"
import type { FaultRule } from "./faults.ts"

const control = "/simulador/api/controle"

async function openBank() {
  const bank = await startTestBank()
  const receiver = await startWebhookReceiver()
  await bank.call("PUT", control, { liquidacaoMs: 0 })
  await bank.api("PUT", `/webhook/${bank.receiverKey}`, { webhookUrl: receiver.url })
  return { bank, receiver }
}

async function switchOn(bank: TestBank, tipo: FaultRule["tipo"], more: Partial<FaultRule> = {}): Promise<void> {
  await bank.call("DELETE", `${control}/falhas`)
  expect((await bank.call("POST", `${control}/falhas`, { tipo, ...more })).status).toBe(201)
}

const books = async (bank: TestBank) => (await bank.call("GET", "/simulador/api/livros")).body

test("payers pay wrongly: another amount, without txid, twice, at the very end", async () => {
  const { bank } = await openBank()
  const receiptsOf = async (txid: string) => (await bank.api("GET", `/cob/${txid}`)).body
  const paid = async (tipo: FaultRule["tipo"], more: Partial<FaultRule> = {}) => {
    await switchOn(bank, tipo, more)
    const charge = await bank.createCharge()
    const { status, body } = await bank.pay(charge.pixCopiaECola)
    expect(status).toBe(201)
    return { txid: charge.txid, body, cob: await receiptsOf(charge.txid) }
  }
  expect((await paid("paga-outro-valor", { valor: 9_000 })).cob).toMatchObject({
    status: "CONCLUIDA",
    pix: [{ valor: "90.00" }],
  })
  expect((await paid("paga-duas-vezes")).cob.pix).toHaveLength(2)
  const nameless = await paid("sem-txid")
  expect(nameless.body.txid).toBeNull()
  expect(nameless.cob).toMatchObject({ status: "ATIVA" })

  await switchOn(bank, "aceita-fora-do-prazo")
  const [removed, expired] = [await bank.createCharge(), await bank.createCharge()]
  await bank.api("PATCH", `/cob/${removed.txid}`, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })
  expect((await bank.pay(removed.pixCopiaECola)).status).toBe(201)
  expect(await receiptsOf(removed.txid)).toMatchObject({ status: "REMOVIDA_PELO_USUARIO_RECEBEDOR", pix: [{}] })
  await bank.call("PUT", `${control}/relogio`, { avancarMs: 3_600_000 })
  expect((await bank.pay(expired.pixCopiaECola)).status).toBe(201)
  expect((await bank.pay(expired.pixCopiaECola)).status).toBe(422)
})

test("the clock ends what would end by itself, and can be put back", async () => {
  const { bank } = await openBank()
  const { pixCopiaECola } = await bank.createCharge()
  const moved = await bank.call("PUT", `${control}/relogio`, { avancarMs: 3_600_000 })
  expect(moved.body).toMatchObject({ adiantadoMs: 3_600_000 })
  expect((await bank.pay(pixCopiaECola)).status).toBe(422)
  await bank.call("PUT", `${control}/relogio`, { adiantadoMs: 0 })
  expect((await bank.pay(pixCopiaECola)).status).toBe(201)
  expect((await bank.call("PUT", `${control}/relogio`, { avancarMs: -1 })).status).toBe(400)
})

test("refunds and payouts are refused, refused at once, or stay under way until decided", async () => {
  const { bank, receiver } = await openBank()
  const { endToEndId } = (await bank.pay((await bank.createCharge()).pixCopiaECola)).body
  const refund = (id: string) => bank.api("PUT", `/pix/${endToEndId}/devolucao/${id}`, { valor: "1.00" })
  const statusOf = async (path: string) => (await bank.api("GET", path)).body.status
  const refundPath = (id: string) => `/pix/${endToEndId}/devolucao/${id}`
  const payout = (id: string) =>
    bank.api("PUT", `/gn/pix/${id}`, {
      valor: "1.00",
      pagador: { chave: bank.receiverKey },
      favorecido: { chave: "ana@x" },
    })
  const payoutPath = (id: string) => `/gn/pix/enviados/id-envio/${id}`
  const decide = (what: object) => bank.call("POST", `${control}/desfechos`, what)

  await switchOn(bank, "devolucao-recusada", { alvo: "r1" })
  await Promise.all([refund("r1"), refund("r2")])
  expect([await statusOf(refundPath("r1")), await statusOf(refundPath("r2"))]).toEqual(["NAO_REALIZADO", "DEVOLVIDO"])
  await switchOn(bank, "devolucao-sem-desfecho")
  await Promise.all([refund("r3"), refund("r4")])
  await bank.call("PUT", `${control}/relogio`, { avancarMs: 1_800_000 })
  expect(await statusOf(refundPath("r3"))).toBe("EM_PROCESSAMENTO")
  const told = receiver.received.length
  expect((await decide({ endToEndId, id: "r3" })).status).toBe(200)
  expect((await decide({ endToEndId, id: "r4", recusado: true })).status).toBe(200)
  expect([await statusOf(refundPath("r3")), await statusOf(refundPath("r4"))]).toEqual(["DEVOLVIDO", "NAO_REALIZADO"])
  await receiver.isReached(told + 2)

  await switchOn(bank, "envio-recusado")
  expect((await payout("p1")).status).toBe(201)
  expect(await statusOf(payoutPath("p1"))).toBe("NAO_REALIZADO")
  await switchOn(bank, "envio-recusado-na-hora")
  expect((await payout("p2")).status).toBe(400)
  expect((await bank.api("GET", payoutPath("p2"))).status).toBe(404)
  await switchOn(bank, "envio-sem-desfecho", { alvo: "ana@x" })
  await payout("p3")
  expect(await statusOf(payoutPath("p3"))).toBe("EM_PROCESSAMENTO")
  await switchOn(bank, "webhook-de-envio")
  expect((await decide({ idEnvio: "p3" })).body).toMatchObject({ status: "REALIZADO" })
  expect((await decide({ idEnvio: "p3" })).status).toBe(404)
  await receiver.isReached(told + 3)
  expect(receiver.received.at(-1)?.body.pix[0]).toMatchObject({ tipo: "SOLICITACAO", gnExtras: { idEnvio: "p3" } })
})

test("notices are lost, late, repeated, bare, out of order and forged, and each can be sent again", async () => {
  const { bank, receiver } = await openBank()
  const payOne = async () => (await bank.pay((await bank.createCharge()).pixCopiaECola)).body.endToEndId
  const countOf = (id: string) => receiver.toldIds().filter((told) => told === id).length

  await switchOn(bank, "webhook-perdido", { vezes: 1 })
  const lost = await payOne()
  await switchOn(bank, "webhook-repetido", { vezes: 1, valor: 2 })
  const thrice = await payOne()
  await expect.poll(() => countOf(thrice)).toBe(3)
  expect(countOf(lost)).toBe(0)
  const [notice] = (await books(bank)).avisos.filter(({ corpo }) => corpo.includes(lost))
  expect(notice).toMatchObject({ tentativas: 0, ultimaResposta: "perdido de propósito", proximaTentativa: null })
  expect((await bank.call("POST", `${control}/avisos/${notice?.id}/reenvios`)).status).toBe(202)
  await expect.poll(() => countOf(lost)).toBe(1)
  expect((await bank.call("POST", `${control}/avisos/999/reenvios`)).status).toBe(404)

  await switchOn(bank, "webhook-fora-de-ordem", { vezes: 1 })
  const [held, next] = [await payOne(), await payOne()]
  await expect.poll(() => countOf(held)).toBe(1)
  expect(receiver.toldIds().slice(-2)).toEqual([next, held])

  await switchOn(bank, "webhook-atrasado", { vezes: 1, valor: 3_000_000 })
  const late = await payOne()
  expect(countOf(await payOne())).toBeLessThanOrEqual(1)
  expect(countOf(late)).toBe(0)
  await bank.call("PUT", `${control}/relogio`, { avancarMs: 3_000_000 })
  await expect.poll(() => countOf(late)).toBe(1)

  await switchOn(bank, "webhook-lista", { vezes: 1 })
  await bank.call("POST", `${control}/falhas`, { tipo: "webhook-sem-sufixo", vezes: 1 })
  const bare = await payOne()
  await expect.poll(() => countOf(bare)).toBe(1)
  expect(receiver.received.at(-1)).toMatchObject({ path: "/hooks/segredo", body: [{ endToEndId: bare }] })

  const forged = (await bank.call("POST", `${control}/avisos`, { txid: "x".repeat(26), centavos: 700 })).body
  await expect.poll(() => countOf(forged.endToEndId)).toBe(1)
  expect((await bank.api("GET", `/pix/${forged.endToEndId}`)).status).toBe(404)
  expect((await books(bank)).recebimentos.map(({ endToEndId }) => endToEndId)).not.toContain(forged.endToEndId)
})

test("a receipt that can't be read stays so, in every answer, and no other does", async () => {
  const { bank } = await openBank()
  const receive = async (valor: string) =>
    (await bank.call("POST", "/simulador/api/recebimentos", { valor })).body.endToEndId
  const [spoiled, plain] = [await receive("132.50"), await receive("7.00")]
  await switchOn(bank, "recebimento-ilegivel", { alvo: spoiled })
  const read = async (endToEndId: string) => (await bank.api("GET", `/pix/${endToEndId}`)).body.valor
  expect([await read(spoiled), await read(plain), await read(spoiled)]).toEqual(["R$ 132,50", "7.00", "R$ 132,50"])
})
