import { describe, expect, test } from "vitest"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"

const window = { from: new Date(0), to: new Date(1) }
const notFound = { type: "https://pix.bcb.gov.br/api/v2/error/NaoEncontrado", title: "Não Encontrado", status: 404 }
const receipt = { endToEndId: "E1", valor: "1.00", horario: "2026-11-21T12:00:00Z" }

/** The bank's answer to every list. */
async function listedBy(status: number, text: string, headers: Record<string, string> = {}) {
  const { psp } = await bankThat((_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
  })
  const lists = [psp.listReceipts, psp.listRefundedReceipts, psp.payouts?.list, psp.disputes?.list]
  const rows = []
  for (const list of lists) {
    for await (const page of list?.(window) ?? []) rows.push(...page)
  }
  return rows
}

describe("a list without entries", () => {
  test.each([
    ["204", 204, ""],
    ["an empty 200", 200, ""],
    ["a 200 of blanks", 200, " \r\n"],
    ["null", 200, "null"],
    ["a list that is null", 200, '{"pix":null,"infracoes":null}'],
    ["no list", 200, '{"parametros":{}}'],
    ["an empty object", 200, "{}"],
    ["an empty list", 200, '{"pix":[],"infracoes":[]}'],
    ["the standard's 404", 404, JSON.stringify(notFound)],
    ["the standard's 404 about a Pix", 404, JSON.stringify({ ...notFound, type: "https://x/PixNaoEncontrado" })],
  ] as const)("may be %s", async (_what, status, text) => {
    expect(await listedBy(status, text)).toEqual([])
  })

  test.each([
    ["a page of a proxy", 200, "<html>Entre</html>"],
    ["half an answer", 200, '{"pix":[{"endTo'],
    ["a text", 200, '"nada"'],
    ["a list that is a word", 200, '{"pix":"nenhum","infracoes":"nenhuma"}'],
    ["a refusal with a 200", 200, '{"codigo":"500","mensagem":"Erro interno"}'],
    ["the standard's problem with a 200", 200, JSON.stringify(notFound)],
    ["a 404 of a gateway", 404, '{"statusCode":404,"error":"Not Found","message":"no Route matched"}'],
    ["a 404 without a word", 404, ""],
    ["a 404 in HTML", 404, "<html>404</html>"],
    ["an unauthorised 403", 403, "{}"],
  ] as const)("is not %s", async (_what, status, text) => {
    await expect(listedBy(status, text)).rejects.toMatchObject({ name: "PspError" })
  })
})

test("a page that is missing within a list is no end of it", async () => {
  const { psp } = await bankThat(({ url }, response) => {
    if (url?.includes("paginaAtual=0") !== true) return response.writeHead(204).end()
    reply(response, 200, { parametros: { paginacao: { quantidadeDePaginas: 2 } }, pix: [receipt] })
  })
  const read = async () => {
    for await (const page of psp.listReceipts(window)) expect(page).toHaveLength(1)
  }
  await expect(read()).rejects.toMatchObject({ name: "PspError" })
})
