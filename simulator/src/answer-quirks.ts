import type { FastifyReply } from "fastify"
import type { FaultName } from "./fault-kinds.ts"
import { codeOfAnotherKey, withAnotherAmount, withWrongSum } from "./pix-code-quirks.ts"

type Strike = (kind: FaultName) => number | undefined
type Fields = Record<string, unknown>

/** Deviations of real banks from the standard, in answers that are right otherwise. */
export function quirkyAnswer(strike: Strike, reply: FastifyReply, payload: unknown): unknown {
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
