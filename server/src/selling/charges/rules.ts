import { hash } from "node:crypto"
import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { type FeeRule, feeOf } from "@tilinta/contract/vocabulary/fee"
import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import {
  digitsOf,
  fieldsOf,
  hasVisible,
  payerDataProblem,
  type SentField,
} from "@tilinta/contract/vocabulary/payer-data"
import { type ChargeStatus, listedStatusOf, type TransactionStatus } from "@tilinta/contract/vocabulary/transactions"
import { parseCnpj, parseEmail, parsePhone } from "@tilinta/contract/vocabulary/typed-data"
import { secondsAfter } from "#kit/clock"
import { brokenRule } from "#kit/errors"
import { newId, newTxid } from "#kit/ids"
import type { Order, PageToCharge } from "#selling/charge-pages/rules"

/** One Pix requested on a page. Its fee is frozen at creation. */
export interface Charge {
  id: string
  sellerId: string
  /** Null for money that belonged to no page and was accepted for the seller. */
  pageId: string | null
  /** Null for an accepted unmatched payment: the provider never had such a charge. */
  txid: string | null
  provider: string
  status: ChargeStatus
  amountCents: Cents
  fee: FeeRule
  feeCents: Cents
  netCents: Cents
  refundedCents: Cents
  /** The share of the fee returned with the refunds. */
  refundedFeeCents: Cents
  pageTitle: string
  description: string
  pixCode: string | null
  /** The time when the payer could first see the code. */
  openedAt: Date | null
  expiresAt: Date
  payer: PayerData
  /** When the payer's data were erased, so that nothing is left of them here. */
  payerErasedAt: Date | null
  idempotencyKey: string | null
  requestHash: Buffer | null
  endToEndId: string | null
  paidAt: Date | null
  isLate: boolean
  isDuplicate: boolean
  removal: "none" | "due" | "done" | "given_up"
  createdAt: Date
  updatedAt: Date
}

/** A charge as requested by a payer: with a page and a txid. */
export type PageCharge = Charge & { pageId: string; txid: string }

/** A charge whose code may be shown. */
export type OpenCharge = PageCharge & { pixCode: string }

export interface PayerData {
  name: string | null
  email: string | null
  cpf: string | null
  /** A company's, instead of a CPF. */
  cnpj: string | null
  phone: string | null
}

/** The one address of a payment's receipt, with the payer's token as it was sent, or without one. */
export function proofPath(transactionId: string, payerToken: unknown): string {
  const query = new URLSearchParams({ transactionId, ...(typeof payerToken === "string" && { k: payerToken }) })
  return `/payment/success?${query.toString()}`
}

/** Longer than any request for a Pix may take. */
export const LONGEST_REQUEST_SECONDS = 45

/**
 * The provider may still be working on a charge that is being created, and would then not find it. Its answer or the
 * end of any request makes it removable.
 */
export function removableWhenAnswered(now: Date): Date {
  return secondsAfter(now, LONGEST_REQUEST_SECONDS)
}

/** The bank may have taken the money in the last second, so 'expired' is delayed by a grace period. */
export const GRACE_MS = 3_000

export function chargeStatusAt(charge: Pick<Charge, "status" | "expiresAt">, now: Date): ChargeStatus {
  const isOver = charge.status === "pending" && charge.expiresAt.getTime() + GRACE_MS <= now.getTime()
  return isOver ? "expired" : charge.status
}

/** The status shown in lists: a charge being created has no name of its own. */
export type ListedCharge = Charge & { status: TransactionStatus }

/** With what it charges for in the seller's own system. */
export type OrderedCharge = ListedCharge & { order: Order }

/** With how often its receipt was verified. */
export type VerifiedCharge<C> = C & { receiptVerifications: number }

export function asListed<C extends Charge>(charge: C, now: Date): C & { status: TransactionStatus } {
  const status = chargeStatusAt(charge, now)
  return { ...charge, status: listedStatusOf(status) }
}

