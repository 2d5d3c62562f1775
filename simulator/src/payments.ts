import { decodeBrCode } from "@tilinta/brcode/decode"
import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { centsFromValor, valorFromCents } from "./books.ts"
import type { Charge, Payment } from "./charge-books.ts"
import { amountOn, type Deviations, type DueCharge, dayOf, lastDay, latestOf, termsOf } from "./due-charge-books.ts"
import type { FaultName } from "./fault-kinds.ts"
import { occasionOfCharge, occasionOfPayment } from "./occasions.ts"
import { listParameters, Problem, pageOf, parseRequest, paymentListQuery } from "./problem.ts"
import { newEndToEndId, toNotifiedPix, toPix } from "./views.ts"
import { oweNotice } from "./webhooks.ts"

type Receipt = Pick<Payment, "txid" | "amountCents" | "payerNote"> & { now: number; endToEndId?: string }

/** Books the payment together with the notice that it owes. Call it within a write. */
export function bookPayment(
  bank: Bank,
  { txid, amountCents, payerNote, now, endToEndId = newEndToEndId(now) }: Receipt,
): Payment {
  const { receiverKey } = bank.account
  const payment: Payment = { endToEndId, txid, amountCents, receiverKey, payerNote, paidAt: now }
  bank.payments.insert(payment)
  if (txid !== null)
    oweNotice(bank, toNotifiedPix(payment, [], now), { occasion: occasionOfPayment(bank, payment), now })
  return payment
}

/** A payment without a charge of its own: a static code, an imitated txid, a wrong amount, a second payment. */
export async function receiveStray(bank: Bank, stray: Omit<Receipt, "now">): Promise<Payment> {
  const payment = await bank.books.write(() => bookPayment(bank, { ...stray, now: bank.clock.now() }))
  bank.delivery.wake()
  return payment
}

export function pixOf(bank: Bank, payment: Payment) {
  const parts = bank.dueCharges.findParts(payment.endToEndId)
  const listed = toPix(payment, bank.refunds.ofPayment(payment.endToEndId), bank.clock.now(), parts)
  if (bank.faultRules.isEmpty()) return listed
  const pix = withOddParts(bank, payment, listed)
  const isHit = bank.faultRules.strike("recebimento-ilegivel", occasionOfPayment(bank, payment)) !== undefined
  return isHit ? { ...pix, valor: `R$ ${pix.valor.replace(".", ",")}` } : pix
}

type Pix = ReturnType<typeof toPix>

/** Banks leave the parts out, write them otherwise, or get them wrong. */
function withOddParts(bank: Bank, payment: Payment, pix: Pix): Omit<Pix, "componentesValor"> & object {
  const strike = (kind: FaultName) => bank.faultRules.strike(kind, occasionOfPayment(bank, payment)) !== undefined
  const { componentesValor, ...rest } = pix
  if (strike("sem-componentes")) return rest
  const parts = Object.entries(componentesValor)
  const asNumbers = () => Object.fromEntries(parts.map(([name, { valor }]) => [name, Number(valor)]))
  if (strike("componentes-como-numero")) return Object.assign(rest, { componentesValor: asNumbers() })
  if (!strike("componentes-nao-somam")) return pix
  const original = { valor: valorFromCents((centsFromValor(componentesValor.original.valor) ?? 0) + 100) }
  return Object.assign(rest, { componentesValor: { ...componentesValor, original } })
}

/** Refusal by the payer's bank; the message is shown to the payer. */
export class PaymentRefused extends Error {}

/** Books the payment and its notice to the receiver in one transaction. */
export async function payCode(bank: Bank, pixCode: string, payerNote: string | null): Promise<Payment> {
  const location = locationOf(pixCode)
  const payment = await bank.books.write(() => {
    const paidAt = bank.clock.now()
    const due = bank.dueCharges.findByLocation(location)
    if (due !== undefined) return payDueCharge(bank, due, { payerNote, now: paidAt })
    const charge = chargeAt(bank, location)
    refuseUnlessTooLate(bank, charge, paidAt)
    return recordPayment(bank, charge, payerNote, paidAt)
  })
  bank.delivery.wake()
  return payment
}

export function findDueChargeOfCode(bank: Bank, pixCode: string): DueCharge | undefined {
  return bank.dueCharges.findByLocation(locationOf(pixCode))
}

function deviationsOf(bank: Bank, charge: DueCharge): Deviations {
  const strike = (kind: FaultName) => bank.faultRules.strike(kind, occasionOfCharge(bank, charge.txid)) !== undefined
  return {
    roundsDown: strike("arredonda-para-baixo"),
    keepsDueDay: strike("nao-prorroga-vencimento"),
    hasMunicipalHoliday: strike("feriado-municipal"),
    endsOnWeekend: strike("recusa-na-segunda"),
  }
}

export function whyDueNotPayable(charge: DueCharge, now: number, deviations: Deviations = {}): string | undefined {
  if (charge.status === "CONCLUIDA") return "Esta cobrança já foi paga."
  if (charge.status !== "ATIVA") return "Esta cobrança foi cancelada por quem a criou."
  const isOver = dayOf(now) > lastDay(termsOf(latestOf(charge)), deviations)
  return isOver ? "O prazo para pagar esta cobrança terminou." : undefined
}

