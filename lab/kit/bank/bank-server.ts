import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { encodeDynamic } from "@tilinta/brcode/encode"
import type { Receipts } from "./receipts.ts"

interface Reply {
  status: number
  body: string
}

/**
 * Implements as much of the standard as charging needs, as cheaply as possible: the load generator is not what is
 * measured.
 */
export async function startBankServer(
  receipts: Receipts,
): Promise<{ server: Server; port: number; asked(): number; moveClock(aheadMs: number): void }> {
  let asked = 0
  let movedByMs = 0
  const server = createServer((request, response) => {
    asked += 1
    void answer(receipts, request, movedByMs).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      response.end(body)
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const moveClock = (aheadMs: number) => {
    movedByMs = aheadMs
  }
  return { server, port: (server.address() as AddressInfo).port, asked: () => asked, moveClock }
}

const nothing = { parametros: { paginacao: { quantidadeDePaginas: 0 } }, infracoes: [], pix: [] }

async function answer(receipts: Receipts, request: IncomingMessage, adiantadoMs: number): Promise<Reply> {
  const url = new URL(request.url ?? "/", "http://bank")
  const [, , resource = "", id = ""] = url.pathname.split("/")
  if (url.pathname === "/oauth/token") return ok({ access_token: "bench", token_type: "Bearer", expires_in: 3600 })
  if (url.pathname === "/simulador/api/controle/relogio") return ok({ adiantadoMs })
  if (resource === "webhook") return ok({})
  // Charges aren't kept: one whose code is removed is as good as unknown.
  if (resource === "cob" && request.method !== "PUT") return { status: 404, body: "{}" }
  if (resource === "cob") return { status: 201, body: JSON.stringify(charge(id, JSON.parse(await bodyOf(request)))) }
  if (resource !== "pix") return ok(nothing)
  if (id === "") return list(receipts, url.searchParams)
  const found = receipts.find(id)
  return found === null ? { status: 404, body: "{}" } : { status: 200, body: found }
}

/** Nobody refunds here. */
function list(receipts: Receipts, query: URLSearchParams): Reply {
  if (query.get("devolucaoPresente") === "true") return ok(nothing)
  const perPage = Math.min(Number(query.get("paginacao.itensPorPagina") ?? 100), 1000)
  const window = { fromMs: Date.parse(query.get("inicio") ?? ""), toMs: Date.parse(query.get("fim") ?? "") }
  const { items, pages } = receipts.list(window, Number(query.get("paginacao.paginaAtual") ?? 0), perPage)
  const paging = `{"paginacao":{"itensPorPagina":${perPage},"quantidadeDePaginas":${pages}}}`
  return { status: 200, body: `{"parametros":${paging},"pix":[${items.join(",")}]}` }
}

interface AskedCharge {
  calendario: object
  valor: { original: string }
  chave: string
}

function charge(txid: string, { calendario, valor, chave }: AskedCharge) {
  const pixCopiaECola = encodeDynamic({
    url: `bank.example/qr/v2/${txid}`,
    amountCents: Math.round(Number(valor.original) * 100),
    merchantName: "TILINTA SANDBOX",
    merchantCity: "SAO PAULO",
  })
  return { txid, status: "ATIVA", revisao: 0, calendario, valor, chave, pixCopiaECola }
}

function ok(body: object): Reply {
  return { status: 200, body: JSON.stringify(body) }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
