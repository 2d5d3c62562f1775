import * as z from "zod/mini"
import { accountTypes } from "../vocabulary/account-types.ts"
import { roles } from "../vocabulary/roles.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, malformed, optionalText, success, text } from "./fields.ts"

export const addressSchema = z.object({
  street: optionalText(200),
  number: optionalText(20),
  complement: optionalText(100),
  neighborhood: optionalText(100),
  city: optionalText(100),
  state: optionalText(2, "O estado deve ter 2 letras."),
  zipCode: optionalText(9),
})
export type Address = z.infer<typeof addressSchema>

const bankAccountView = z.object({
  bank: z.string(),
  agency: z.string(),
  account: z.string(),
  accountType: z.string(),
  pixKey: z.string(),
})

export const userView = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  cpf: z.string(),
  phone: z.string(),
  address: z.object({
    street: z.string(),
    number: z.string(),
    complement: z.string(),
    neighborhood: z.string(),
    city: z.string(),
    state: z.string(),
    zipCode: z.string(),
  }),
  bankAccount: bankAccountView,
  role: z.enum(roles),
  active: z.boolean(),
  balance: z.number(),
  createdAt: isoDateTime,
})
export type UserView = z.infer<typeof userView>

export const getMeEndpoint = defineEndpoint({
  method: "GET",
  path: "/api/v1/users/me",
  audience: "seller",
  tag: "Usuários",
  summary: "O usuário da sessão, com o saldo disponível",
  reply: { status: 200, schema: success(z.object({ user: userView })) },
})

export const getMyBalanceEndpoint = defineEndpoint({
  method: "GET",
  path: "/api/v1/users/myBalance",
  audience: "seller",
  tag: "Usuários",
  summary: "Saldo disponível e, à parte, o bloqueado por contestações, em reais",
  reply: { status: 200, schema: success(z.object({ balance: z.number(), blocked: z.number() })) },
})

export const fillIn = "Preencha todos os campos obrigatórios"

/** Optional; when sent, it must not be empty. */
export function sentText(maxLength: number, tooLong?: string) {
  return z.optional(text(maxLength, tooLong).check(z.trim(), z.minLength(1, fillIn)))
}

function sentOptionalText(maxLength: number) {
  return z.optional(text(maxLength).check(z.trim()))
}

const isAccountType = (value: string): boolean => value === "" || accountTypes.some((type) => type === value)

/** Any part of the profile. Other fields, e-mail and CPF included, may be sent and are ignored. */
export const updateMeBody = z.object({
  name: sentText(120),
  phone: sentText(20),
  address: z.optional(
    z.object({
      street: sentText(200),
      number: sentText(20),
      complement: sentOptionalText(100),
      neighborhood: sentText(100),
      city: sentText(100),
      state: sentText(2, "O estado deve ter 2 letras."),
      zipCode: sentText(9),
    }),
  ),
  bankAccount: z.optional(
    z.object({
      bank: sentText(100),
      agency: sentText(20),
      account: sentText(30),
      accountType: z.optional(
        text(20).check(
          z.minLength(1, fillIn),
          z.refine(isAccountType, { error: "O tipo de conta deve ser corrente ou poupança.", params: malformed }),
        ),
      ),
      pixKey: sentOptionalText(77),
    }),
  ),
})
export type UpdateMeBody = z.infer<typeof updateMeBody>

export const updateMeEndpoint = defineEndpoint({
  method: "PATCH",
  path: "/api/v1/users/updateMe",
  audience: "seller",
  tag: "Usuários",
  summary: "Altera o perfil, no todo ou em parte; e-mail e CPF são aceitos e não mudam",
  body: updateMeBody,
  reply: { status: 200, schema: success(z.object({ user: userView })) },
})
