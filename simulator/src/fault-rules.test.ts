import { decodeBrCode } from "@tilinta/brcode/decode"
import { expect, test } from "vitest"
import {
  type Answer,
  basic,
  chargeBody,
  newTxid,
  startTestBank,
  type TestBank,
  temporaryDir,
} from "../test-support/test-bank.ts"
import { openBooks } from "./books.ts"
import { type FaultRule, newFaultRule, openFaultRules } from "./faults.ts"
import { openSettingsBook } from "./payout-books.ts"

type RuleInput = Partial<FaultRule>

const rules = "/simulador/api/controle/falhas"

async function switchOn(bank: TestBank, ...inputs: RuleInput[]): Promise<void> {
  await bank.call("DELETE", rules)
  for (const input of inputs) expect((await bank.call("POST", rules, input)).status).toBe(201)
}

async function create(bank: TestBank, txid = newTxid()): Promise<Answer> {
  return bank.api("PUT", `/cob/${txid}`, chargeBody(bank.receiverKey))
}

test("each fault of an answer does what it says, as often as configured and no more", async () => {
  const bank = await startTestBank()
  const path = `/cob/${(await create(bank)).body.txid}`
  const ask = () => bank.api("GET", path)
  const expectBroken = (answer: Promise<Answer>) => expect(answer).rejects.toThrow("fetch failed")
  const once = (tipo: FaultRule["tipo"], more: RuleInput = {}) => switchOn(bank, { tipo, vezes: 1, ...more })

  await once("timeout-antes")
  await expectBroken(ask())
  await once("timeout-apos-aceitar")
  await expectBroken(ask())
  await once("indisponivel")
  expect(await ask()).toMatchObject({ status: 503, body: { title: "Serviço Indisponível" } })
  await once("erro-html")
  expect(await ask()).toMatchObject({ status: 502, text: expect.stringContaining("<html>") })
  await once("erro-xml")
  expect(await ask()).toMatchObject({ status: 500, text: expect.stringContaining("soap:Fault") })
  await once("muitas-requisicoes", { valor: 7 })
  const busy = await ask()
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "7"])
  await once("erro-apos-aceitar")
  expect((await ask()).status).toBe(500)
  await once("redirecionamento")
  expect(
    (await bank.call("GET", `/v2${path}`, undefined, { authorization: bank.authorization }, "manual")).status,
  ).toBe(302)
  await once("json-cortado")
  await expect(ask()).rejects.toThrow(SyntaxError)
  await once("resposta-enorme", { valor: 100_000 })
  expect((await ask()).text.length).toBeGreaterThan(100_000)
  await once("gotejamento", { valor: 200 })
  const begin = Date.now()
  expect((await ask()).body.status).toBe("ATIVA")
  expect(Date.now() - begin).toBeGreaterThanOrEqual(150)
  await once("erro-proprietario")
  expect((await bank.api("GET", `/cob/${newTxid()}`)).body).toEqual({
    nome: "CobNaoEncontrado",
    mensagem: expect.any(String),
  })
  expect((await ask()).status).toBe(200)
})

test("answers take the shapes that banks give them", async () => {
  const bank = await startTestBank()
  await switchOn(
    bank,
    { tipo: "status-200" },
    { tipo: "numeros-como-texto" },
    { tipo: "horario-local" },
    { tipo: "brcode" },
  )
  const { status, body } = await create(bank)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    revisao: "0",
    calendario: { expiracao: "3600" },
    brcode: expect.stringMatching(/^0002/),
  })
  expect(body).not.toHaveProperty("pixCopiaECola")
  const { criacao } = body.calendario
  expect(criacao).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
  expect(Math.abs(Date.parse(`${criacao}-03:00`) - Date.now())).toBeLessThan(60_000)

  await switchOn(bank, { tipo: "so-location" })
  expect((await create(bank)).body).toMatchObject({ location: expect.any(String) })
  expect((await create(bank)).body).not.toHaveProperty("pixCopiaECola")
  await switchOn(bank, { tipo: "repetido-409" })
  const txid = newTxid()
  expect([(await create(bank, txid)).status, (await create(bank, txid)).status]).toEqual([201, 409])

  await switchOn(bank, { tipo: "codigo-crc-errado" })
  expect(decodeBrCode((await create(bank)).body.pixCopiaECola).valid).toBe(false)
  await switchOn(bank, { tipo: "codigo-outro-valor", valor: 5 })
  expect(decodeBrCode((await create(bank)).body.pixCopiaECola)).toMatchObject({ code: { amountCents: 10_005 } })
  await switchOn(bank, { tipo: "codigo-outra-chave" })
  expect(decodeBrCode((await create(bank)).body.pixCopiaECola)).toMatchObject({
    code: { amountCents: 10_000, key: expect.any(String) },
  })
})

