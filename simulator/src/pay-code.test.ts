import { encodeDynamic, encodeStatic } from "@tilinta/brcode/encode"
import { expect, test } from "vitest"
import { startTestBank } from "../test-support/test-bank.ts"

test("a paid code is answered with the Pix, which the API then knows", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge()

  const { status, body } = await bank.pay(charge.pixCopiaECola)

  expect(status).toBe(201)
  expect(body).toEqual({
    endToEndId: expect.stringMatching(/^E[0-9A-Z]{8}\d{12}[A-Za-z0-9]{11}$/),
    txid: charge.txid,
    valor: "100.00",
    horario: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect(body.endToEndId.slice(9, 21)).toBe(body.horario.replace(/\D/g, "").slice(0, 12))
  expect((await bank.api("GET", `/pix/${body.endToEndId}`)).body).toMatchObject({ ...body, chave: bank.receiverKey })
})

test("of many payments of one code at once, one wins", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge()

  const answers = await Promise.all(Array.from({ length: 10 }, () => bank.pay(charge.pixCopiaECola)))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 422)
  expect(refused).toHaveLength(9)
  expect(refused[0]?.body).toEqual({ message: "Esta cobrança já foi paga." })
  expect((await bank.api("GET", `/cob/${charge.txid}`)).body.pix).toHaveLength(1)
})

test("a hundred different codes are paid at once, each with its own endToEndId", async () => {
  const bank = await startTestBank()
  const charges = await Promise.all(Array.from({ length: 100 }, () => bank.createCharge()))

  const answers = await Promise.all(charges.map((charge) => bank.pay(charge.pixCopiaECola)))

  expect(answers.every(({ status }) => status === 201)).toBe(true)
  expect(new Set(answers.map(({ body }) => body.endToEndId)).size).toBe(100)
})

test("an expired code is refused although its charge still reads ATIVA", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge({ calendario: { expiracao: 1 } })
  await new Promise((resolve) => setTimeout(resolve, 1050))

  const { status, body } = await bank.pay(charge.pixCopiaECola)

  expect(status).toBe(422)
  expect(body.message).toBe("Este código Pix expirou. Peça um novo a quem está cobrando.")
  expect((await bank.api("GET", `/cob/${charge.txid}`)).body.status).toBe("ATIVA")
})

test("a removed charge can't be paid", async () => {
  const bank = await startTestBank()
  const charge = await bank.createCharge()
  await bank.api("PATCH", `/cob/${charge.txid}`, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })

  expect(await bank.pay(charge.pixCopiaECola)).toMatchObject({
    status: 422,
    body: { message: "Esta cobrança foi cancelada por quem a criou." },
  })
})

test("each code that is no charge of this bank is refused with its own reason", async () => {
  const bank = await startTestBank()
  const { pixCopiaECola } = await bank.createCharge()
  const merchant = { merchantName: "ANA", merchantCity: "RECIFE", amountCents: 100 }
  const damaged = `${pixCopiaECola.slice(0, -4)}0000`
  const unknown = encodeDynamic({ ...merchant, url: "pix.example.com/qr/v2/0123456789abcdef0123456789abcdef" })
  const fixed = encodeStatic({ ...merchant, key: "ana@example.com" })

  const messages = []
  for (const code of [damaged, unknown, fixed, "oi"]) {
    const { status, body } = await bank.pay(code)
    expect(status).toBe(422)
    messages.push(body.message)
  }

  expect(messages[0]).toBe("Código Pix inválido: CRC não confere.")
  expect(messages[1]).toContain("não foi criado neste simulador")
  expect(messages[2]).toContain("estático")
  expect(messages[3]).toContain("Código Pix inválido")
})

test("a static code with an amount and an identifier is paid from the account, as in its bank's app", async () => {
  const bank = await startTestBank()
  const merchant = { merchantName: "ANA SOUZA", merchantCity: "BRASIL", amountCents: 1234 }
  const pixCopiaECola = encodeStatic({ ...merchant, key: "ana@loja.example", txid: "SAQUE1" })
  const far = { "x-forwarded-for": "203.0.113.7" }

  expect(await bank.call("POST", "/simulador/api/consultas", { pixCopiaECola })).toMatchObject({
    status: 200,
    body: { recebedor: { nome: "ANA SOUZA", chave: "ana@loja.example" }, valor: "12.34", daConta: true, pagavel: true },
  })
  expect((await bank.call("POST", "/simulador/api/pagamentos", { pixCopiaECola }, far)).status).toBe(403)
  const unknown = encodeStatic({ ...merchant, key: "recusado@loja.example", txid: "SAQUE2" })
  expect((await bank.pay(unknown)).status).toBe(422)
  const [first, second] = [await bank.pay(pixCopiaECola), await bank.pay(pixCopiaECola)]
  expect(first).toMatchObject({ status: 201, body: { valor: "12.34", txid: "SAQUE1" } })

  const { saldo } = (await bank.api("GET", "/gn/saldo")).body as unknown as { saldo: string }
  expect(saldo).toBe("-24.68")
  const window = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"
  const { pix } = (await bank.api("GET", `/gn/pix/enviados?${window}`)).body
  expect(pix).toMatchObject(
    [first, second].map(({ body }) => ({ endToEndId: body.endToEndId, valor: "12.34", status: "REALIZADO" })),
  )
  expect(pix.every((sent) => !("idEnvio" in sent))).toBe(true)
})

test.each([
  ["{", "Envie um JSON válido."],
  [{}, "Cole o código Pix."],
  [{ pixCopiaECola: " " }, "Cole o código Pix."],
])("the payment %j is malformed", async (body, message) => {
  const bank = await startTestBank()
  expect(await bank.call("POST", "/simulador/api/pagamentos", body)).toMatchObject({ status: 400, body: { message } })
})

test("looking up a code shows its payment, and paying does not depend on it", async () => {
  const bank = await startTestBank({ merchantName: "LOJA DA ANA", merchantCity: "RECIFE" })
  const { pixCopiaECola } = await bank.createCharge({ solicitacaoPagador: "Mentoria de Vendas" })
  const lookUp = () => bank.call("POST", "/simulador/api/consultas", { pixCopiaECola: ` ${pixCopiaECola}\n` })

  expect(await lookUp()).toMatchObject({
    status: 200,
    body: {
      recebedor: { nome: "LOJA DA ANA", cidade: "RECIFE" },
      valor: "100.00",
      descricao: "Mentoria de Vendas",
      status: "ATIVA",
      pagavel: true,
    },
  })
  await bank.pay(pixCopiaECola)
  expect((await lookUp()).body).toMatchObject({
    status: "CONCLUIDA",
    pagavel: false,
    message: "Esta cobrança já foi paga.",
  })
})

test("what the bank books is dated by the clock that it was given", async () => {
  const bank = await startTestBank({ now: () => Date.parse("2026-02-03T04:05:06.000Z") })
  const { calendario, pixCopiaECola } = await bank.createCharge()
  expect(calendario.criacao).toBe("2026-02-03T04:05:06.000Z")
  expect((await bank.pay(pixCopiaECola)).body).toMatchObject({
    endToEndId: expect.stringMatching(/^E[0-9A-Z]{8}202602030405/),
    horario: "2026-02-03T04:05:06.000Z",
  })
})
