import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  accountEmail,
  emailField,
  isoDateTime,
  partOfList,
  readableLines,
  requiredLine,
  searchQuery,
  success,
  successWithResults,
  text,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { exampleShop, shopView } from "./shops.ts"
import { exampleUser, fillIn, sentLine, userView } from "./users.ts"
import { feeOutOfRange, isFeePercentage } from "./vocabulary/fee.ts"
import { emptyAddress, roles } from "./vocabulary/people.ts"

const tag = "Administração: usuários"
const userParams = z.object({ id: text(200) })

const unknownRole = "Perfil desconhecido."
const trueOrFalse = z.enum(["true", "false"], "Use true ou false.")

const listUsersQuery = z.object({
  ...partOfList(100),
  search: searchQuery(),
  active: z.optional(trueOrFalse),
  status: z.optional(z.enum(["active", "inactive"], "Status desconhecido.")),
  role: z.optional(z.enum(roles, unknownRole)),
})

export const listUsersEndpoint = defineEndpoint("listUsers", heads.listUsers, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Os usuários, dos mais novos aos mais antigos; `summary` conta todos, quaisquer que sejam os filtros",
  query: listUsersQuery,
  reply: {
    status: 200,
    schema: successWithResults({
      users: z.array(userView),
      summary: z.object({ total: z.number(), active: z.number(), inactive: z.number(), admins: z.number() }),
    }),
  },
})

const userActivity = z.object({
  chargePages: z.number(),
  activeChargePages: z.number(),
  transactions: z.number(),
  paidTransactions: z.number(),
  withdrawalsInProgress: z.number(),
  withdrawalsInProgressAmount: z.number(),
})

export const getUserEndpoint = defineEndpoint("getUser", heads.getUser, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Um usuário, com o saldo e o que ele tem na plataforma",
  params: userParams,
  reply: {
    status: 200,
    schema: success(
      z.object({
        user: userView,
        /** Null where payers see the user's own name. */
        shop: z.nullable(shopView),
        summary: userActivity,
        withdrawalsFrozenAt: z.nullable(isoDateTime),
        /** A note by administrators about the person, who never sees it; empty without one. */
        note: z.string(),
        /** Invited, and without a password of their own yet. */
        isInvited: z.boolean(),
      }),
    ),
  },
})

export const invitationView = z.object({
  /** Sets the first password, once; shown here alone. */
  url: z.string(),
  expiresAt: isoDateTime,
})

const createUserBody = z.object({
  name: requiredLine(120, fillIn),
  email: emailField(fillIn),
  role: z._default(z.enum(roles, unknownRole), "user"),
  active: z._default(z.boolean(), true),
  anyName: z._default(z.boolean(), false),
})

export const createUserEndpoint = defineEndpoint("createUser", heads.createUser, {
  audience: "admin",
  stepUp: "always",
  isIdempotent: true,
  mayWait: true,
  tag,
  summary:
    "Cadastra um usuário, que recebe por e-mail um link para definir a senha; um administrador só com dois (`data.pending`)",
  body: createUserBody,
  reply: {
    status: 201,
    schema: success(
      z.object({
        user: userView,
        ...pendingFields,
        /** A seller's invitation, to be passed on by hand; absent when the request is repeated. */
        invitation: z.optional(invitationView),
      }),
    ),
  },
})

const percentage = z.number(feeOutOfRange).check(z.refine(isFeePercentage, feeOutOfRange))

const updateUserBody = z.object({
  name: sentLine(120),
  email: z.optional(accountEmail(fillIn)),
  role: z.optional(z.enum(roles, unknownRole)),
  active: z.optional(z.boolean()),
  /** Allows names and titles that belong to banks, authorities or the platform. */
  anyName: z.optional(z.boolean()),
  /** A note for administrators alone; an empty one removes it. */
  note: z.optional(text(2_000, "A anotação vai até 2.000 caracteres.").check(z.trim(), readableLines)),
  /** For Pix codes made from then on; null is TRANSACTION_FEE_PERCENTAGE. */
  feePercentage: z.optional(z.nullable(percentage)),
})

export const updateUserEndpoint = defineEndpoint("updateUser", heads.updateUser, {
  audience: "admin",
  stepUp: "always",
  mayWait: true,
  tag,
  summary:
    "Altera nome, e-mail, perfil, situação, a taxa ou o uso de nomes reservados; quem é inativado sai na hora, e os seus Pix em aberto são removidos",
  params: userParams,
  body: updateUserBody,
  reply: {
    status: 200,
    schema: success(
      z.object({
        user: userView,
        ...pendingFields,
        /** The new e-mail, when it only counts after the link mailed there is used. */
        emailToConfirm: z.optional(z.string()),
      }),
    ),
  },
})

