import type { Readable } from "node:stream"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { type Day, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { typesetter } from "#kit/letters"
import { margin, writeLine } from "#money/receipts/pdf"
import { getUser } from "#people/users/reads"
import { momentText } from "#platform/mails/mail-content"
import { methodLabels } from "#platform/mails/money-letters"
import { readPlatform } from "#platform/settings/reads"
import { getWithdrawal } from "./reads.ts"
import { documentOf } from "./rules.ts"
import { maskedDestination, type Withdrawal } from "./withdrawal.ts"

interface WithdrawalReceipt {
  /** The day on which it was paid. */
  day: Day
  content: Readable
}

/** One page to print and pass on. Loads the library: few ask for it. @throws withdrawal_not_paid */
export async function withdrawalReceipt(db: Db, own: { id: string; sellerId: string }): Promise<WithdrawalReceipt> {
  const withdrawal = await getWithdrawal(db, own)
  const { status, processedAt: paidAt, amountCents } = withdrawal
  if (status !== "completed" || paidAt === null) throw new DomainError("withdrawal_not_paid")
  const [seller, { name: platformName }] = await Promise.all([getUser(db, own.sellerId), readPlatform(db)])
  const { default: Document } = await import("pdfkit")
  const title = "Comprovante de saque"
  const info = { Title: `${title} de ${reaisText(amountCents)}`, Author: platformName }
  const document = new Document({ size: "A5", margin, lang: "pt-BR", info })
  const set = await typesetter(document)
  const width = document.page.width - 2 * margin
  document.fontSize(10).fillColor("#444444").text(set(platformName), margin, margin)
  document.font("Helvetica-Bold").fontSize(22).fillColor("black").text(title, { paragraphGap: 2 })
  document.fontSize(26).text(reaisText(amountCents), { paragraphGap: 10 })
  for (const [label, value] of linesOf(withdrawal, seller, paidAt)) writeLine(document, { label, value, width, set })
  document.end()
  return { day: saoPauloDay(paidAt), content: document }
}

/** The holder of a key is known to its bank alone, unless the key is the seller's own document. */
function linesOf(withdrawal: Withdrawal, seller: { name: string; cpf: string }, paidAt: Date) {
  const { id, destination, endToEndId, createdAt, returnedCents } = withdrawal
  const isOwn = documentOf(destination) === seller.cpf
  const inBrasilia = (at: Date) => `${momentText(at.toISOString())} (horário de Brasília)`
  return [
    ["Quem recebeu", isOwn ? `${seller.name}, ${maskedDestination(destination)}` : maskedDestination(destination)],
    ["Quem pediu", seller.name],
    ["Pago em", inBrasilia(paidAt)],
    ["Pedido em", inBrasilia(createdAt)],
    ["Por", methodLabels[destination.method]],
    ...(endToEndId === null ? [] : [["ID do Pix (endToEndId)", endToEndId] as const]),
    ["Código do saque", id],
    ...(returnedCents > 0 ? [["Devolvido desde então", reaisText(returnedCents)] as const] : []),
  ] as const
}
