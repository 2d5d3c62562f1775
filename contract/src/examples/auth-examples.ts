import {
  confirmNewEmailEndpoint,
  forgotPasswordEndpoint,
  loginEndpoint,
  logoutEndpoint,
  resetPasswordEndpoint,
  signupEndpoint,
  updateMyPasswordEndpoint,
} from "../api/auth-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const loginReply = {
  status: "success" as const,
  token: "pQ3yJt0Zk1v8mX5cB7nR2sW9dF4gH6jLqA0eU1iO3pY",
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
      paymentMails: "each" as const,
      emailState: "confirmed" as const,
      anyName: false,
      role: "user" as const,
      active: true,
      balance: 1035,
      createdAt: "2026-11-21T12:00:00.000Z",
    },
  },
}

export const authExamples = [
  defineExample(signupEndpoint, {
    body: {
      name: "Bruno Lima",
      email: "bruno@loja.example",
      password: "senha-da-ana",
      passwordConfirm: "senha-da-ana",
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
    },
    reply: {
      status: "success",
      token: "pQ3yJt0Zk1v8mX5cB7nR2sW9dF4gH6jLqA0eU1iO3pY",
      data: {
        user: {
          _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          name: "Bruno Lima",
          email: "bruno@loja.example",
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
          balance: 0,
          createdAt: "2026-11-21T12:00:00.000Z",
        },
      },
    },
    failures: ["email_taken", "idempotency_key_reused"],
  }),
  defineExample(loginEndpoint, {
    body: {
      email: "ana@loja.example",
      password: "senha-da-ana",
    },
    reply: loginReply,
    failures: ["wrong_credentials", "account_disabled", "second_factor_required", "second_factor_invalid"],
  }),
  defineExample(forgotPasswordEndpoint, {
    body: {
      email: "ana@loja.example",
    },
    reply: {
      status: "success",
      message: "Email de recuperação enviado. Verifique sua caixa de entrada.",
    },
    failures: [],
  }),
  defineExample(resetPasswordEndpoint, {
    params: {
      token: "pQ3yJt0Zk1v8mX5cB7nR2sW9dF4gH6jLqA0eU1iO3pY",
    },
    body: {
      password: "outra-senha",
      passwordConfirm: "outra-senha",
    },
    reply: {
      status: "success",
      message: "Senha redefinida com sucesso!",
    },
    failures: ["reset_token_invalid"],
  }),
  defineExample(confirmNewEmailEndpoint, {
    params: {
      token: "pQ3yJt0Zk1v8mX5cB7nR2sW9dF4gH6jLqA0eU1iO3pY",
    },
    reply: {
      status: "success",
      message: "E-mail confirmado! Entre com o novo endereço.",
    },
    failures: ["email_link_invalid", "email_taken"],
  }),
  defineExample(updateMyPasswordEndpoint, {
    body: {
      passwordCurrent: "senha-da-ana",
      password: "outra-senha",
      passwordConfirm: "outra-senha",
    },
    reply: {
      status: "success",
      message: "Senha atualizada com sucesso!",
    },
    failures: ["wrong_credentials", "too_many_requests"],
  }),
  defineExample(logoutEndpoint, {
    reply: {
      status: "success",
      message: "Você saiu da sua conta",
    },
    failures: [],
  }),
]
