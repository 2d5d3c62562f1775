import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, test } from "vitest"
import { createLog } from "#kit/log"
import type { Cents } from "#kit/money"
import type { Psp } from "#psp/psp"
import { createApiPixPsp } from "./api-pix-psp.ts"

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

type Reply = [status: number, body?: unknown] | "cut"

interface Bank {
  psp: Psp
  calls: string[]
  sent: unknown[]
}

async function bankThat(replies: { put?: Reply; get?: Reply }): Promise<Bank> {
  const calls: string[] = []
  const sent: unknown[] = []
  server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on("end", () => {
      response.setHeader("content-type", "application/json")
      if (request.url === "/token") return response.end(JSON.stringify({ access_token: "t", expires_in: 3600 }))
      calls.push(`${request.method} ${request.url}`)
      if (body !== "") sent.push(JSON.parse(body))
      const reply = (request.method === "PUT" ? replies.put : replies.get) ?? [404, {}]
      if (reply === "cut") return response.destroy()
      return response.writeHead(reply[0]).end(JSON.stringify(reply[1] ?? {}))
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const psp = createApiPixPsp({
    name: "bank",
    baseUrl: url,
    tokenUrl: `${url}/token`,
    clientId: "id",
    clientSecret: "secret",
    receiverKey: "our-key",
    timeoutMs: 400,
    log: createLog("silent"),
  })
  return { psp, calls, sent }
}

const request = { payoutId: "saque1", pixKey: "ana@loja.example", amountCents: 1_234 as Cents, description: "Saque" }
const payout = { idEnvio: "saque1", e2eId: "E1", valor: "12.34", status: "EM_PROCESSAMENTO" }

test("a payout is sent by PUT under our id, from our key, with the value as text", async () => {
  const { psp, calls, sent } = await bankThat({ put: [201, payout] })
  const underWay = { state: "under-way", amountCents: 1_234, endToEndId: "E1", reason: null }
  expect(await psp.sendPayout(request)).toEqual(underWay)
  expect(calls).toEqual(["PUT /gn/pix/saque1"])
  expect(sent).toEqual([
    {
      valor: "12.34",
      pagador: { chave: "our-key", infoPagador: "Saque" },
      favorecido: { chave: "ana@loja.example" },
    },
  ])
})

test.for([
  ["REALIZADO", "completed"],
  ["NAO_REALIZADO", "refused"],
  ["EM_PROCESSAMENTO", "under-way"],
  ["ALGO_NOVO", "under-way"],
] as const)("%s means %s", async ([status, state]) => {
  const { psp, calls } = await bankThat({ get: [200, { ...payout, endToEndId: "E2", status }] })
  expect(await psp.findPayout("saque1")).toMatchObject({ state, endToEndId: "E2" })
  expect(calls).toEqual(["GET /gn/pix/enviados/id-envio/saque1"])
})

test("a payout that the bank never took is none", async () => {
  const { psp } = await bankThat({ get: [404] })
  expect(await psp.findPayout("saque1")).toBeNull()
})

test.for([400, 409, 422])("a repeated PUT that is refused with %d: the first one counts", async (status) => {
  const { psp } = await bankThat({ put: [status], get: [200, { ...payout, status: "REALIZADO" }] })
  expect(await psp.sendPayout(request)).toMatchObject({ state: "completed" })
})

test.for([
  [400, { detail: "Chave inválida." }, "Chave inválida."],
  [422, { nome: "x", mensagem: "Chave não encontrada." }, "Chave não encontrada."],
  [400, undefined, null],
] as const)(
  "a definite no (%d) of a bank that has no such payout is one, with its reason",
  async ([status, body, reason]) => {
    const { psp } = await bankThat({ put: [status, body], get: [404] })
    expect(await psp.sendPayout(request)).toEqual({ state: "refused", amountCents: null, endToEndId: null, reason })
  },
)

const unknowns: { put?: Reply; get?: Reply }[] = [
  { put: "cut" },
  { put: [500] },
  { put: [401] },
  { put: [403] },
  { put: [404] },
  { put: [409], get: [404] },
  { put: [400], get: [500] },
  { put: [400], get: "cut" },
  { put: [201, { ...payout, idEnvio: "saque2" }] },
  { put: [201, "nada"] },
]

test.for(unknowns)("%j leaves the outcome unknown: no money may go back", async (replies) => {
  const { psp } = await bankThat(replies)
  await expect(psp.sendPayout(request)).rejects.toMatchObject({ name: "PspError" })
})
