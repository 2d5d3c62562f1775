import type { WithdrawalView } from "@tilinta/contract/api/withdrawals-endpoints"
import type { WithdrawalMethod } from "@tilinta/contract/vocabulary/withdrawal-status"
import { accountTypeLabels, pixKeyLabels } from "./bank-labels.ts"

const KEY_LENGTH = 20

export const methodLabels = {
  pix: "PIX",
  bank_transfer: "Transferência bancária",
} as const satisfies Record<WithdrawalMethod, string>

type Destination = Pick<WithdrawalView, "paymentMethod" | "pixKey" | "pixKeyType" | "bankData">

/** The destination in a history row: the key is shortened to fit a line. */
export function shortDestination(withdrawal: Destination): string {
  const { paymentMethod, pixKey, bankData } = withdrawal
  if (paymentMethod === "bank_transfer") return bankData?.bank || "Conta bancária"
  const key = pixKey ?? ""
  return key.length > KEY_LENGTH ? `${key.slice(0, KEY_LENGTH)}…` : key
}

/** Details that the short form leaves out. */
export function destinationDetail({ pixKeyType, bankData }: Destination): string {
  if (bankData !== null) return `Ag. ${bankData.agency} · Conta ${bankData.account}`
  return pixKeyType === null ? "Chave PIX" : `PIX · ${pixKeyLabels[pixKeyType]}`
}

/** Every detail of the destination, for checking it. */
export function wholeDestination(withdrawal: Destination): { term: string; value: string }[] {
  const { pixKey, pixKeyType, bankData } = withdrawal
  if (bankData === null) {
    const kind = pixKeyType === null ? [] : [{ term: "Tipo da chave", value: pixKeyLabels[pixKeyType] }]
    return [{ term: "Chave PIX", value: pixKey ?? "" }, ...kind]
  }
  return [
    { term: "Banco", value: bankData.bank },
    { term: "Agência", value: bankData.agency },
    { term: accountTypeLabels[bankData.accountType], value: bankData.account },
  ]
}
