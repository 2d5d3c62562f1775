import {
  createUserEndpoint,
  endUserSessionsEndpoint,
  getUserEndpoint,
  inactivateUserEndpoint,
  listUsersEndpoint,
  unfreezeUserEndpoint,
  updateUserEndpoint,
} from "../api/admin-users-endpoints.ts"
import { defineExample } from "./define-example.ts"

const noBankAccount = { bank: "", agency: "", account: "", accountType: "", pixKey: "" }

const seller = {
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
  bankAccount: noBankAccount,
  paymentMails: "each",
  emailState: "confirmed",
  anyName: false,
  role: "user",
  active: true,
  balance: 1035,
  createdAt: "2026-11-21T12:00:00.000Z",
} as const

const invited = {
  _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
  name: "Caio Reis",
  email: "caio@loja.example",
  cpf: "",
  phone: "",
  address: { street: "", number: "", complement: "", neighborhood: "", city: "", state: "", zipCode: "" },
  bankAccount: noBankAccount,
  paymentMails: "each",
  emailState: "confirmed",
  anyName: false,
  role: "user",
  active: true,
  balance: 0,
  createdAt: "2026-11-21T12:00:00.000Z",
} as const

export const adminUsersExamples = [
  defineExample(listUsersEndpoint, {
    query: { page: "1", limit: "100", search: "Ana", status: "active", role: "user" },
    reply: {
      status: "success",
      results: 1,
      data: { users: [seller], summary: { total: 31, active: 30, inactive: 1, admins: 2 } },
    },
    failures: [],
  }),
  defineExample(getUserEndpoint, {
    params: { id: seller._id },
    reply: {
      status: "success",
      data: {
        user: seller,
        summary: {
          chargePages: 4,
          activeChargePages: 2,
          transactions: 12,
          paidTransactions: 9,
          withdrawalsInProgress: 1,
          withdrawalsInProgressAmount: 50,
        },
        withdrawalsFrozenAt: null,
      },
    },
    failures: ["user_not_found"],
  }),
  defineExample(createUserEndpoint, {
    body: { name: "Caio Reis", email: "caio@loja.example", role: "user", active: true },
    reply: { status: "success", data: { user: invited } },
    failures: ["email_taken", "idempotency_key_reused", "second_approver_needed"],
  }),
  defineExample(updateUserEndpoint, {
    params: { id: seller._id },
    body: { name: "Ana Souza", email: "ana@loja.example", role: "user", active: true },
    reply: { status: "success", data: { user: seller } },
    failures: [
      "user_not_found",
      "email_taken",
      "own_account",
      "last_admin",
      "admin_not_inactivated",
      "second_approver_needed",
    ],
  }),
  defineExample(unfreezeUserEndpoint, {
    params: { id: seller._id },
    reply: { status: "success", message: "Os saques da conta estão liberados." },
    failures: ["user_not_found", "account_not_frozen", "own_account", "second_approver_needed"],
  }),
  defineExample(endUserSessionsEndpoint, {
    params: { id: seller._id },
    reply: { status: "success", data: { ended: 2 } },
    failures: ["user_not_found"],
  }),
  defineExample(inactivateUserEndpoint, {
    params: { id: seller._id },
    failures: ["user_not_found", "own_account", "last_admin", "admin_not_inactivated"],
  }),
]
