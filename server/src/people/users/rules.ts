import { isDeepStrictEqual } from "node:util"
import type { Address } from "@tilinta/contract/users"
import { auditFieldLabels } from "@tilinta/contract/vocabulary/audit"
import { ownFeeText } from "@tilinta/contract/vocabulary/fee"
import { type PaymentMails, paymentMailLabels } from "@tilinta/contract/vocabulary/mails"
import { type EmailState, type Role, roleLabels } from "@tilinta/contract/vocabulary/people"
import { accountTypeLabels, accountTypes } from "@tilinta/contract/vocabulary/withdrawals"
import { DomainError } from "#kit/errors"
import { hiddenText, lastOnes, maskedPixKey } from "#kit/log"
import type { Actor, AuditEntry } from "#platform/audit/rules"

export interface BankAccount {
  bank: string
  agency: string
  account: string
  accountType: string
  pixKey: string
}

export interface User {
  id: string
  name: string
  email: string
  cpf: string
  phone: string
  address: Partial<Address>
  bankAccount: Partial<BankAccount>
  paymentMails: PaymentMails
  emailState: EmailState
  /** An administrator allowed names and titles that belong to others. */
  anyName: boolean
  /** Their own; null where the platform's applies. */
  feePercentage: number | null
  role: Role
  active: boolean
  /** When a new administrator may do more than look; null where they could from the start. */
  adminRightsFrom: Date | null
  /** A note for administrators alone: no answer to its user holds it. */
  note: string
  /** True while the password is the one that the server made for the first administrator. */
  hasInitialPassword: boolean
  /** False for somebody who came by an invitation and works in others' shops alone. */
  hasShop: boolean
  createdAt: Date
}

/** E-mails are unique regardless of case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase()
}

/** Stands on sales and withdrawals of an account that was deleted. */
export const erasedName = "Conta excluída"

interface UserChange {
  label: string
  before: string
  after: string
}

const accountFields = {
  bank: { label: "Banco", shown: (text) => text },
  agency: { label: "Agência", shown: (text) => lastOnes(text, 2) },
  account: { label: "Conta", shown: (text) => lastOnes(text, 4) },
  accountType: { label: "Tipo de conta", shown: accountTypeText },
  pixKey: { label: "Chave Pix", shown: maskedPixKey },
} as const satisfies Record<keyof User["bankAccount"], { label: string; shown(text: string): string }>

const empty = "vazio"

function accountTypeText(word: string): string {
  const type = accountTypes.find((each) => each === word)
  return type === undefined ? word : accountTypeLabels[type]
}

/** Masked, because the mail may be read over a shoulder. */
export function changesOfAccount(before: User["bankAccount"], after: User["bankAccount"]): UserChange[] {
  return Object.entries(accountFields).flatMap(([name, { label, shown }]) => {
    const [old, fresh] = [before, after].map((account) => account[name as keyof typeof accountFields] ?? "")
    if (old === fresh) return []
    return [{ label, before: old ? shown(old) : empty, after: fresh ? shown(fresh) : empty }]
  })
}

const dataFields = {
  name: ({ name }) => name,
  phone: ({ phone }) => (phone === "" ? empty : lastOnes(phone, 4)),
  role: ({ role }) => roleLabels[role],
  active: ({ active }) => (active ? "Sim" : "Não"),
  paymentMails: ({ paymentMails }) => paymentMailLabels[paymentMails],
  feePercentage: ({ feePercentage }) => ownFeeText(feePercentage),
} as const satisfies Partial<Record<keyof User, (user: User) => string>>

export const paymentMailsLabel = "E-mails de pagamentos"
const dataLabels = { ...auditFieldLabels, paymentMails: paymentMailsLabel }

/** All but the payout destination and the e-mail, which have notices of their own. */
export function changesOfData(before: User, after: User): UserChange[] {
  const fields = Object.entries(dataFields).flatMap(([name, shown]) => {
    const field = name as keyof typeof dataFields
    if (before[field] === after[field]) return []
    return [{ label: dataLabels[field], before: shown(before), after: shown(after) }]
  })
  if (isDeepStrictEqual(before.address, after.address)) return fields
  return [...fields, { label: dataLabels.address, before: hiddenText, after: "outro" }]
}

type ChangeOfUser = "user.created" | "user.updated" | "user.inactivated" | "user.reactivated" | "user.profile_updated"
type ChangeOfPassword = "user.password_changed" | "user.password_reset"

const recordedFields = [
  "name",
  "email",
  "phone",
  "role",
  "active",
  "address",
  "bankAccount",
  "paymentMails",
  "anyName",
  "note",
  "feePercentage",
] as const

/** Only the differences; null without any, so that nothing is recorded. */
export function auditOfUser(
  action: ChangeOfUser,
  { before, after }: { before: User | null; after: User },
  actor: Actor,
  happenedAt: Date,
): AuditEntry | null {
  const changed = recordedFields.filter((name) => !isDeepStrictEqual(before?.[name] ?? null, after[name]))
  if (changed.length === 0) return null
  const fieldsOf = (user: User, note: string) =>
    Object.fromEntries(changed.map((name) => [name, name === "note" ? user.note && note : user[name]]))
  return {
    actor,
    happenedAt,
    action,
    entity: "user",
    entityId: after.id,
    before: before === null ? null : fieldsOf(before, hiddenText),
    after: fieldsOf(after, noteChanged),
  }
}

/** Records stay for good, and their user gets a copy of them: neither suits what a note says. */
const noteChanged = "Alterada"

/** Records only that it happened, not the password. */
export function auditOfPassword(action: ChangeOfPassword, actor: Actor, happenedAt: Date): AuditEntry {
  return { actor, happenedAt, action, entity: "user", entityId: actor.id, before: null, after: null }
}

export function emailTaken(): DomainError {
  const message = "Este e-mail já está cadastrado."
  return new DomainError("email_taken", { message, errors: [{ path: "email", message }] })
}

/** Recognises the database's error for an e-mail that another user has. */
export function isEmailConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown }
  return code === "23505" && constraint === "users_by_email"
}
