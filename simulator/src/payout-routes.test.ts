import { expect, test } from "vitest"
import { startTestBank, type TestBank } from "../test-support/test-bank.ts"

function payout(bank: TestBank, changes: Record<string, unknown> = {}) {
  return {
    valor: "12.34",
    pagador: { chave: bank.receiverKey, infoPagador: "Saque" },
    favorecido: { chave: "ana@loja.example" },
    ...changes,
  }
}

async function openBank(switches: Record<string, unknown> = {}, dataDir?: string): Promise<TestBank> {
  const bank = await startTestBank(dataDir === undefined ? {} : { dataDir })
  await bank.call("PUT", "/simulador/api/controle", { liquidacaoMs: 0, ...switches })
  return bank
}

const find = async (bank: TestBank, id: string) => (await bank.api("GET", `/gn/pix/enviados/id-envio/${id}`)).body

test("a payout is under way first, then done, also after a restart", async () => {
  const bank = await openBank({ liquidacaoMs: 400 })
  const sent = await bank.api("PUT", "/gn/pix/saque1", payout(bank))
  expect(sent).toMatchObject({ status: 201, body: { idEnvio: "saque1", valor: "12.34", status: "EM_PROCESSAMENTO" } })
  await bank.stop()

  const again = await startTestBank({ dataDir: bank.dataDir })
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(await find(again, "saque1")).toMatchObject({ status: "REALIZADO", endToEndId: sent.body.endToEndId })
})

test("the same id pays once, also for twenty at once; with other data it is refused", async () => {
  const bank = await openBank()
  const answers = await Promise.all(Array.from({ length: 20 }, () => bank.api("PUT", "/gn/pix/saque1", payout(bank))))
  expect(new Set(answers.map(({ body }) => body.endToEndId)).size).toBe(1)
  expect((await bank.api("PUT", "/gn/pix/saque1", payout(bank, { valor: "12.35" }))).status).toBe(409)
  expect((await bank.call("GET", "/simulador/api/envios")).body.envios).toHaveLength(1)
})

test.each([
  ["the switch", { pagamentosRecusados: true }, "ana@loja.example"],
  ["the key", {}, "conta-recusada@loja.example"],
])("a payout is refused by %s, with its reason", async (_what, switches, chave) => {
  const bank = await openBank(switches)
  await bank.api("PUT", "/gn/pix/saque1", payout(bank, { favorecido: { chave } }))
  const found = await find(bank, "saque1")
  expect(found.status).toBe("NAO_REALIZADO")
  expect(found.gnExtras.erro.motivo).toMatch(/Chave Pix não encontrada/)
})

test.each([
  [{ valor: "0.00" }, "envio.valor"],
  [{ valor: 12 }, "envio.valor"],
  [{ favorecido: {} }, "envio.favorecido.chave"],
])("%j is refused", async (wrong, propriedade) => {
  const bank = await openBank()
  const answer = await bank.api("PUT", "/gn/pix/saque1", payout(bank, wrong))
  expect(answer).toMatchObject({ status: 400, body: { violacoes: [{ propriedade }] } })
})

test("another account's key pays nothing, and an unknown id is not found", async () => {
  const bank = await openBank()
  expect((await bank.api("PUT", "/gn/pix/saque1", payout(bank, { pagador: { chave: "outra" } }))).status).toBe(400)
  expect((await bank.api("GET", "/gn/pix/enviados/id-envio/saque1")).status).toBe(404)
})

test("what was sent is listed by the time of its request, page by page", async () => {
  const bank = await openBank()
  const ids = ["s1", "s2", "s3"]
  for (const id of ids) await bank.api("PUT", `/gn/pix/${id}`, payout(bank))
  const list = (query: string) => bank.api("GET", `/gn/pix/enviados?${query}`)
  const ever = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"
  const pages = await Promise.all(
    [0, 1].map((page) => list(`${ever}&paginacao.paginaAtual=${page}&paginacao.itensPorPagina=2`)),
  )
  expect(pages[0]?.body.parametros.paginacao).toMatchObject({ quantidadeDePaginas: 2, quantidadeTotalDeItens: 3 })
  const listed = pages.flatMap(({ body }) => body.pix as unknown as { idEnvio: string; status: string }[])
  expect(listed.map(({ idEnvio, status }) => [idEnvio, status])).toEqual(ids.map((id) => [id, "REALIZADO"]))
  const before = await list("inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z")
  expect(before.body.pix).toEqual([])
  expect((await list("inicio=2020-01-01T00:00:00Z")).status).toBe(400)
})

test("a paid payout comes back from its receiver once, whole or in part, and never more than was sent", async () => {
  const bank = await openBank()
  const sendBack = (idEnvio: string, centavos?: number) =>
    bank.call("POST", "/simulador/api/controle/envios-devolvidos", { idEnvio, centavos })
  for (const id of ["s1", "s2"]) await bank.api("PUT", `/gn/pix/${id}`, payout(bank))
  expect((await sendBack("s1", 1_235)).status).toBe(404)
  expect((await sendBack("s1")).status).toBe(200)
  expect((await sendBack("s2", 234)).status).toBe(200)
  expect((await sendBack("s1")).status).toBe(404)
  expect((await sendBack("nada")).status).toBe(404)
  expect(await find(bank, "s1")).toMatchObject({
    status: "DEVOLVIDO",
    devolucoes: [{ rtrId: expect.stringMatching(/^D.{31}$/), valor: "12.34", status: "DEVOLVIDO" }],
  })
  expect(await find(bank, "s2")).toMatchObject({ status: "REALIZADO", devolucoes: [{ valor: "2.34" }] })
})

test("what is sent to somebody who sends everything back is back after a while", async () => {
  const bank = await openBank()
  await bank.api("PUT", "/gn/pix/s1", payout(bank, { favorecido: { chave: "devolvido@loja.example" } }))
  expect((await find(bank, "s1")).status).toBe("REALIZADO")
  await bank.call("PUT", "/simulador/api/controle/relogio", { avancarMs: 6_000 })
  expect((await find(bank, "s1")).status).toBe("DEVOLVIDO")
})
