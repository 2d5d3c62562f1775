import { isDeepStrictEqual } from "node:util"
import { accountTypeLabels, accountTypes } from "@tilinta/contract/vocabulary/account-types"
import { auditFieldLabels } from "@tilinta/contract/vocabulary/audit"
import { paymentMailLabels } from "@tilinta/contract/vocabulary/payment-mails"
import { roleLabels } from "@tilinta/contract/vocabulary/roles"
import { hiddenText, lastOnes, maskedPixKey } from "#kit/masked-pix-key"
import type { User } from "./user.ts"

interface ChangeOfUser {
  label: string
  before: string
  after: string
}

const accountFields = {
  bank: { label: "Banco", shown: (text) => text },
  agency: { label: "Agência", shown: (text) => lastOnes(text, 2) },
  account: { label: "Conta", shown: (text) => lastOnes(text, 3) },
  accountType: { label: "Tipo de conta", shown: accountTypeText },
  pixKey: { label: "Chave Pix", shown: maskedPixKey },
} as const satisfies Record<keyof User["bankAccount"], { label: string; shown(text: string): string }>

const empty = "vazio"

function accountTypeText(word: string): string {
  const type = accountTypes.find((each) => each === word)
  return type === undefined ? word : accountTypeLabels[type]
}

/** Masked, because the mail may be read over a shoulder. */
export function changesOfAccount(before: User["bankAccount"], after: User["bankAccount"]): ChangeOfUser[] {
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
} as const satisfies Partial<Record<keyof User, (user: User) => string>>

export const paymentMailsLabel = "E-mails de pagamentos"
const dataLabels = { ...auditFieldLabels, paymentMails: paymentMailsLabel }

/** All but the payout destination and the e-mail, which have notices of their own. */
export function changesOfData(before: User, after: User): ChangeOfUser[] {
  const fields = Object.entries(dataFields).flatMap(([name, shown]) => {
    const field = name as keyof typeof dataFields
    if (before[field] === after[field]) return []
    return [{ label: dataLabels[field], before: shown(before), after: shown(after) }]
  })
  if (isDeepStrictEqual(before.address, after.address)) return fields
  return [...fields, { label: dataLabels.address, before: hiddenText, after: "outro" }]
}
