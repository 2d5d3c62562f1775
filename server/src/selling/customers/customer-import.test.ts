import { afterAll, describe, expect, test } from "vitest"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
let number = 0

afterAll(() => site.close())

async function newSeller() {
  number += 1
  const token = await site.signUp(`dona${number}@loja.example`)
  const send = (file: string | Buffer, query = "") =>
    site.call("POST", `/api/v1/customers/import${query}`, {
      token,
      body: Buffer.from(file),
      headers: { "content-type": "text/csv" },
    })
  const check = (file: string | Buffer) => send(file, "?dryRun=true")
  const all = async () => (await site.call("GET", "/api/v1/customers?limit=100", { token })).json.data.customers
  const names = async () => (await all()).map(({ name }: { name: string }) => name)
  const outcomes = async (file: string | Buffer) =>
    (await check(file)).json.data.rows.map(({ outcome }: { outcome: string }) => outcome)
  return { token, send, check, all, names, outcomes }
}

const three = [
  "Nome;CPF/CNPJ;E-mail;Celular;Cidade;UF;Turma",
  "Bruno Lima;529.982.247-25;bruno@exemplo.com.br;(11) 98765-4321;São Paulo;SP;A",
  "",
  "Carla Dias;111.111.111-11;carla@;;;;B",
  "Dora;;dora@exemplo.com.br;;;Pernambuco;",
].join("\r\n")

describe("a file of customers", () => {
  test("is checked row by row, and nothing is entered before it is asked for", async () => {
    const { check, send, names, all } = await newSeller()
    const checked = await check(three)
    expect(checked).toMatchObject({
      status: 200,
      json: {
        data: {
          rows: [
            { line: 2, name: "Bruno Lima", outcome: "new", errors: [] },
            {
              line: 4,
              name: "Carla Dias",
              outcome: "invalid",
              errors: [
                { path: "document", message: "CPF inválido" },
                { path: "email", message: "E-mail inválido" },
              ],
            },
            { line: 5, name: "Dora", outcome: "new", errors: [] },
          ],
          counts: { new: 2, known: 0, invalid: 1 },
          ignoredColumns: ["Turma"],
        },
      },
    })
    expect(await names()).toEqual([])

    expect((await send(three)).json).toEqual(checked.json)
    expect(await all()).toMatchObject([
      {
        name: "Bruno Lima",
        document: "52998224725",
        phone: "11987654321",
        address: { city: "São Paulo", state: "SP" },
      },
      { name: "Dora", document: "", address: { city: "", state: "PE" } },
    ])
  })

  test("that comes twice makes no second customer, nor do two at once", async () => {
    const { send, names } = await newSeller()
    const file = `${three}\r\nEva;;;(11) 91234-5678;;;\r\nMaria Silva;;;;;;`
    const [one, two] = await Promise.all([send(file), send(file)])
    expect([one.json.data.counts, two.json.data.counts]).toEqual(
      expect.arrayContaining([
        { new: 4, known: 0, invalid: 1 },
        { new: 0, known: 4, invalid: 1 },
      ]),
    )
    expect((await send(file)).json.data.counts).toEqual({ new: 0, known: 4, invalid: 1 })
    expect(await names()).toEqual(["Bruno Lima", "Dora", "Eva", "Maria Silva"])
  })

  test("finds who is known by document, else e-mail, else reference, also in rows above", async () => {
    const { send, outcomes, all } = await newSeller()
    await send("nome,document,email,externalReference\nBruno,52998224725,bruno@exemplo.com.br,a-1")
    const file = [
      "nome,documento,email,referencia",
      "B.,529.982.247-25,outro@exemplo.com.br,x",
      "B.,,BRUNO@exemplo.com.br,",
      "B.,,,a-1",
      "Carla,11144477735,bruno@exemplo.com.br,a-2",
      "Carla,11144477735,,",
      "Eva,39053344705,,a-1",
      "Davi,,bruno@exemplo.com.br,",
      "DAVI LIMA,,bruno@exemplo.com.br,",
    ].join("\n")
    expect(await outcomes(file)).toEqual(["known", "known", "known", "new", "known", "invalid", "new", "known"])
    await send(file)
    expect(await all()).toMatchObject([
      { name: "Bruno", externalReference: "a-1" },
      { name: "Carla", document: "11144477735" },
      { name: "Davi", document: "" },
    ])
  })

  test("may be Windows-1252, have its own quotes and lack the zeros that spreadsheets drop", async () => {
    const { send, all } = await newSeller()
    const text =
      'sep=;\r\nNome;CPF;CNPJ;Anotações;CEP\r\n"João ""Jota"";Souza";1234567-97;;"uma\nduas";1310100\r\nAcme;;191;;\r\n'
    expect((await send(Buffer.from(text, "latin1"))).json.data.rows).toMatchObject([
      { name: 'João "Jota";Souza', outcome: "new" },
      { name: "Acme", outcome: "invalid" },
    ])
    expect(await all()).toMatchObject([
      { notes: "uma\nduas", document: "00123456797", address: { zipCode: "01310100" } },
    ])
  })

  test.for([
    ["", "A primeira linha deve ter os nomes das colunas, e uma delas deve ser Nome."],
    ["bruno;bruno@exemplo.com.br", "A primeira linha deve ter os nomes das colunas, e uma delas deve ser Nome."],
    ["PK\u0003\u0004\0\0", "Este arquivo não é CSV. Na planilha, escolha Salvar como e CSV."],
    [`nome${",x".repeat(200)}`, "O arquivo tem mais de 200 colunas. Deixe as que são dos clientes."],
    [`nome\n${"Bruno\n".repeat(5001)}`, "O arquivo tem mais de 5.000 clientes. Divida-o em partes."],
  ] as const)("is refused whole: %j", async ([file, message]) => {
    const { send, names } = await newSeller()
    expect(await send(file)).toMatchObject({ status: 422, json: { errors: [{ path: "file", message }] } })
    expect(await names()).toEqual([])
  })

  test("has no more cells in a row than headings, and no more than 2 MB", async () => {
    const { send, check } = await newSeller()
    expect((await check("nome\nSilva, João")).json.data.rows).toMatchObject([
      { outcome: "invalid", errors: [{ message: "A linha tem mais colunas do que a primeira." }] },
    ])
    const large = `nome;notes\nBruno;${"a".repeat(1_900_000)}`
    expect((await check(large)).json.data.rows).toMatchObject([{ outcome: "invalid", errors: [{ path: "notes" }] }])
    expect(await send("a".repeat(2_100_000))).toMatchObject({ status: 413, json: { code: "payload_too_large" } })
  })

  test("may have thousands of columns without a heading, which cost nothing in each row", async () => {
    const { check } = await newSeller()
    const rows = Array.from({ length: 500 }, (_, at) => `Cliente ${at}`)
    const wide = await check(`nome${",".repeat(300_000)}\n${rows.join("\n")}`)
    expect(wide.json.data).toMatchObject({ counts: { new: 500, known: 0, invalid: 0 }, ignoredColumns: [] })
  })

  test("with 5,000 customers is entered whole, on record once", async () => {
    const { send, token } = await newSeller()
    const rows = Array.from({ length: 5000 }, (_, at) => `Cliente ${at};cliente${at}@exemplo.com.br`)
    expect((await send(`nome;e-mail\n${rows.join("\n")}`)).json.data.counts).toEqual({
      new: 5000,
      known: 0,
      invalid: 0,
    })
    const { _id } = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user
    const records = await site.db
      .selectFrom("audit_records")
      .select(["action", "after"])
      .where("actor_id", "=", _id)
      .where("action", "in", ["customers.imported", "customer.created"])
      .execute()
    expect(records).toEqual([{ action: "customers.imported", after: { new: 5000, known: 0, invalid: 0 } }])
  })
})

