import { decodeBrCode } from "@tilinta/brcode/decode"
import { expect, test } from "vitest"
import { chargeBody, newTxid, startTestBank } from "../test-support/test-bank.ts"

const wholeTime = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"

test("a new charge is answered in the standard's shape, with a code that decodes to it", async () => {
  const bank = await startTestBank()
  const txid = newTxid()
  const details = {
    devedor: { cpf: "12345678909", nome: "Francisco da Silva" },
    solicitacaoPagador: "Mentoria",
    infoAdicionais: [{ nome: "Turma", valor: "Novembro" }],
  }

  const { status, body } = await bank.api("PUT", `/cob/${txid}`, chargeBody(bank.receiverKey, details))

  expect(status).toBe(201)
  expect(body).toMatchObject({
    txid,
    revisao: 0,
    status: "ATIVA",
    calendario: { expiracao: 3600 },
    valor: { original: "100.00" },
    chave: bank.receiverKey,
    loc: { tipoCob: "cob", location: body.location },
    ...details,
  })
  expect(body.location).toMatch(new RegExp(`^127\\.0\\.0\\.1:${bank.port}/qr/v2/[0-9a-f]{32}$`))
  expect(decodeBrCode(body.pixCopiaECola)).toMatchObject({
    valid: true,
    code: { url: body.location, amountCents: 10_000, merchantName: "TILINTA SANDBOX", merchantCity: "SAO PAULO" },
  })
  expect((await bank.api("GET", `/cob/${txid}`)).body).toEqual(body)
})

test("the same PUT again is answered with the same charge", async () => {
  const bank = await startTestBank()
  const path = `/cob/${newTxid()}`
  const body = chargeBody(bank.receiverKey)

  const [first, second] = await Promise.all([bank.api("PUT", path, body), bank.api("PUT", path, body)])
  const third = await bank.api("PUT", path, body)

  expect(first.status).toBe(201)
  expect(second).toMatchObject({ status: 201, body: first.body })
  expect(third).toMatchObject({ status: 201, body: first.body })
  expect((await bank.api("GET", `/cob?${wholeTime}`)).body.cobs).toHaveLength(1)
})

test("a txid in use is refused to a different charge", async () => {
  const bank = await startTestBank()
  const path = `/cob/${newTxid()}`
  await bank.api("PUT", path, chargeBody(bank.receiverKey))

  const refused = await bank.api("PUT", path, chargeBody(bank.receiverKey, { valor: { original: "100.01" } }))

  expect(refused.status).toBe(400)
  expect(refused.headers.get("content-type")).toContain("application/problem+json")
  expect(refused.body).toMatchObject({
    type: "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida",
    status: 400,
    violacoes: [{ propriedade: "cob.txid" }],
  })
  expect((await bank.api("GET", path)).body.valor.original).toBe("100.00")
})

test.each([
  ["cob.valor.original", { valor: { original: "100" } }],
  ["cob.valor.original", { valor: { original: "0.00" } }],
  ["cob.valor.original", { valor: { original: 100 } }],
  ["cob.valor.original", { valor: { original: "12345678901.00" } }],
  ["cob.valor", { valor: undefined }],
  ["cob.calendario.expiracao", { calendario: { expiracao: "3600" } }],
  ["cob.calendario.expiracao", { calendario: { expiracao: 0 } }],
  ["cob.calendario", { calendario: undefined }],
  ["cob.chave", { chave: "00000000-0000-4000-8000-000000000000" }],
  ["cob.solicitacaoPagador", { solicitacaoPagador: "x".repeat(141) }],
  ["cob.devedor", { devedor: { cpf: "12345678909", cnpj: "12345678000195", nome: "Dois" } }],
  ["cob.devedor.nome", { devedor: { cpf: "12345678909" } }],
  ["cob.infoAdicionais.0.nome", { infoAdicionais: [{ nome: "x".repeat(51), valor: "" }] }],
  ["cob.loc.id", { loc: { id: 7 } }],
])("a charge with a wrong %s is refused", async (propriedade, changes) => {
  const bank = await startTestBank()

  const refused = await bank.api("PUT", `/cob/${newTxid()}`, chargeBody(bank.receiverKey, changes))

  expect(refused.status).toBe(400)
  expect(refused.body.violacoes).toEqual([expect.objectContaining({ propriedade })])
})

test.each(["x".repeat(25), "x".repeat(36), `${"x".repeat(29)}-`])("the txid %s is refused", async (txid) => {
  const bank = await startTestBank()
  expect((await bank.api("PUT", `/cob/${txid}`, chargeBody(bank.receiverKey))).status).toBe(400)
})

