import type { Address } from "@tilinta/contract/api/users-endpoints"
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
  role: Role
  active: boolean
  createdAt: Date
}

/** E-mails are unique regardless of case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase()
}