export const createInvitationEndpoint = defineEndpoint("createInvitation", heads.createInvitation, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Cria outro convite para um vendedor que ainda não definiu a senha: um link por e-mail e um para copiar; os anteriores deixam de valer",
  params: userParams,
  reply: { status: 201, schema: success(z.object({ invitation: invitationView })) },
})

export const createViewSessionEndpoint = defineEndpoint("createViewSession", heads.createViewSession, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Abre por 15 minutos uma sessão que só consulta a conta de um vendedor, que recebe um aviso; arquivos e tudo o que altera respondem 403 `view_only`",
  params: userParams,
  reply: { status: 201, schema: success(z.object({ token: z.string(), expiresAt: isoDateTime })) },
})

export const unfreezeUserEndpoint = defineEndpoint("unfreezeUser", heads.unfreezeUser, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary:
    "Libera os saques que o titular congelou com 'não fui eu'; os próximos ainda esperam, como depois de qualquer mudança feita por um administrador",
  params: userParams,
  reply: {
    status: 200,
    schema: z.object({
      status: z.literal("success"),
      message: z.string(),
      /** Only while another administrator must agree. */
      data: z.optional(z.object(pendingFields)),
    }),
  },
})

export const endUserSessionsEndpoint = defineEndpoint("endUserSessions", heads.endUserSessions, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Encerra todas as sessões de um usuário, que é avisado; `ended` diz quantas",
  params: userParams,
  reply: { status: 200, schema: success(z.object({ ended: z.int() })) },
})

export const inactivateUserEndpoint = defineEndpoint("inactivateUser", heads.inactivateUser, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Inativa um usuário que não é administrador; nada é apagado",
  params: userParams,
  reply: { status: 204 },
})

const invited = {
  ...exampleUser,
  _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
  name: "Caio Reis",
  email: "caio@loja.example",
  cpf: "",
  phone: "",
  address: emptyAddress,
  balance: 0,
}

const exampleInvitation = {
  url: "https://tilinta.example/reset-password/EXEMPLO",
  expiresAt: "2026-11-24T12:00:00.000Z",
}

export const adminUsersExamples = [
  defineExample(listUsersEndpoint, {
    query: { page: "1", limit: "100", search: "Ana", status: "active", role: "user" },
    reply: {
      status: "success",
      results: 1,
      data: { users: [exampleUser], summary: { total: 31, active: 30, inactive: 1, admins: 2 } },
    },
    failures: [],
  }),
  defineExample(getUserEndpoint, {
    params: { id: exampleUser._id },
    data: {
      user: exampleUser,
      shop: exampleShop,
      summary: {
        chargePages: 4,
        activeChargePages: 2,
        transactions: 12,
        paidTransactions: 9,
        withdrawalsInProgress: 1,
        withdrawalsInProgressAmount: 50,
      },
      withdrawalsFrozenAt: null,
      note: "Pediu limite maior em outubro.",
      isInvited: false,
    },
    failures: ["user_not_found"],
  }),
  defineExample(createUserEndpoint, {
    body: { name: "Caio Reis", email: "caio@loja.example", role: "user", active: true },
    data: { user: invited, invitation: exampleInvitation },
    failures: ["email_taken", "idempotency_key_reused", "second_approver_needed"],
  }),
  defineExample(updateUserEndpoint, {
    params: { id: exampleUser._id },
    body: { name: "Ana Souza", email: "ana@loja.example", role: "user", active: true },
    data: { user: exampleUser },
    failures: [
      "user_not_found",
      "email_taken",
      "own_account",
      "last_admin",
      "admin_not_inactivated",
      "user_in_team",
      "second_approver_needed",
    ],
  }),
  defineExample(createInvitationEndpoint, {
    params: { id: invited._id },
    data: { invitation: exampleInvitation },
    failures: ["user_not_found", "user_not_invitable"],
  }),
  defineExample(createViewSessionEndpoint, {
    params: { id: exampleUser._id },
    data: { token: "ver_EXEMPLO", expiresAt: "2026-11-21T12:15:00.000Z" },
    failures: ["user_not_found", "user_not_viewable"],
  }),
  defineExample(unfreezeUserEndpoint, {
    params: { id: exampleUser._id },
    reply: { status: "success", message: "Os saques da conta estão liberados." },
    failures: ["user_not_found", "account_not_frozen", "own_account", "second_approver_needed"],
  }),
  defineExample(endUserSessionsEndpoint, {
    params: { id: exampleUser._id },
    data: { ended: 2 },
    failures: ["user_not_found"],
  }),
  defineExample(inactivateUserEndpoint, {
    params: { id: exampleUser._id },
    failures: ["user_not_found", "own_account", "last_admin", "admin_not_inactivated"],
  }),
]
