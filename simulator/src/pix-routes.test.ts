import { expect, test } from "vitest"
import { startTestBank } from "../test-support/test-bank.ts"

const wholeTime = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"

test("received Pix are listed by page, oldest first, each once", async () => {
  const bank = await startTestBank()
  const paid: string[] = []
  for (let made = 0; made < 5; made++) {
    const { pixCopiaECola } = await bank.createCharge()
    paid.push((await bank.pay(pixCopiaECola)).body.endToEndId)
  }

  const listed: string[] = []
  for (const page of [0, 1, 2]) {
    const { body } = await bank.api("GET", `/pix?${wholeTime}&paginacao.paginaAtual=${page}&paginacao.itensPorPagina=2`)
    expect(body.parametros.paginacao).toEqual({
      paginaAtual: page,
      itensPorPagina: 2,
      quantidadeDePaginas: 3,
      quantidadeTotalDeItens: 5,
    })
    listed.push(...body.pix.map(({ endToEndId }: { endToEndId: string }) => endToEndId))
  }

  expect(listed).toEqual(paid)
})

test("the list filters by txid, by its presence and by time", async () => {
  const bank = await startTestBank()
  const [charge, another] = [await bank.createCharge(), await bank.createCharge()]
  for (const { pixCopiaECola } of [charge, another]) await bank.pay(pixCopiaECola)
  const count = async (query: string) => (await bank.api("GET", `/pix?${query}`)).body.pix.length

  expect(await count(`${wholeTime}&txid=${charge.txid}`)).toBe(1)
  expect(await count(`${wholeTime}&txIdPresente=true`)).toBe(2)
  expect(await count(`${wholeTime}&txIdPresente=false`)).toBe(0)
  expect(await count(`${wholeTime}&devolucaoPresente=true`)).toBe(0)
  expect(await count("inicio=2020-01-01T00:00:00Z&fim=2021-01-01T00:00:00-03:00")).toBe(0)
})

test("an empty list has one page", async () => {
  const bank = await startTestBank()
  const { body } = await bank.api("GET", `/pix?${wholeTime}`)
  expect(body).toMatchObject({
    parametros: { paginacao: { quantidadeDePaginas: 1, quantidadeTotalDeItens: 0 } },
    pix: [],
  })
})

test("a list without its period is refused", async () => {
  const bank = await startTestBank()
  expect(await bank.api("GET", "/pix")).toMatchObject({
    status: 400,
    body: {
      type: "https://pix.bcb.gov.br/api/v2/error/PixConsultaInvalida",
      violacoes: [{ propriedade: "inicio" }, { propriedade: "fim" }],
    },
  })
})

test("an unknown Pix is not found", async () => {
  const bank = await startTestBank()
  expect(await bank.api("GET", `/pix/E99999999202601010000${"x".repeat(11)}`)).toMatchObject({
    status: 404,
    body: { type: "https://pix.bcb.gov.br/api/v2/error/PixNaoEncontrado" },
  })
})
