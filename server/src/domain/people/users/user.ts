import type { Address } from "@tilinta/contract/api/users-endpoints"
import type { EmailState } from "@tilinta/contract/vocabulary/email-states"
import type { PaymentMails } from "@tilinta/contract/vocabulary/payment-mails"
import type { Role } from "@tilinta/contract/vocabulary/roles"

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
  role: Role
  active: boolean
  /** When a new administrator may do more than look; null where they could from the start. */
  adminRightsFrom: Date | null
  createdAt: Date
}

/** E-mails are unique regardless of case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase()
}

/** Stands on sales and withdrawals of an account that was deleted. */
export const erasedName = "Conta excluída"
