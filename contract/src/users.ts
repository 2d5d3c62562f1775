import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  id,
  isoDateTime,
  malformed,
  messageReply,
  optionalLine,
  phoneText,
  readableLine,
  stateText,
  success,
  text,
  visibleText,
  zipCodeText,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { paymentMailChoices } from "./vocabulary/mails.ts"
import { emailStates, requiredActions, roles } from "./vocabulary/people.ts"
import { bookReaders, shopRoles } from "./vocabulary/team.ts"
import { accountTypes } from "./vocabulary/withdrawals.ts"

export const addressSchema = z.object({
  street: optionalLine(200),
  number: optionalLine(20),
  complement: optionalLine(100),
  neighborhood: optionalLine(100),
  city: optionalLine(100),
  state: z.prefault(stateText(), ""),
  zipCode: z.prefault(zipCodeText(), ""),
})
export type Address = z.infer<typeof addressSchema>

export const bankAccountView = z.object({
  bank: z.string(),
  agency: z.string(),
  account: z.string(),
  accountType: z.string(),
  pixKey: z.string(),
})

export const addressView = z.object({
  street: z.string(),
  number: z.string(),
  complement: z.string(),
  neighborhood: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
})

/** A shop for which the person may act: their own, or one whose team they are in. */
export const ownShopView = z.object({
  _id: id,
  name: z.string(),
  role: z.enum(shopRoles),
  /** For owners and managers, who charge: the shop's own fee; null where TRANSACTION_FEE_PERCENTAGE applies. */
  feePercentage: z.optional(z.nullable(z.number())),
  /** For the same: it has an API key, or a site to which payers return. */
  isIntegrated: z.optional(z.boolean()),
})
export type OwnShopView = z.infer<typeof ownShopView>

export const userView = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  cpf: z.string(),
  phone: z.string(),
  address: addressView,
  bankAccount: bankAccountView,
  paymentMails: z.enum(paymentMailChoices),
  /** Payers see the pages of an `unconfirmed` seller only once they used the link that was mailed. */
  emailState: z.enum(emailStates),
  /** An administrator allowed names and titles that belong to banks, authorities or the platform. */
  anyName: z.boolean(),
  /** The seller's own fee; null where TRANSACTION_FEE_PERCENTAGE applies. */
  feePercentage: z.nullable(z.number()),
  role: z.enum(roles),
  active: z.boolean(),
  balance: z.number(),
  createdAt: isoDateTime,
  /** When a new administrator may do more than look; absent where they may already. */
  adminRightsFrom: z.optional(isoDateTime),
  /** All but the calls that do it answer 403 before; absent where nothing is due, and in views of other users. */
  requiredAction: z.optional(z.enum(requiredActions)),
  /** The shops for which one may act, the one of a call without X-Shop first; absent in views of other users. */
  shops: z.optional(z.array(ownShopView)),
})
export type UserView = z.infer<typeof userView>

export const getMeEndpoint = defineEndpoint("getMe", heads.getMe, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag: "Usuários",
  summary:
    "O usuário da sessão, com o saldo disponível da sua própria loja, e as lojas por que pode agir: a primeira é a de uma chamada sem X-Shop",
  reply: { status: 200, schema: success(z.object({ user: userView, shops: z.array(ownShopView) })) },
})

export const getMyBalanceEndpoint = defineEndpoint("getMyBalance", heads.getMyBalance, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "withdrawals:read",
  tag: "Usuários",
  summary: "Saldo disponível e, à parte, o bloqueado por contestações, em reais",
  reply: {
    status: 200,
    schema: success(
      z.object({
        balance: z.number(),
        blocked: z.number(),
        /** Available on a later day: SETTLEMENT_DAYS, RESERVE_PERCENT. Not part of the balance. */
        toCome: z.number(),
      }),
    ),
  },
})

export const fillIn = "Preencha todos os campos obrigatórios"

/** Optional; when sent, it must not be empty. */
export function sentLine(maxLength: number, tooLong?: string) {
  return z.optional(text(maxLength, tooLong).check(z.trim(), readableLine, visibleText(fillIn)))
}

function sentOptionalLine(maxLength: number) {
  return z.optional(text(maxLength).check(z.trim(), readableLine))
}

const isAccountType = (value: string): boolean => value === "" || accountTypes.some((type) => type === value)

