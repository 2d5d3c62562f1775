import { Readable } from "node:stream"
import { setTimeout as wait } from "node:timers/promises"
import { decodeBrCode } from "@tilinta/brcode/decode"
import { encodeDynamic, encodeStatic } from "@tilinta/brcode/encode"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
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

type Fields = Record<string, unknown>

/** Deviations of real banks from the standard, in answers that are right otherwise. */
function quirkyAnswer(strike: Strike, reply: FastifyReply, payload: unknown): unknown {
  if (reply.statusCode === 201 && strike("status-200") !== undefined) reply.code(200)
  let answer = payload
  if (isFields(answer) && typeof answer["pixCopiaECola"] === "string")
    answer = quirkyCharge(strike, answer, answer["pixCopiaECola"])
  if (strike("numeros-como-texto") !== undefined) answer = mapLeaves(answer, numberAsText)
  if (strike("horario-local") !== undefined) answer = withLocalTimes(answer)
  return answer
}

export function withLocalTimes(answer: unknown): unknown {
  return mapLeaves(answer, instantAsLocal)
}

function quirkyCharge(strike: Strike, answer: Fields, code: string): Fields {
  const { pixCopiaECola: _, ...charge } = answer
  const pixCopiaECola = quirkyCode(strike, code)
  if (strike("so-location") !== undefined) return charge
  return strike("brcode") === undefined ? { ...charge, pixCopiaECola } : { ...charge, brcode: pixCopiaECola }
}

function quirkyCode(strike: Strike, code: string): string {
  if (strike("codigo-crc-errado") !== undefined) return withWrongSum(code)
  const more = strike("codigo-outro-valor")
  if (more !== undefined) return withAnotherAmount(code, more)
  return strike("codigo-outra-chave") === undefined ? code : codeOfAnotherKey(code)
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, change))
  if (!isFields(value)) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapLeaves(each, change)]))
}

function numberAsText(leaf: unknown): unknown {
  return typeof leaf === "number" ? String(leaf) : leaf
}

const saoPauloMs = -3 * 3_600_000

/** Brazil has had no summer time since 2019. */
function instantAsLocal(leaf: unknown): unknown {
  if (typeof leaf !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(leaf)) return leaf
  return new Date(Date.parse(leaf) + saoPauloMs).toISOString().replace("Z", "")
}

function withWrongSum(code: string): string {
  return code.slice(0, -4) + (code.endsWith("0000") ? "1111" : "0000")
}

function withAnotherAmount(code: string, moreCents: number): string {
  const { url, merchantName, merchantCity, amountCents } = partsOf(code)
  return encodeDynamic({ url, merchantName, merchantCity, amountCents: amountCents + moreCents })
}

/** A static code of another receiver, as an attacker would substitute it. */
function codeOfAnotherKey(code: string): string {
  const { merchantName, merchantCity, amountCents } = partsOf(code)
  return encodeStatic({ key: "outra-pessoa@banco.example", merchantName, merchantCity, amountCents })
}

function partsOf(code: string) {
  const decoded = decodeBrCode(code)
  if (!decoded.valid) throw new Error(`this bank wrote a code that it can't read: ${decoded.error}`)
  const { url = "", merchantName, merchantCity, amountCents = 0 } = decoded.code
  return { url, merchantName, merchantCity, amountCents }
}
