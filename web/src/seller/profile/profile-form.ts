import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { type UserView, updateMeBody } from "@tilinta/contract/users"
import { accountTypes } from "@tilinta/contract/vocabulary/withdrawals"
import type * as z from "zod/mini"
import { call } from "#api/client.ts"
import { maskPhone } from "#format/masks.ts"
import { savedPixKeyText } from "#format/withdrawal-texts.ts"
import { maskedAddress } from "#parts/people/address-fields.tsx"
import { chooseBank, isUnknownBank } from "#seller/withdrawals/request-form.ts"

export const profileQuery = queryOptions({
  queryKey: ["seller", "profile"],
  queryFn: async ({ signal }) => (await call(heads.getMe, { signal })).data.user,
})

/** E-mail and CPF are sent along, and never change. */
export async function saveProfile({ email, cpf }: UserView, changes: ProfileBody): Promise<UserView> {
  const body = { ...changes, email, cpf }
  return (await call(heads.updateMe, { body })).data.user
}

export interface ProfileForm {
  name: string
  phone: string
  address: UserView["address"]
  bankAccount: UserView["bankAccount"]
}

export function profileFormOf({ name, phone, address, bankAccount }: UserView): ProfileForm {
  return {
    name,
    phone: maskPhone(phone),
    address: maskedAddress(address),
    bankAccount: {
      ...bankAccount,
      pixKey: savedPixKeyText(bankAccount.pixKey),
      accountType: bankAccount.accountType || accountTypes[0],
    },
  }
}

export const profileSchema = updateMeBody.check(({ value, issues }) => {
  const bank = value.bankAccount?.bank ?? ""
  if (!isUnknownBank(bank)) return
  issues.push({ code: "custom", path: ["bankAccount", "bank"], message: chooseBank, input: bank })
})
export type ProfileBody = z.output<typeof profileSchema>
