import type { FastifyRequest } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import type { Payment } from "./charge-books.ts"
import { latestOf } from "./due-charge-books.ts"
import type { Operation } from "./fault-kinds.ts"
import type { Occasion } from "./faults.ts"
import { Problem, type ProblemType } from "./problem.ts"

type Parts = {
  charges: Bank["charges"]
  dueCharges: Bank["dueCharges"]
  payments: Bank["payments"]
  payouts: Bank["payouts"]
}

type BothKinds = Pick<Parts, "charges" | "dueCharges">

export function occasionOfCharge(bank: BothKinds, txid: string | null): Occasion {
  return { names: setOf(namesOfCharge(bank, txid)) }
}

export function occasionOfPayment(bank: BothKinds, { endToEndId, txid }: Payment): Occasion {
  return { names: setOf([endToEndId, ...namesOfCharge(bank, txid)]) }
}

/** Every name by which a fault may be limited to this call. */
export function occasionOfRequest(bank: Parts, request: FastifyRequest): Occasion {
  const params = textsOf(request.params)
  const body = request.body as
    | { solicitacaoPagador?: unknown; favorecido?: unknown; vinculo?: unknown }
    | null
    | undefined
  const payment = bank.payments.find(params["endToEndId"] ?? "")
  const names = [
    ...Object.values(params),
    ...namesOfCharge(bank, params["txid"] ?? payment?.txid ?? null),
    bank.payouts.find(params["idEnvio"] ?? "")?.payeeKey,
    body?.solicitacaoPagador,
    textsOf(body?.favorecido)["chave"],
    textsOf(body?.vinculo)["contrato"],
  ]
  return { names: setOf(names), operation: operationOf(request.routeOptions.url ?? ""), method: request.method }
}

function namesOfCharge({ charges, dueCharges }: BothKinds, txid: string | null): unknown[] {
  if (txid === null) return []
  const due = dueCharges.findByTxid(txid)
  return [txid, charges.findByTxid(txid)?.details.solicitacaoPagador, due && latestOf(due).solicitacaoPagador]
}

function textsOf(value: unknown): Record<string, string> {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"))
}

function setOf(names: unknown[]): Set<string> {
  return new Set(names.filter((name) => typeof name === "string"))
}

const operationsByPath: [RegExp, Operation][] = [
  [/\/oauth\/token$/, "token"],
  [/\/devolucao\//, "devolucao"],
  [/\/infrac/, "contestacao"],
  [/\/gn\/pix\b/, "envio"],
  [/\/cob\b/, "cob"],
  [/\/cobv\b/, "cobv"],
  [/\/webhook/, "webhook"],
  [/\/cobr\b/, "cobr"],
  [/\/(?:loc|solic)?rec\b/, "rec"],
  [/\/pix\b/, "pix"],
]

function operationOf(path: string): Operation | undefined {
  return operationsByPath.find(([pattern]) => pattern.test(path))?.[1]
}

/** An invalid request to the simulator itself, with a message for the sender. */
export class RequestRefused extends Error {
  readonly status: 400 | 403 | 404

  constructor(status: 400 | 403 | 404, message: string) {
    super(message)
    this.status = status
  }
}

export function bodyOf<Schema extends z.ZodType>(request: FastifyRequest, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(request.body)
  if (parsed.success) return parsed.data
  throw new RequestRefused(400, `Pedido inválido: ${z.prettifyError(parsed.error)}`)
}

/** Fault: some banks refuse a repeated request instead of answering it as before. */
export function refuseRepeated(bank: Bank, type: ProblemType, occasion: Occasion): void {
  if (bank.faultRules.strike("repetido-409", { ...occasion, method: "PUT" }) === undefined) return
  throw new Problem(type, 409, "O identificador informado já está em uso.")
}
