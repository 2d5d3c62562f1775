import type { Readable } from "node:stream"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { type Day, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { SigningKeys } from "#money/chain/keys"
import { documentOf, isOwnDocument } from "#money/destinations/rules"
import { findHandPayouts } from "#money/hand-payouts/reads"
import { isOurName } from "#money/hand-payouts/rules"
import { getWithdrawal } from "#money/withdrawals/reads"
import { maskedDestination, type Withdrawal } from "#money/withdrawals/withdrawal"
import { findOwnCnpj } from "#people/shops/reads"
import { getUser } from "#people/users/reads"
import { momentText } from "#platform/mails/mail-content"
import { methodLabels } from "#platform/mails/money-letters"
import { readPlatform } from "#platform/settings/reads"
import { drawQr, openReceipt, type ReceiptLine } from "./pdf.ts"
import { type ReceiptContent, signReceipt, verifyUrlOf } from "./receipt.ts"

interface Deps {
  db: Db
  signingKeys: SigningKeys
  payersUrl: string
}

interface SignedWithdrawal {
  content: ReceiptContent
  text: string
  verifyUrl: string
  withdrawal: Withdrawal
  paidAt: Date
  seller: Seller
}

interface Seller {
  name: string
  cpf: string
  cnpj: string | null
}

/**
 * The same signed text as a payment's: it says who asked and, masked, where it went, and stays true when it comes back, which
 * its verification then says. @throws withdrawal_not_paid
 */
export async function signWithdrawal(
  { db, signingKeys, payersUrl }: Deps,
  own: { id: string; sellerId: string },
): Promise<SignedWithdrawal> {
  const withdrawal = await getWithdrawal(db, own)
  const { status, processedAt: paidAt, amountCents, destination, endToEndId, id } = withdrawal
  if (status !== "completed" || paidAt === null) throw new DomainError("withdrawal_not_paid")
  const [{ name, cpf }, company] = await Promise.all([getUser(db, own.sellerId), findOwnCnpj(db, own.sellerId)])
  const facts = {
    amountCents,
    receiver: `Saque de ${name} para ${maskedDestination(destination)}`,
    receiverDocument: null,
    paidAt,
    // Without one of the bank's, as after a transfer, our own name for it.
    endToEndId: endToEndId ?? id,
    payerDigits: null,
  }
  const text = await signReceipt(signingKeys, facts)
  return {
    content: { ...facts, payerCpf: null, payerCnpj: null },
    text,
    verifyUrl: verifyUrlOf(payersUrl, text),
    withdrawal,
    paidAt,
    seller: { name, cpf, cnpj: company?.cnpj ?? null },
  }
}

interface WithdrawalReceipt {
  /** The day on which it was paid. */
  day: Day
  content: Readable
}

/** One page to print and pass on. @throws withdrawal_not_paid */
export async function withdrawalReceipt(deps: Deps, own: { id: string; sellerId: string }): Promise<WithdrawalReceipt> {
  const { withdrawal, seller, paidAt, verifyUrl } = await signWithdrawal(deps, own)
  const { amountCents, id } = withdrawal
  const [{ name: platformName }, payouts] = await Promise.all([
    readPlatform(deps.db),
    findHandPayouts(deps.db, [id], paidAt),
  ])
  const lines = linesOf(withdrawal, { seller, paidAt, bankId: payouts.get(id)?.bankId ?? null })
  const { document, width } = await openReceipt({ title: "Comprovante de saque", amountCents, platformName, lines })
  const note = "Aponte a câmera do celular para conferir se este comprovante é verdadeiro e se o valor voltou depois."
  drawQr(document, { text: verifyUrl, width, note })
  document.end()
  return { day: saoPauloDay(paidAt), content: document }
}

interface Paid {
  seller: Seller
  paidAt: Date
  bankId: string | null
}

/** The holder of a key is known to its bank alone, unless the key is the seller's own document. */
function linesOf(withdrawal: Withdrawal, { seller, paidAt, bankId }: Paid): ReceiptLine[] {
  const { id, destination, endToEndId, createdAt, returnedCents } = withdrawal
  const place = maskedDestination(destination)
  const isOwn = isOwnDocument(documentOf(destination), seller)
  const isOfBank = bankId !== null && !isOurName(bankId)
  const inBrasilia = (at: Date) => `${momentText(at.toISOString())} (horário de Brasília)`
  return [
    { label: "Quem recebeu", value: isOwn ? `${seller.name}, ${place}` : place },
    { label: "Quem pediu", value: seller.name },
    { label: "Pago em", value: inBrasilia(paidAt) },
    { label: "Pedido em", value: inBrasilia(createdAt) },
    { label: "Por", value: methodLabels[destination.method] },
    ...(endToEndId === null ? [] : [{ label: "ID do Pix (endToEndId)", value: endToEndId }]),
    ...(isOfBank && bankId !== endToEndId ? [{ label: "Identificador do banco", value: bankId }] : []),
    { label: "Código do saque", value: id },
    ...(returnedCents > 0 ? [{ label: "Devolvido desde então", value: reaisText(returnedCents) }] : []),
  ]
}