interface Facts {
  /** With the amount that its payer chose. */
  page: Pick<
    PageToCharge,
    "id" | "sellerId" | "title" | "description" | "amountCents" | "choice" | "expiresAt" | "terms"
  >
  payer: PayerData
  provider: string
  idempotencyKey: string | null
  now: Date
}

/** A charge that neither the database nor the provider knows yet. */
export function draftCharge({ page, payer, provider, idempotencyKey, now }: Facts): PageCharge {
  const { fee, expirationMinutes } = page.terms
  const latest = secondsAfter(now, expirationMinutes * 60)
  const feeCents = feeOf(fee, page.amountCents)
  return {
    id: newId(),
    sellerId: page.sellerId,
    pageId: page.id,
    txid: newTxid(now),
    provider,
    status: "creating",
    amountCents: page.amountCents,
    fee,
    feeCents,
    netCents: subtractCents(page.amountCents, feeCents),
    refundedCents: noMoney,
    refundedFeeCents: noMoney,
    pageTitle: page.title,
    description: page.description || page.title,
    pixCode: null,
    openedAt: null,
    expiresAt: page.expiresAt !== null && page.expiresAt < latest ? page.expiresAt : latest,
    payer,
    payerErasedAt: null,
    idempotencyKey,
    // A fixed amount isn't the payer's: the seller may change it between two tries.
    requestHash: hash("sha256", JSON.stringify([page.id, payer, page.choice && page.amountCents]), "buffer"),
    endToEndId: null,
    paidAt: null,
    isLate: false,
    isDuplicate: false,
    removal: "none",
    createdAt: now,
    updatedAt: now,
  }
}

export const noPayerData: PayerData = { name: null, email: null, cpf: null, cnpj: null, phone: null }

/** Keeps the wanted fields alone, each of which must be sent and valid. @throws validation_failed */
export function checkedPayerData(sent: CustomerInfoBody, wanted: readonly SentField[], path: string): PayerData {
  if (sent.cpf && sent.cnpj) throw brokenRule(`${path}.cnpj`, "Informe o CPF ou o CNPJ, não os dois.")
  const fields = fieldsOf(sent, wanted)
  const problem = payerDataProblem(sent, fields)
  if (problem !== null) throw brokenRule(`${path}.${problem.field}`, problem.message)
  const cnpj = checkedCnpj(sent.cnpj, path)
  const wants = (field: SentField) => fields.includes(field)
  if (wants("name") && !hasVisible(sent.name ?? "")) throw brokenRule(`${path}.name`, "Nome é obrigatório")
  const email = wants("email") ? parseEmail(sent.email ?? "") : null
  if (wants("email") && email === null) throw brokenRule(`${path}.email`, "E-mail inválido")
  const phone = wants("phone") ? parsePhone(sent.phone ?? "") : null
  if (wants("phone") && phone === null) throw brokenRule(`${path}.phone`, "Informe o telefone com DDD")
  return {
    name: wants("name") ? (sent.name ?? null) : null,
    email,
    cpf: wants("cpf") ? digitsOf(sent.cpf) : null,
    cnpj: wants("cnpj") ? cnpj : null,
    phone,
  }
}

function checkedCnpj(sent: string | null | undefined, path: string): string | null {
  if (!sent) return null
  const cnpj = parseCnpj(sent)
  if (cnpj === null) throw brokenRule(`${path}.cnpj`, "CNPJ inválido")
  return cnpj
}

export interface DueRemoval {
  id: string
  txid: string
  /** When we ended it. */
  endedAt: Date
  expiresAt: Date
}

/** A document without punctuation as a payer's CPF, or the CNPJ that its length says. */
export function payerDocument(document: string | null): Pick<PayerData, "cpf" | "cnpj"> {
  return document?.length === 14 ? { cpf: null, cnpj: document } : { cpf: document, cnpj: null }
}

/** A customer as a payer. */
export function payerDataOf({
  name,
  document,
  email,
  phone,
}: Record<"name" | "document" | "email" | "phone", string | null>): PayerData {
  return { name: name || null, email, phone, ...payerDocument(document) }
}

/** A named price at the counter. */
export interface Favourite {
  name: string
  amountCents: Cents
}
