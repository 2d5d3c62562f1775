import { randomBytes } from "node:crypto"
import { encodeDynamic } from "@tilinta/brcode/encode"
import type { Account, Bank } from "./bank.ts"
import { centsFromValor } from "./cents.ts"
import type { Charge } from "./charge-book.ts"
import {
  type ChargeRequest,
  type ChargeRevision,
  definedDetails,
  invalidCharge,
  invalidChargeProblem,
  refuseForeignParts,
} from "./charge-request.ts"
import { occasionOfCharge } from "./occasions.ts"
import { Problem } from "./problem.ts"
import { refuseRepeated } from "./refuse-repeated.ts"

/**
 * PUT /cob/{txid}. Idempotent: clients repeat it after a timeout, and an equal request is answered with the same
 * charge.
 */
export async function requestCharge(bank: Bank, txid: string, request: ChargeRequest): Promise<Charge> {
  refuseForeignParts(request, bank.account.receiverKey)
  const requested = JSON.stringify(request)
  return bank.books.write(() => {
    const existing = bank.charges.findByTxid(txid)
    if (existing === undefined) return bank.charges.insert(newCharge(bank, txid, request, requested))
    if (existing.requested === requested) {
      refuseRepeated(bank, "CobOperacaoInvalida", { ...occasionOfCharge(bank, txid), operation: "cob" })
      return existing
    }
    throw invalidChargeProblem("O campo cob.txid encontra-se em uso por uma cobrança com outros dados.", "cob.txid")
  })
}

/** PATCH /cob/{txid}. */
export async function reviseCharge(bank: Bank, txid: string, revision: ChargeRevision): Promise<Charge> {
  refuseForeignParts(revision, bank.account.receiverKey)
  const { status, ...changes } = revision
  if (status !== undefined && Object.keys(changes).length > 0) {
    throw invalidChargeProblem("Não faz sentido remover uma cobrança juntamente com outras alterações.", "cob.status")
  }
  return bank.books.write(() => {
    const charge = bank.charges.findByTxid(txid)
    if (charge === undefined) throw chargeNotFound()
    if (charge.status !== "ATIVA") {
      throw new Problem("CobOperacaoInvalida", 400, "Somente cobranças com o status ATIVA podem ser revisadas.")
    }
    const revised = revisedCharge(bank.account, charge, revision)
    bank.charges.update(revised)
    return revised
  })
}

export function chargeNotFound(): Problem {
  return new Problem("CobNaoEncontrado", 404, "Cobrança não encontrada para o txid informado.")
}

function newCharge(
  { account, clock }: Bank,
  txid: string,
  request: ChargeRequest,
  requested: string,
): Omit<Charge, "locationId"> {
  const location = `${account.locationBase}/qr/v2/${randomBytes(16).toString("hex")}`
  const amountCents = amountOf(request.valor.original)
  return {
    txid,
    status: "ATIVA",
    revision: 0,
    createdAt: clock.now(),
    lifetimeSeconds: request.calendario.expiracao,
    amountCents,
    receiverKey: request.chave,
    location,
    pixCode: pixCodeOf(account, location, amountCents),
    details: definedDetails(request),
    requested,
  }
}

function revisedCharge(
  account: Account,
  charge: Charge,
  { status, valor, calendario, ...rest }: ChargeRevision,
): Charge {
  const amountCents = valor === undefined ? charge.amountCents : amountOf(valor.original)
  return {
    ...charge,
    status: status ?? charge.status,
    revision: charge.revision + 1,
    lifetimeSeconds: calendario?.expiracao ?? charge.lifetimeSeconds,
    amountCents,
    pixCode: amountCents === charge.amountCents ? charge.pixCode : pixCodeOf(account, charge.location, amountCents),
    details: { ...charge.details, ...definedDetails(rest) },
  }
}

function amountOf(valor: string): number {
  const amountCents = centsFromValor(valor)
  if (amountCents === undefined) throw new Problem("CobOperacaoInvalida", 400, invalidCharge)
  return amountCents
}

function pixCodeOf({ merchantName, merchantCity }: Account, url: string, amountCents: number): string {
  return encodeDynamic({ url, merchantName, merchantCity, amountCents })
}
