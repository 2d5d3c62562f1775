import { Readable } from "node:stream"
import { setTimeout as wait } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { quirkyAnswer } from "./answer-quirks.ts"
import type { Bank } from "./bank.ts"
import type { FaultName } from "./fault-kinds.ts"
import { occasionOfRequest } from "./occasions.ts"
import { Problem } from "./problem.ts"
import { bearerOf, type Tokens } from "./tokens.ts"

type Parts = { bank: Bank; tokens: Tokens; stopping: AbortSignal }

/** Faults between a client and the bank, before and after the bank does what it was asked for. */
export function answerFaults(app: FastifyInstance, { bank, tokens, stopping }: Parts): void {
  const strikeFor = (request: FastifyRequest) => {
    const occasion = occasionOfRequest(bank, request)
    return (kind: FaultName) => bank.faultRules.strike(kind, occasion)
  }
  const pause = (ms: number) => wait(ms, undefined, { signal: stopping }).catch(() => undefined)

  app.addHook("preHandler", async (request, reply) => {
    if (bank.faultRules.isEmpty()) return
    const strike = strikeFor(request)
    const silentMs = strike("timeout-antes")
    if (silentMs !== undefined) {
      await pause(silentMs)
      return breakConnection(request, reply)
    }
    if (strike("nao-autorizado") !== undefined) {
      tokens.revoke(bearerOf(request) ?? "")
      throw new Problem("AcessoNegado", 401, "Token de acesso expirado.")
    }
    return refusal(strike, reply)
  })

  app.addHook("preSerialization", async (request, reply, payload) => {
    if (bank.faultRules.isEmpty()) return payload
    return quirkyAnswer(strikeFor(request), reply, payload)
  })

  app.addHook("onSend", async (request, reply, payload) => {
    if (bank.faultRules.isEmpty()) return payload
    const strike = strikeFor(request)
    const lateMs = strike("atraso")
    if (lateMs !== undefined) await pause(lateMs)
    const silentMs = strike("timeout-apos-aceitar")
    if (silentMs !== undefined) {
      await pause(silentMs)
      breakConnection(request, reply)
      return payload
    }
    return typeof payload === "string" ? spoiled(strike, reply, payload, stopping) : payload
  })
}

export function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.destroy()
}

type Strike = (kind: FaultName) => number | undefined

/** Faults that refuse the request unprocessed. */
function refusal(strike: Strike, reply: FastifyReply): FastifyReply | undefined {
  if (strike("indisponivel") !== undefined)
    throw new Problem("ServicoIndisponivel", 503, "Serviço não está disponível no momento.")
  const waitSeconds = strike("muitas-requisicoes")
  if (waitSeconds !== undefined) {
    reply.header("retry-after", String(waitSeconds))
    throw new Problem("MuitasRequisicoes", 429, "Limite de requisições excedido.")
  }
  if (strike("erro-html") !== undefined) return reply.code(502).type("text/html").send(gatewayPage)
  if (strike("erro-xml") !== undefined) return reply.code(500).type("text/xml").send(soapFault)
  if (strike("redirecionamento") !== undefined) return reply.redirect("/manutencao", 302)
  return undefined
}

function spoiled(strike: Strike, reply: FastifyReply, payload: string, stopping: AbortSignal): string | Readable {
  if (strike("erro-apos-aceitar") !== undefined) {
    reply.code(500).type("application/json")
    return '{"status":500,"title":"Erro interno do servidor."}'
  }
  if (strike("json-cortado") !== undefined) return payload.slice(0, Math.ceil(payload.length / 2))
  const bytes = strike("resposta-enorme")
  if (bytes !== undefined) return payload.replace(/\}$/, `,"enchimento":"${"x".repeat(bytes)}"}`)
  const dripMs = strike("gotejamento")
  return dripMs === undefined ? payload : Readable.from(drops(payload, dripMs, stopping))
}

const dropCount = 20

async function* drops(payload: string, dripMs: number, stopping: AbortSignal): AsyncGenerator<string> {
  const size = Math.ceil(payload.length / dropCount)
  for (let start = 0; start < payload.length; start += size) {
    yield payload.slice(start, start + size)
    await wait(dripMs / dropCount, undefined, { signal: stopping }).catch(() => undefined)
  }
}

const gatewayPage = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"

const soapFault = `<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>
<soap:Fault><faultcode>soap:Server</faultcode><faultstring>Erro interno</faultstring></soap:Fault></soap:Body></soap:Envelope>`
