import * as z from "zod/mini"
import { roles } from "../vocabulary/roles.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, optionalText, success } from "./fields.ts"

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
  summary: "Saldo disponível, em reais",
  reply: { status: 200, schema: success(z.object({ balance: z.number() })) },
})