/** The amount of the day, as this bank computes it. */
function payDueCharge(
  bank: Bank,
  charge: DueCharge,
  { payerNote, now }: { payerNote: string | null; now: number },
): Payment {
  const occasion = occasionOfCharge(bank, charge.txid)
  const strike = (kind: FaultName) => bank.faultRules.strike(kind, occasion)
  const deviations = deviationsOf(bank, charge)
  const refusal = whyDueNotPayable(charge, now, deviations)
  if (refusal !== undefined) {
    const isTaken =
      charge.status === "ATIVA"
        ? strike("aceita-depois-da-validade")
        : charge.status !== "CONCLUIDA"
          ? strike("aceita-fora-do-prazo")
          : undefined
    if (isTaken === undefined) throw new PaymentRefused(refusal)
  }
  const before = charge.revisions.at(-2)
  const wanted =
    before !== undefined && strike("paga-valor-da-revisao-anterior") !== undefined ? before : latestOf(charge)
  const terms = termsOf(wanted)
  const parts = { ...amountOn(terms, dayOf(now), deviations), original: terms.amountCents as number }
  const other = strike("paga-outro-valor")
  const amountCents = other ?? parts.amount
  if (strike("sem-txid") !== undefined) return bookPayment(bank, { txid: null, amountCents, payerNote, now })
  if (charge.status === "ATIVA" && !bank.dueCharges.conclude(charge.txid)) {
    throw new PaymentRefused("Esta cobrança já foi paga.")
  }
  const receipt = { txid: charge.txid, amountCents, payerNote, now }
  const book = () => {
    const payment = bookPayment(bank, receipt)
    if (other === undefined) bank.dueCharges.storeParts(payment.endToEndId, parts)
    return payment
  }
  if (strike("paga-duas-vezes") !== undefined) book()
  return book()
}

export function findChargeOfCode(bank: Bank, pixCode: string): Charge {
  return chargeAt(bank, locationOf(pixCode))
}

/** The standard has no status for expiry, but no bank pays an expired charge. */
export function whyNotPayable(charge: Charge, now: number): string | undefined {
  if (charge.status === "CONCLUIDA") return "Esta cobrança já foi paga."
  if (charge.status !== "ATIVA") return "Esta cobrança foi cancelada por quem a criou."
  if (now >= expiryOf(charge)) return "Este código Pix expirou. Peça um novo a quem está cobrando."
  return undefined
}

export function expiryOf(charge: Charge): number {
  return charge.createdAt + charge.lifetimeSeconds * 1000
}

/** Around a charge's expiry either side may be faster: some banks then still take the money. */
function refuseUnlessTooLate(bank: Bank, charge: Charge, now: number): void {
  const refusal = whyNotPayable(charge, now)
  if (refusal === undefined) return
  const isOver = charge.status !== "CONCLUIDA"
  if (isOver && bank.faultRules.strike("aceita-fora-do-prazo", occasionOfCharge(bank, charge.txid)) !== undefined)
    return
  throw new PaymentRefused(refusal)
}

function recordPayment(bank: Bank, charge: Charge, payerNote: string | null, now: number): Payment {
  const occasion = occasionOfCharge(bank, charge.txid)
  const strike = (kind: FaultName) => bank.faultRules.strike(kind, occasion)
  const amountCents = strike("paga-outro-valor") ?? charge.amountCents
  if (strike("sem-txid") !== undefined) return bookPayment(bank, { txid: null, amountCents, payerNote, now })

  if (charge.status === "ATIVA" && !bank.charges.conclude(charge.txid)) {
    throw new PaymentRefused("Esta cobrança já foi paga.")
  }
  const receipt = { txid: charge.txid, amountCents, payerNote, now }
  if (strike("paga-duas-vezes") !== undefined) bookPayment(bank, receipt)
  return bookPayment(bank, receipt)
}

function chargeAt(bank: Bank, location: string): Charge {
  const charge = bank.charges.findByLocation(location)
  if (charge === undefined)
    throw new PaymentRefused("Cobrança não encontrada: este código não foi criado neste simulador.")
  return charge
}

function locationOf(pixCode: string): string {
  const { url } = addressesIn(pixCode)
  if (url !== undefined) return url
  throw new PaymentRefused("Este código é estático; o simulador só paga cobranças que ele mesmo registrou.")
}

/** Those of the charge that the code pays and of the recurrence that it authorises. */
export function addressesIn(pixCode: string): { url?: string | undefined; urlRec?: string | undefined } {
  const decoded = decodeBrCode(pixCode.trim())
  if (!decoded.valid) throw new PaymentRefused(`Código Pix inválido: ${decoded.error}.`)
  return decoded.code
}

const invalidQuery =
  "Os parâmetros de consulta à lista de pix recebidos não respeitam o _schema_ ou não fazem sentido semanticamente."

const pixParams = z.object({ endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/) })
const consultation = { problem: "PixConsultaInvalida", detail: invalidQuery } as const

export function pixRoutes(app: FastifyInstance, bank: Bank): void {
  app.get("/pix/:endToEndId", { config: { scope: "pix.read" } }, async (request) => {
    const { endToEndId } = parseRequest(request.params, { schema: pixParams, ...consultation })
    const payment = bank.payments.find(endToEndId)
    if (payment === undefined) throw new Problem("PixNaoEncontrado", 404, "Pix não encontrado para o e2eid informado.")
    return pixOf(bank, payment)
  })

  app.get("/pix", { config: { scope: "pix.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: paymentListQuery, ...consultation })
    const { txid, txIdPresente: hasTxid, devolucaoPresente: hasRefund } = query
    const filter = { from: query.inicio, to: query.fim, txid, hasTxid, hasRefund }
    // This bank never reports the payer, so a filter by payer matches nothing.
    const isEmpty = query.cpf !== undefined || query.cnpj !== undefined
    const total = isEmpty ? 0 : bank.payments.count(filter)
    const { limit, offset } = pageOf(query)
    const payments = isEmpty ? [] : bank.payments.page(filter, limit, offset)
    return { parametros: listParameters(query, total), pix: payments.map((payment) => pixOf(bank, payment)) }
  })
}
