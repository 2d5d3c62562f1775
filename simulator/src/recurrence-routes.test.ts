import { expect, test } from "vitest"
import { newTxid, startTestBank, startWebhookReceiver } from "../test-support/test-bank.ts"

/** A union of what the calls answer, with the status of HTTP. */
type Answer = {
  http: number
  [name: string]: unknown
  id: number
  idRec: string
  idSolicRec: string
  txid: string
  dadosQR: { jornada: string; pixCopiaECola: string }
  violacoes?: { razao: string }[]
  tentativas: { tipo: string; endToEndId: string }[]
}

const account = { agencia: "0001", conta: "1234567", tipoConta: "PAGAMENTO" }

/** A Thursday at noon in São Paulo. */
const start = Date.parse("2027-03-04T15:00:00Z")

async function openBank(options: { rec?: object; first?: boolean } = {}) {
  const bank = await startTestBank({ now: () => start })
  await bank.call("PUT", "/simulador/api/controle", { liquidacaoMs: 0 })
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status: http, body: answer } = await bank.api(method, path, body)
    return { ...(answer as object), http } as Answer
  }
  const payer = (method: string, path: string, body?: unknown) => bank.call(method, `/simulador/api${path}`, body)
  const goTo = (moment: string) =>
    payer("PUT", "/controle/relogio", { adiantadoMs: Date.parse(`${moment}:00-03:00`) - start })
  const cob = options.first ? await bank.createCharge() : undefined
  const loc = await ask("POST", "/locrec")
  const rec = await ask("POST", "/rec", {
    vinculo: { contrato: "contrato-1", objeto: "Assinatura", devedor: { cpf: "52998224725", nome: "Bruno Lima" } },
    calendario: { dataInicial: "2027-03-10", periodicidade: "MENSAL" },
    valor: { valorRec: "49.90" },
    politicaRetentativa: "PERMITE_3R_7D",
    loc: loc.id,
    ...(cob && { ativacao: { dadosJornada: { txid: cob.txid } } }),
    ...options.rec,
  })
  const { idRec } = rec
  const debit = (changes: object = {}, txid = newTxid()) =>
    ask("PUT", `/cobr/${txid}`, {
      idRec,
      calendario: { dataDeVencimento: "2027-03-10" },
      valor: { original: "49.90" },
      ajusteDiaUtil: true,
      recebedor: account,
      ...changes,
    })
  return { bank, ask, payer, goTo, rec, idRec, debit, cob }
}

function reasonsOf({ violacoes }: Answer): string | undefined {
  return violacoes?.map(({ razao }) => razao).join()
}

test("a recurrence is authorised by its code alone, and each of its cycles is debited once", async () => {
  const { bank, ask, goTo, rec, idRec, debit } = await openBank()
  expect(rec).toMatchObject({ status: "CRIADA", ativacao: { tipoJornada: "AGUARDANDO_DEFINICAO" } })
  expect(idRec).toMatch(/^RR9876543220270304[a-zA-Z0-9]{11}$/)
  const { dadosQR } = await ask("GET", `/rec/${idRec}`)
  expect(dadosQR).toMatchObject({ jornada: "JORNADA_2" })
  const { pixCopiaECola } = dadosQR
  expect(await bank.call("POST", "/simulador/api/consultas", { pixCopiaECola })).toMatchObject({
    body: { valor: "0.00", pagavel: true, recorrencia: { idRec } },
  })
  expect((await bank.pay(pixCopiaECola)).body).toMatchObject({ endToEndId: null, recorrencia: { status: "APROVADA" } })
  expect((await bank.pay(pixCopiaECola)).status).toBe(422)

  const { http, txid } = await debit()
  expect(http).toBe(201)
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({ status: "ATIVA", tentativas: [{ status: "AGENDADA" }] })
  expect(reasonsOf(await debit())).toContain("no mesmo ciclo")
  await goTo("2027-03-10T05:59")
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({ status: "ATIVA" })
  await goTo("2027-03-10T06:00")
  const paid = await ask("GET", `/cobr/${txid}`)
  expect(paid).toMatchObject({ status: "CONCLUIDA", tentativas: [{ status: "PAGA" }], pix: [{ valor: "49.90" }] })
  expect(await ask("GET", `/pix/${paid.tentativas[0]?.endToEndId}`)).toMatchObject({ txid, valor: "49.90" })
  await goTo("2027-04-30T06:00")
  expect((await ask("GET", "/pix?inicio=2027-01-01T00:00:00Z&fim=2028-01-01T00:00:00Z"))["pix"]).toHaveLength(1)
})

