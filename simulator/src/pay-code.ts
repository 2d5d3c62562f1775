import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Bank } from "./bank.ts"
import type { Charge } from "./charge-book.ts"
import type { FaultName } from "./fault-kinds.ts"
import { occasionOfCharge } from "./occasions.ts"
import type { Payment } from "./payment-book.ts"
import { bookPayment } from "./receive-payment.ts"

/** Refusal by the payer's bank; the message is shown to the payer. */
export class PaymentRefused extends Error {}

/** Books the payment and its notice to the receiver in one transaction. */
export async function payCode(bank: Bank, pixCode: string, payerNote: string | null): Promise<Payment> {
  const location = locationOf(pixCode)
  const payment = await bank.books.write(() => {
    const paidAt = bank.clock.now()
    const charge = chargeAt(bank, location)
    refuseUnlessTooLate(bank, charge, paidAt)
    return recordPayment(bank, charge, payerNote, paidAt)
  })
  bank.delivery.wake()
  return payment
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
  const decoded = decodeBrCode(pixCode.trim())
  if (!decoded.valid) throw new PaymentRefused(`Código Pix inválido: ${decoded.error}.`)
  if (decoded.code.url === undefined) {
    throw new PaymentRefused("Este código é estático; o simulador só paga cobranças que ele mesmo registrou.")
  }
  return decoded.code.url
}