test("what is exported is known when it is imported again, and says the same elsewhere", async () => {
  const [ana, bia] = [await newSeller(), await newSeller()]
  const full = {
    name: "=Bruno; Lima",
    document: "529.982.247-25",
    email: "bruno@exemplo.com.br",
    phone: "(11) 98765-4321",
    address: { street: "Rua A", number: "10", city: "Recife", state: "PE", zipCode: "01310-100" },
    notes: 'Prefere "WhatsApp"\nà noite',
    externalReference: "aluno-17",
  }
  for (const body of [full, { name: "Acme", document: "12.abc.345/01de-35" }, { name: "Dora" }]) {
    await site.call("POST", "/api/v1/customers", { token: ana.token, body })
  }
  const file = await site.app.inject({
    url: "/api/v1/customers/export",
    headers: { authorization: `Bearer ${ana.token}` },
  })
  expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="clientes_\d{4}-\d\d-\d\d\.csv"$/)
  expect(await ana.outcomes(file.rawPayload)).toEqual(["known", "known", "known"])
  const reply = await bia.send(file.rawPayload)
  expect(reply.json.data).toMatchObject({ counts: { new: 3, known: 0, invalid: 0 }, ignoredColumns: [] })
  const stripped = (customers: object[]) =>
    customers.map((each) => ({ ...each, _id: null, createdAt: null, updatedAt: null }))
  expect(stripped(await bia.all())).toEqual(stripped(await ana.all()))
})