test("one code pays the first charge and authorises the rest, unless the payer's bank does only one of both", async () => {
  const { bank, ask, idRec, cob } = await openBank({ first: true })
  const code = async (id: string) => {
    const { dadosQR } = await ask("GET", `/rec/${id}?txid=${cob?.txid}`)
    return dadosQR.pixCopiaECola
  }
  expect((await bank.pay(await code(idRec))).body).toMatchObject({ txid: cob?.txid, recorrencia: { idRec } })
  expect(await ask("GET", `/rec/${idRec}`)).toMatchObject({
    status: "APROVADA",
    pagador: { cpf: "52998224725" },
    ativacao: { tipoJornada: "JORNADA_3", dadosJornada: { txid: cob?.txid } },
  })
  expect((await ask("GET", `/rec/${idRec}?txid=${newTxid()}`)).http).toBe(400)

  for (const [tipo, status, concluded] of [
    ["paga-sem-autorizar", "CRIADA", "CONCLUIDA"],
    ["autoriza-sem-pagar", "APROVADA", "ATIVA"],
  ] as const) {
    const other = await openBank({ first: true })
    await other.payer("POST", "/controle/falhas", { tipo })
    const { dadosQR } = await other.ask("GET", `/rec/${other.idRec}?txid=${other.cob?.txid}`)
    await other.bank.pay(dadosQR.pixCopiaECola)
    expect(await other.ask("GET", `/rec/${other.idRec}`)).toMatchObject({ status })
    expect(await other.ask("GET", `/cob/${other.cob?.txid}`)).toMatchObject({ status: concluded })
  }
})

test("a debit without money is tried again in the evening and on three further days at most", async () => {
  const { ask, payer, goTo, idRec, debit } = await openBank()
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  await payer("PUT", "/controle/pagador", { semSaldo: true })
  const { txid } = await debit()
  await goTo("2027-03-10T20:59")
  const retry = (day: string) => ask("POST", `/cobr/${txid}/retentativa/${day}`)
  expect(reasonsOf(await retry("2027-03-11"))).toContain("NIEC")
  await goTo("2027-03-10T21:00")
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({ status: "ATIVA", tentativas: [{ status: "EXPIRADA" }] })
  expect(reasonsOf(await retry("2027-03-10"))).toContain("data futura")
  expect(reasonsOf(await retry("2027-03-18"))).toContain("DTNT")
  for (const day of ["2027-03-11", "2027-03-12", "2027-03-13"]) {
    expect(await retry(day)).toMatchObject({ status: "ATIVA" })
    await goTo(`${day}T21:00`)
  }
  expect(reasonsOf(await retry("2027-03-15"))).toContain("QUNT")
  await goTo("2027-03-17T21:00")
  const over = await ask("GET", `/cobr/${txid}`)
  expect(over).toMatchObject({ status: "EXPIRADA" })
  expect(over.tentativas.map(({ tipo }) => tipo)).toEqual(["AGND", "NTAG", "NTAG", "NTAG"])
})

test("the money of the evening pays what the morning could not", async () => {
  const { ask, payer, goTo, idRec, debit } = await openBank({ rec: { politicaRetentativa: "NAO_PERMITE" } })
  expect(idRec).toMatch(/^RN/)
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  await payer("PUT", "/controle/pagador", { semSaldo: true })
  const { txid } = await debit()
  await goTo("2027-03-10T12:00")
  expect(reasonsOf(await ask("POST", `/cobr/${txid}/retentativa/2027-03-11`))).toContain("IRNT")
  await payer("PUT", "/controle/pagador", { semSaldo: false })
  await goTo("2027-03-10T18:30")
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({ status: "CONCLUIDA" })
})