test("a body that is not JSON is an invalid request", async () => {
  const bank = await startTestBank()
  expect(await bank.api("PUT", `/cob/${newTxid()}`, "{")).toMatchObject({
    status: 400,
    body: { type: "https://pix.bcb.gov.br/api/v2/error/RequisicaoInvalida" },
  })
})

test("an unknown charge is not found", async () => {
  const bank = await startTestBank()
  const notFound = { status: 404, body: { type: "https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado" } }
  expect(await bank.api("GET", `/cob/${newTxid()}`)).toMatchObject(notFound)
  expect(await bank.api("PATCH", `/cob/${newTxid()}`, { solicitacaoPagador: "x" })).toMatchObject(notFound)
})

test("a revision changes what it names, counts up, and its code carries the new amount", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge({ solicitacaoPagador: "Antes" })

  const { status, body } = await bank.api("PATCH", `/cob/${charge.txid}`, {
    valor: { original: "99.90" },
    calendario: { expiracao: 60 },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    revisao: 1,
    valor: { original: "99.90" },
    calendario: { expiracao: 60, criacao: charge.calendario.criacao },
    solicitacaoPagador: "Antes",
    location: charge.location,
  })
  expect(decodeBrCode(body.pixCopiaECola)).toMatchObject({ code: { amountCents: 9990 } })
  expect((await bank.pay(body.pixCopiaECola)).body.valor).toBe("99.90")
})

test("a removed charge can be neither revised nor removed again", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge()
  const removal = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }

  const removed = await bank.api("PATCH", `/cob/${charge.txid}`, removal)

  expect(removed).toMatchObject({ status: 200, body: { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR", revisao: 1 } })
  expect((await bank.api("PATCH", `/cob/${charge.txid}`, removal)).status).toBe(400)
  expect((await bank.api("PATCH", `/cob/${charge.txid}`, { valor: { original: "1.00" } })).status).toBe(400)
})

test("a paid charge can't be removed and shows its Pix", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge()
  const { body: payment } = await bank.pay(charge.pixCopiaECola)

  const removal = await bank.api("PATCH", `/cob/${charge.txid}`, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })

  expect(removal.status).toBe(400)
  const { body } = await bank.api("GET", `/cob/${charge.txid}`)
  expect(body.status).toBe("CONCLUIDA")
  expect(body.pix).toEqual([expect.objectContaining({ endToEndId: payment.endToEndId, valor: "100.00" })])
})

test("a removal together with other changes is refused", async () => {
  const bank = await startTestBank()
  const { txid } = await bank.createCharge()
  const both = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR", valor: { original: "1.00" } }
  expect((await bank.api("PATCH", `/cob/${txid}`, both)).status).toBe(400)
  expect((await bank.api("GET", `/cob/${txid}`)).body.status).toBe("ATIVA")
})

test("charges are listed by page, oldest first, and by status", async () => {
  const bank = await startTestBank()
  const txids: string[] = []
  for (let made = 0; made < 5; made++) {
    const charge = await bank.createCharge()
    txids.push(charge.txid)
    if (made === 2) await bank.pay(charge.pixCopiaECola)
  }

  const page = await bank.api("GET", `/cob?${wholeTime}&paginacao.paginaAtual=1&paginacao.itensPorPagina=2`)
  const paid = await bank.api("GET", `/cob?${wholeTime}&status=CONCLUIDA`)

  expect(page.body.cobs.map(({ txid }: { txid: string }) => txid)).toEqual(txids.slice(2, 4))
  expect(page.body.parametros).toMatchObject({
    inicio: "2020-01-01T00:00:00.000Z",
    paginacao: { paginaAtual: 1, itensPorPagina: 2, quantidadeDePaginas: 3, quantidadeTotalDeItens: 5 },
  })
  expect(paid.body.cobs.map(({ txid }: { txid: string }) => txid)).toEqual(txids.slice(2, 3))
})

test.each([
  "fim=2020-01-01T00:00:00Z",
  "inicio=2021-01-01T00:00:00Z&fim=2020-01-01T00:00:00Z",
  `${wholeTime}&paginacao.itensPorPagina=0`,
  `${wholeTime}&paginacao.paginaAtual=-1`,
  `${wholeTime}&cpf=12345678909&cnpj=12345678000195`,
])("the list refuses the query %s", async (query) => {
  const bank = await startTestBank()
  expect(await bank.api("GET", `/cob?${query}`)).toMatchObject({
    status: 400,
    body: { type: "https://pix.bcb.gov.br/api/v2/error/CobConsultaInvalida" },
  })
})