/** Any part of the profile. Other fields, e-mail and CPF included, may be sent and are ignored. */
export const updateMeBody = z.object({
  name: sentLine(120),
  phone: z.optional(phoneText().check(visibleText(fillIn))),
  address: z.optional(
    z.object({
      street: sentLine(200),
      number: sentLine(20),
      complement: sentOptionalLine(100),
      neighborhood: sentLine(100),
      city: sentLine(100),
      state: z.optional(stateText().check(visibleText(fillIn))),
      zipCode: z.optional(zipCodeText().check(visibleText(fillIn))),
    }),
  ),
  bankAccount: z.optional(
    z.object({
      bank: sentLine(100),
      agency: sentLine(20),
      account: sentLine(30),
      accountType: z.optional(
        text(20).check(
          z.minLength(1, fillIn),
          z.refine(isAccountType, { error: "O tipo de conta deve ser corrente ou poupança.", params: malformed }),
        ),
      ),
      pixKey: z.optional(text(77).check(z.trim())),
    }),
  ),
  paymentMails: z.optional(z.enum(paymentMailChoices)),
})
export type UpdateMeBody = z.infer<typeof updateMeBody>

export const updateMeEndpoint = defineEndpoint("updateMe", heads.updateMe, {
  audience: "seller",
  roles: "person",
  stepUp: "by_data",
  tag: "Usuários",
  summary: "Altera o perfil, no todo ou em parte; e-mail e CPF são aceitos e não mudam",
  body: updateMeBody,
  reply: { status: 200, schema: success(z.object({ user: userView })) },
})

export const exportMyDataEndpoint = defineEndpoint("exportMyData", heads.exportMyData, {
  audience: "seller",
  roles: "person",
  stepUp: "always",
  urgency: "last",
  tag: "Usuários",
  summary:
    "Tudo o que a plataforma guarda sobre a conta, em CSV, planilhas e JSON dentro de um ZIP (`meus_dados_{AAAA-MM-DD}.zip`), três vezes por dia no máximo",
  reply: { status: 200, file: ["application/zip"] },
})

export const deleteMyAccountEndpoint = defineEndpoint("deleteMyAccount", heads.deleteMyAccount, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  tag: "Usuários",
  summary:
    "Exclui a conta: apaga os dados pessoais e o acesso; pagamentos, saques e lançamentos ficam, como a lei pede. 409 enquanto houver saldo ou algo em aberto",
  reply: { status: 204 },
})

export const resendEmailConfirmationEndpoint = defineEndpoint(
  "resendEmailConfirmation",
  heads.resendEmailConfirmation,
  {
    audience: "seller",
    roles: "person",
    tag: "Usuários",
    summary: "Envia outro link que confirma o e-mail da conta, três por hora no máximo",
    reply: { status: 200, schema: messageReply },
  },
)

export const exampleUser: UserView = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  name: "Ana Souza",
  email: "ana@loja.example",
  cpf: "52998224725",
  phone: "11987654321",
  address: {
    street: "Rua A",
    number: "10",
    complement: "",
    neighborhood: "Centro",
    city: "Recife",
    state: "PE",
    zipCode: "50000000",
  },
  bankAccount: { bank: "", agency: "", account: "", accountType: "", pixKey: "" },
  paymentMails: "each",
  emailState: "confirmed",
  anyName: false,
  feePercentage: null,
  role: "user",
  active: true,
  balance: 1035,
  createdAt: "2026-11-21T12:00:00.000Z",
}

/** The same as its owner sees it. */
export const ownUser = {
  ...exampleUser,
  shops: [
    {
      _id: exampleUser._id,
      name: exampleUser.name,
      role: "owner" as const,
      feePercentage: null,
      isIntegrated: false,
    },
  ],
} satisfies UserView

const bankAccount = {
  bank: "001",
  agency: "1234",
  account: "56789-0",
  accountType: "corrente",
  pixKey: exampleUser.email,
} as const

export const usersExamples = [
  defineExample(getMeEndpoint, {
    data: { user: ownUser, shops: ownUser.shops },
    failures: [],
  }),
  defineExample(getMyBalanceEndpoint, { data: { balance: 1035, blocked: 0, toCome: 0 }, failures: [] }),
  defineExample(resendEmailConfirmationEndpoint, {
    reply: { status: "success", message: "Enviamos outro link para o seu e-mail." },
    failures: ["email_already_confirmed", "too_many_requests"],
  }),
  defineExample(updateMeEndpoint, {
    body: { name: exampleUser.name, phone: exampleUser.phone, address: exampleUser.address, bankAccount },
    data: { user: { ...ownUser, bankAccount } },
    failures: [],
  }),
]

/** Apart, as they leave notices behind, or nobody. */
export const ownDataExamples = [
  defineExample(exportMyDataEndpoint, { failures: ["step_up_required", "too_many_requests", "too_many_exports"] }),
  defineExample(deleteMyAccountEndpoint, { failures: ["step_up_required", "account_not_deletable"] }),
]