test("a bank that fails in the morning repeats the debit by itself", async () => {
  const { ask, payer, goTo, idRec, debit } = await openBank()
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  await payer("POST", "/controle/falhas", { tipo: "falha-operacional", alvo: "contrato-1", vezes: 1 })
  const { txid } = await debit()
  await goTo("2027-03-10T19:00")
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({
    status: "CONCLUIDA",
    tentativas: [
      { tipo: "AGND", status: "EXPIRADA" },
      { tipo: "RIFL", status: "PAGA" },
    ],
  })
})

test.each([
  ["a recurrence that nobody has authorised", { authorise: false }, {}, "MSUC"],
  ["another amount than was authorised", {}, { valor: { original: "50.00" } }, "AM09"],
  ["a day outside the cycle", {}, { calendario: { dataDeVencimento: "2027-03-11" } }, "DTED"],
])(
  "the payer's bank rejects a debit for %s",
  async (_, { authorise = true }: { authorise?: boolean }, changes, codigo) => {
    const { ask, payer, idRec, debit } = await openBank()
    if (authorise) await payer("POST", `/recorrencias/${idRec}/autorizar`)
    const { txid } = await debit(changes)
    expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({
      status: "REJEITADA",
      encerramento: { rejeicao: { codigo } },
    })
  },
)

test("a ceiling and a code of the payer's bank reject the attempt and leave the debit alive", async () => {
  const { ask, payer, idRec, debit } = await openBank({ rec: { valor: { valorMinimoRecebedor: "20.00" } } })
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  expect((await payer("PUT", `/recorrencias/${idRec}/teto`, { valor: "10.00" })).status).toBe(422)
  await payer("PUT", `/recorrencias/${idRec}/teto`, { valor: "40.00" })
  const { txid } = await debit()
  const alive = (codigo: string) => ({ status: "CRIADA", tentativas: [{ status: "REJEITADA", rejeicao: { codigo } }] })
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject(alive("AM02"))
  await payer("PUT", "/controle/pagador", { codigo: "AC06" })
  const other = await openBank()
  await other.payer("PUT", "/controle/pagador", { codigo: "AC06" })
  const { txid: blocked } = await other.debit()
  expect(await other.ask("GET", `/cobr/${blocked}`)).toMatchObject(alive("AC06"))
})

test("debits are taken from ten to two days ahead, and into the account's own books only", async () => {
  const { debit, payer, idRec } = await openBank({
    rec: { calendario: { dataInicial: "2027-03-05", periodicidade: "SEMANAL" } },
  })
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  const on = async (dataDeVencimento: string) => reasonsOf(await debit({ calendario: { dataDeVencimento } }))
  expect(await on("2027-03-05")).toContain("FCD2")
  expect(await on("2027-03-19")).toContain("FCD1")
  expect(await on("2027-03-03")).toContain("anterior à data de criação")
  expect(reasonsOf(await debit({ recebedor: { ...account, conta: "1" } }))).toContain("não pertence")
  const txid = newTxid()
  const later = { calendario: { dataDeVencimento: "2027-03-12" } }
  expect((await debit(later, txid)).http).toBe(201)
  expect(reasonsOf(await debit(later, txid))).toContain("em uso")
})

test("a debit may be cancelled until 22:00 of the day before, and is then never paid", async () => {
  for (const [moment, status] of [
    ["2027-03-09T21:59", 200],
    ["2027-03-09T22:00", 400],
  ] as const) {
    const { ask, payer, goTo, idRec, debit } = await openBank()
    await payer("POST", `/recorrencias/${idRec}/autorizar`)
    const { txid } = await debit()
    await goTo(moment)
    expect((await ask("PATCH", `/cobr/${txid}`, { status: "CANCELADA" })).http).toBe(status)
    await goTo("2027-03-11T00:00")
    expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({ status: status === 200 ? "CANCELADA" : "CONCLUIDA" })
  }
})

