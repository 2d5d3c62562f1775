import {
  deleteMyAccountEndpoint,
  exportMyDataEndpoint,
  getMeEndpoint,
  getMyBalanceEndpoint,
  resendEmailConfirmationEndpoint,
  updateMeEndpoint,
} from "../api/users-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const usersExamples = [
  defineExample(getMeEndpoint, {
    reply: {
      status: "success",
      data: {
        user: {
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
          bankAccount: {
            bank: "",
            agency: "",
            account: "",
            accountType: "",
            pixKey: "",
          },
          paymentMails: "each",
          emailState: "confirmed",
          anyName: false,
          role: "user",
          active: true,
          balance: 1035,
          createdAt: "2026-11-21T12:00:00.000Z",
        },
      },
    },
    failures: [],
  }),
  defineExample(getMyBalanceEndpoint, {
    reply: {
      status: "success",
      data: {
        balance: 1035,
        blocked: 0,
        toCome: 0,
      },
    },
    failures: [],
  }),
  defineExample(resendEmailConfirmationEndpoint, {
    reply: { status: "success", message: "Enviamos outro link para o seu e-mail." },
    failures: ["email_already_confirmed", "too_many_requests"],
  }),
  defineExample(updateMeEndpoint, {
    body: {
      name: "Ana Souza",
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
      bankAccount: {
        bank: "001",
        agency: "1234",
        account: "56789-0",
        accountType: "corrente",
        pixKey: "ana@loja.example",
      },
    },
    reply: {
      status: "success",
      data: {
        user: {
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
          bankAccount: {
            bank: "001",
            agency: "1234",
            account: "56789-0",
            accountType: "corrente",
            pixKey: "ana@loja.example",
          },
          paymentMails: "each",
          emailState: "confirmed",
          anyName: false,
          role: "user",
          active: true,
          balance: 1035,
          createdAt: "2026-11-21T12:00:00.000Z",
        },
      },
    },
    failures: [],
  }),
]

/** Apart, as they leave notices behind, or nobody. */
export const ownDataExamples = [
  defineExample(exportMyDataEndpoint, { failures: ["step_up_required", "too_many_requests", "too_many_exports"] }),
  defineExample(deleteMyAccountEndpoint, { failures: ["step_up_required", "account_not_deletable"] }),
]
