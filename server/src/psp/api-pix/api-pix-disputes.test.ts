import { expect, test } from "vitest"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"

const dispute = {
  idInfracao: "8ad75c93-6150-422c-929e-822f361c7a6b",
  endToEndId: "E09089356202312181249APId91a6304",
  valor: "100.00",
  status: "ABERTA",
  razao: "Solicitacao de devolução",
  tipoSituacao: "coerção",
  dadosAnalise: { abertura: "2026-11-01T10:00:00Z", prazoFinalizacao: "2026-11-08T10:00:00Z" },
  atualizadoEm: "2026-11-01T10:00:00Z",
}

async function disputingBank(answer: { infracoes?: object[]; pages?: number; status?: number; bodies?: string[] }) {
  const bank = await bankThat(({ url = "" }, response, body) => {
    if (body !== "") answer.bodies?.push(body)
    const page = Number(new URL(url, "http://bank").searchParams.get("paginacao.paginaAtual"))
    const paginacao = { paginaAtual: page, quantidadeDePaginas: answer.pages ?? 1 }
    const infracoes = page === (answer.pages ?? 1) - 1 ? (answer.infracoes ?? []) : []
    reply(response, answer.status ?? 200, { parametros: { paginacao }, infracoes })
  })
  const { disputes } = bank.psp
  if (disputes === null || disputes.defend === null) throw new Error("this bank tells of disputes")
  return { disputes, defend: disputes.defend, calls: bank.calls, psp: bank.psp }
}

const id = dispute.idInfracao

test("a dispute is found on any page of the list", async () => {
  const { disputes, calls } = await disputingBank({ infracoes: [{}, dispute], pages: 2 })
  expect(await disputes.find(id)).toEqual({
    disputeId: id,
    endToEndId: dispute.endToEndId,
    amountCents: 10_000,
    reason: "coercion",
    details: "",
    state: "open",
    respondUntil: new Date("2026-11-08T10:00:00Z"),
    openedAt: new Date("2026-11-01T10:00:00Z"),
    updatedAt: new Date("2026-11-01T10:00:00Z"),
    closedAt: null,
    analysis: "",
  })
  expect(await disputes.find("outra")).toBeNull()
  expect(calls).toHaveLength(4)
})

test.for([
  [{ status: "EM_DEFESA" }, { state: "defended" }],
  [{ status: "ACEITA" }, { state: "accepted" }],
  [{ status: "REJEITADA" }, { state: "rejected" }],
  [{ status: "CANCELADA_PSP" }, { state: "cancelled" }],
  [{ status: "ALGO_NOVO" }, { state: "open" }],
  [{ tipoSituacao: "golpe" }, { reason: "fraud" }],
  [{ tipoSituacao: undefined, razao: "Falha operacional" }, { reason: "operational" }],
  [{ valor: "100" }, { amountCents: null }],
  [{ valor: 100 }, { amountCents: null }],
] as const)("%j is read as %j", async ([reported, read]) => {
  const { disputes } = await disputingBank({ infracoes: [{ ...dispute, ...reported }] })
  expect(await disputes.find(id)).toMatchObject(read)
})

test.for([
  [201, "taken"],
  [409, "taken"],
  [422, "refused"],
] as const)("a defence that is answered with %d is %s", async ([status, outcome]) => {
  const bodies: string[] = []
  const { defend, calls } = await disputingBank({ status, bodies })
  expect(await defend(id, "Entregue.")).toBe(outcome)
  expect(calls).toEqual([`POST /gn/infracoes/${id}/defesa`])
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
    { analise: "rejeitado", justificativa: "Entregue." },
  ])
})

test("a defence without a definite answer is no refusal", async () => {
  const { defend } = await disputingBank({ status: 500 })
  await expect(defend(id, "Entregue.")).rejects.toMatchObject({ failure: "unknown" })
})

test("a webhook reports disputes, alone or together with receipts", async () => {
  const { psp } = await disputingBank({})
  const infracoes = [{ idInfracao: id }, { idInfracao: "../x" }]
  const reported = { kind: "dispute", disputeId: id }
  expect(psp.eventsReportedBy(Buffer.from(JSON.stringify({ infracoes })))).toEqual([reported])
  const pix = [{ endToEndId: "E1" }]
  expect(psp.eventsReportedBy(Buffer.from(JSON.stringify({ infracoes, pix })))).toEqual([
    { kind: "receipt", endToEndId: "E1", reportsRefunds: false, reportedAt: null },
    reported,
  ])
})