test("a fault strikes only the operation, the method and the thing that it is limited to", async () => {
  const bank = await startTestBank()
  const [one, other] = [newTxid(), newTxid()]
  const title = "Mentoria só dela"
  await switchOn(
    bank,
    { tipo: "indisponivel", operacoes: ["cob"], metodo: "GET", alvo: one },
    { tipo: "erro-html", operacoes: ["cob"], alvo: title },
  )
  expect([(await create(bank, one)).status, (await create(bank, other)).status]).toEqual([201, 201])
  expect((await bank.api("GET", `/cob/${one}`)).status).toBe(503)
  expect((await bank.api("GET", `/cob/${other}`)).status).toBe(200)
  expect((await bank.api("GET", "/webhook")).status).toBe(200)
  const body = chargeBody(bank.receiverKey, { solicitacaoPagador: title })
  const named = newTxid()
  expect((await bank.api("PUT", `/cob/${named}`, body)).status).toBe(502)
  expect((await bank.api("GET", `/cob/${named}`)).status).toBe(404)
})

test("a token may live shortly, be revoked at any time, or not be given at all", async () => {
  const bank = await startTestBank()
  const askToken = () =>
    bank.call("POST", "/oauth/token", { grant_type: "client_credentials" }, { authorization: basic })
  await switchOn(
    bank,
    { tipo: "token-curto", valor: 2, vezes: 1 },
    { tipo: "nao-autorizado", vezes: 1, operacoes: ["cob"] },
  )
  const short = await askToken()
  expect(short.body).toMatchObject({ expires_in: 2 })
  const ask = async (path: string, token: string) =>
    (await bank.call("GET", path, undefined, { authorization: `Bearer ${token}` })).status
  expect(await ask("/v2/webhook", short.body.access_token)).toBe(200)
  await bank.call("PUT", "/simulador/api/controle/relogio", { avancarMs: 3_000 })
  expect(await ask("/v2/webhook", short.body.access_token)).toBe(401)
  const long = (await askToken()).body.access_token
  expect(await ask("/v2/cob?inicio=2020-01-01T00:00:00Z&fim=2021-01-01T00:00:00Z", long)).toBe(401)
  expect(await ask("/v2/webhook", long)).toBe(401)
  await switchOn(bank, { tipo: "indisponivel", operacoes: ["token"], vezes: 1 })
  expect([(await askToken()).status, (await askToken()).status]).toEqual([503, 200])
})

test("what is likely strikes the same calls whenever the same seed is used, also after a restart", () => {
  const draw = (seed: number, breakAfter: number): boolean[] => {
    const dataDir = temporaryDir()
    const struck: boolean[] = []
    for (const count of [breakAfter, 40 - breakAfter]) {
      const books = openBooks(dataDir)
      const open = openFaultRules(openSettingsBook(books.db))
      if (open.isEmpty()) open.add(newFaultRule.parse({ tipo: "atraso", probabilidade: 0.5, semente: seed }))
      for (let ask = 0; ask < count; ask++) struck.push(open.strike("atraso", { names: new Set() }) !== undefined)
      books.close()
    }
    return struck
  }
  const first = draw(7, 40)
  expect(new Set(first).size).toBe(2)
  expect(draw(7, 13)).toEqual(first)
  expect(draw(8, 40)).not.toEqual(first)
})

test("a rule's number is never another's, also after a restart", () => {
  const dataDir = temporaryDir()
  const numberOfNext = () => {
    const books = openBooks(dataDir)
    const open = openFaultRules(openSettingsBook(books.db))
    const { id } = open.add(newFaultRule.parse({ tipo: "atraso" }))
    open.remove(id)
    const later = open.add(newFaultRule.parse({ tipo: "atraso" }))
    open.clear()
    books.close()
    return [id, later.id]
  }
  expect([...numberOfNext(), ...numberOfNext()]).toEqual([1, 2, 3, 4])
})

test.each([
  {},
  { tipo: "fogo" },
  { tipo: "brcode", valor: 1 },
  { tipo: "sem-txid", operacoes: ["cob"] },
  { tipo: "atraso", probabilidade: 0 },
  { tipo: "atraso", vezes: 0 },
  { tipo: "atraso", outra: 1 },
])("the rule %j is refused", (input) => {
  expect(newFaultRule.safeParse(input).success).toBe(false)
})

test("rules are listed with what became of them, and end one by one or all at once", async () => {
  const bank = await startTestBank()
  await switchOn(bank, { tipo: "status-200", vezes: 1 }, { tipo: "atraso", valor: 0 })
  await create(bank)
  const listed = async () => (await bank.call("GET", rules)).body.falhas
  expect(await listed()).toMatchObject([
    { id: 1, tipo: "status-200", vezes: 1, atingidas: 1 },
    { id: 2, tipo: "atraso", atingidas: 1 },
  ])
  expect((await bank.call("DELETE", `${rules}/1`)).status).toBe(204)
  expect((await bank.call("DELETE", `${rules}/1`)).status).toBe(404)
  expect(await listed()).toHaveLength(1)
  const far = { "x-forwarded-for": "203.0.113.7" }
  expect((await bank.call("GET", rules, undefined, far)).status).toBe(403)
  expect((await bank.call("GET", "/simulador/api/livros", undefined, far)).status).toBe(403)
  expect((await bank.call("GET", "/simulador/api/controle/tipos")).body.tipos).toContainEqual(
    expect.objectContaining({ tipo: "brcode", grupo: "Formato das respostas" }),
  )
})
