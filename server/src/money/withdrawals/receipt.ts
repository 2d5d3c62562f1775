import type { Readable } from "node:stream"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { type Day, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { documentOf, isOwnDocument } from "#money/destinations/rules"
import { openReceipt, type ReceiptLine } from "#money/receipts/pdf"
import { findOwnCnpj } from "#people/shops/reads"
import { getUser } from "#people/users/reads"
import { momentText } from "#platform/mails/mail-content"
import { methodLabels } from "#platform/mails/money-letters"
import { readPlatform } from "#platform/settings/reads"
import { getWithdrawal } from "./reads.ts"
import { maskedDestination, type Withdrawal } from "./withdrawal.ts"

interface WithdrawalReceipt {
  /** The day on which it was paid. */
  day: Day
  content: Readable
}

/** One page to print and pass on. @throws withdrawal_not_paid */
export async function withdrawalReceipt(db: Db, own: { id: string; sellerId: string }): Promise<WithdrawalReceipt> {
  const withdrawal = await getWithdrawal(db, own)
  const { status, processedAt: paidAt, amountCents } = withdrawal
  if (status !== "completed" || paidAt === null) throw new DomainError("withdrawal_not_paid")
  const [{ name, cpf }, company, { name: platformName }] = await Promise.all([
    getUser(db, own.sellerId),
    findOwnCnpj(db, own.sellerId),
    readPlatform(db),
  ])
  const lines = linesOf(withdrawal, { name, cpf, cnpj: company?.cnpj ?? null }, paidAt)
  const { document } = await openReceipt({ title: "Comprovante de saque", amountCents, platformName, lines })
  document.end()
  return { day: saoPauloDay(paidAt), content: document }
}

interface Seller {
  name: string
  cpf: string
  cnpj: string | null
}

/** The holder of a key is known to its bank alone, unless the key is the seller's own document. */
function linesOf(withdrawal: Withdrawal, seller: Seller, paidAt: Date): ReceiptLine[] {
  const { id, destination, endToEndId, createdAt, returnedCents } = withdrawal
  const place = maskedDestination(destination)
  const isOwn = isOwnDocument(documentOf(destination), seller)
  const inBrasilia = (at: Date) => `${momentText(at.toISOString())} (horário de Brasília)`
  return [
    { label: "Quem recebeu", value: isOwn ? `${seller.name}, ${place}` : place },
    { label: "Quem pediu", value: seller.name },
    { label: "Pago em", value: inBrasilia(paidAt) },
    { label: "Pedido em", value: inBrasilia(createdAt) },
    { label: "Por", value: methodLabels[destination.method] },
    ...(endToEndId === null ? [] : [{ label: "ID do Pix (endToEndId)", value: endToEndId }]),
    { label: "Código do saque", value: id },
    ...(returnedCents > 0 ? [{ label: "Devolvido desde então", value: reaisText(returnedCents) }] : []),
  ]
}
