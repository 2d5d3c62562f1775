import type { FastifyRequest } from "fastify"
import type { Bank } from "./bank.ts"
import type { Operation } from "./fault-kinds.ts"
import type { Occasion } from "./fault-rules.ts"
import type { Payment } from "./payment-book.ts"

type Parts = { charges: Bank["charges"]; payments: Bank["payments"]; payouts: Bank["payouts"] }

export function occasionOfCharge({ charges }: Pick<Parts, "charges">, txid: string | null): Occasion {
  return { names: setOf(namesOfCharge(charges, txid)) }
}

export function occasionOfPayment({ charges }: Pick<Parts, "charges">, { endToEndId, txid }: Payment): Occasion {
  return { names: setOf([endToEndId, ...namesOfCharge(charges, txid)]) }
}

/** Every name by which a fault may be limited to this call. */
export function occasionOfRequest(bank: Parts, request: FastifyRequest): Occasion {
  const params = textsOf(request.params)
  const body = request.body as { solicitacaoPagador?: unknown; favorecido?: unknown } | null | undefined
  const payment = bank.payments.find(params["endToEndId"] ?? "")
  const names = [
    ...Object.values(params),
    ...namesOfCharge(bank.charges, params["txid"] ?? payment?.txid ?? null),
    bank.payouts.find(params["idEnvio"] ?? "")?.payeeKey,
    body?.solicitacaoPagador,
    textsOf(body?.favorecido)["chave"],
  ]
  return { names: setOf(names), operation: operationOf(request.routeOptions.url ?? ""), method: request.method }
}

function namesOfCharge(charges: Parts["charges"], txid: string | null): unknown[] {
  return txid === null ? [] : [txid, charges.findByTxid(txid)?.details.solicitacaoPagador]
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
  [/\/webhook\b/, "webhook"],
  [/\/pix\b/, "pix"],
]

function operationOf(path: string): Operation | undefined {
  return operationsByPath.find(([pattern]) => pattern.test(path))?.[1]
}