test("the payer's cancellation ends the recurrence with its debits, all of it told by webhook", async () => {
  const { bank, ask, payer, idRec, debit } = await openBank()
  const receiver = await startWebhookReceiver()
  for (const path of ["/webhookrec", "/webhookcobr"]) await ask("PUT", path, { webhookUrl: receiver.url })
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  const { txid } = await debit()
  await ask("GET", `/cobr/${txid}`)
  await payer("POST", `/recorrencias/${idRec}/cancelar`)
  expect(await ask("GET", `/rec/${idRec}`)).toMatchObject({
    encerramento: { cancelamento: { solicitante: "USUARIO_PAGADOR", codigo: "SLDB" } },
  })
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({ encerramento: { cancelamento: { codigo: "CCLD" } } })
  await receiver.isReached(4)
  const told = receiver.received.map(({ path, body }) => {
    const [item] = Object.values(body as unknown as Record<string, { status: string }[]>)[0] ?? []
    return `${path.split("/").at(-1)} ${item?.status}`
  })
  expect(told.toSorted()).toEqual(["cobr ATIVA", "cobr CANCELADA", "rec APROVADA", "rec CANCELADA"])
  expect((await bank.api("GET", "/webhook")).body.webhooks).toEqual([])
})

test("a debit that was cancelled in time is paid all the same by a bank with that fault", async () => {
  const { ask, payer, goTo, idRec, debit } = await openBank()
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  await payer("POST", "/controle/falhas", { tipo: "debito-apos-cancelamento" })
  const { txid } = await debit()
  await ask("PATCH", `/cobr/${txid}`, { status: "CANCELADA" })
  await goTo("2027-03-10T07:00")
  expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({ status: "CANCELADA", pix: [{ valor: "49.90" }] })
})

test("a recurrence expires when somebody looks at it, and answers of the payer come once", async () => {
  const { ask, payer, goTo, idRec } = await openBank({
    rec: { calendario: { dataInicial: "2027-03-10", dataFinal: "2027-05-10", periodicidade: "MENSAL" } },
  })
  await payer("POST", `/recorrencias/${idRec}/recusar`)
  expect(await ask("GET", `/rec/${idRec}`)).toMatchObject({ encerramento: { rejeicao: { codigo: "AP13" } } })
  expect((await payer("POST", `/recorrencias/${idRec}/autorizar`)).status).toBe(422)
  const other = await openBank({
    rec: { calendario: { dataInicial: "2027-03-10", dataFinal: "2027-05-10", periodicidade: "MENSAL" } },
  })
  await goTo("2027-05-11T00:00")
  await other.goTo("2027-05-11T00:00")
  expect(await other.ask("GET", `/rec/${other.idRec}`)).toMatchObject({ status: "EXPIRADA" })
})

test("a request reaches the payer's app without a code", async () => {
  const { ask, payer, idRec } = await openBank()
  const call = {
    idRec,
    calendario: { dataExpiracaoSolicitacao: "2027-03-20T12:00:00Z" },
    destinatario: { cpf: "52998224725", ispbParticipante: "99999999", conta: "550689", agencia: "2569" },
  }
  const { idSolicRec } = await ask("POST", "/solicrec", call)
  expect(idSolicRec).toMatch(/^SC98765432/)
  expect(reasonsOf(await ask("POST", "/solicrec", call))).toContain("solicitação ativa")
  await payer("POST", `/recorrencias/${idRec}/autorizar`)
  expect(await ask("GET", `/solicrec/${idSolicRec}`)).toMatchObject({ status: "ACEITA" })
  expect(await ask("GET", `/rec/${idRec}`)).toMatchObject({ ativacao: { tipoJornada: "JORNADA_1" } })
  expect((await ask("PATCH", `/solicrec/${idSolicRec}`, { status: "CANCELADA" })).http).toBe(400)
})

test.each([
  ["no contract", { vinculo: { devedor: { cpf: "52998224725", nome: "Bruno" } } }],
  ["a first day in the past", { calendario: { dataInicial: "2027-03-03", periodicidade: "MENSAL" } }],
  [
    "a last day before the first",
    { calendario: { dataInicial: "2027-03-10", dataFinal: "2027-03-09", periodicidade: "MENSAL" } },
  ],
  ["a fixed amount and a least one", { valor: { valorRec: "1.00", valorMinimoRecebedor: "1.00" } }],
  ["an agreement", { recebedor: { convenio: "Master" } }],
  ["an unknown location", { loc: 1 }],
])("a recurrence with %s is refused", async (_, rec) => {
  expect((await openBank({ rec })).rec.http).toBe(400)
})
