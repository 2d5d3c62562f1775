import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  accountEmail,
  emailField,
  malformed,
  messageReply,
  phoneText,
  requiredLine,
  secretText,
  signInEmail,
  text,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { addressSchema, exampleUser, fillIn, ownUser, userView } from "./users.ts"
import { bareDigits } from "./vocabulary/typed-data.ts"

const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 256

/** Kept exactly as typed: a password is never trimmed, cut or normalised. */
const typedPassword = z.prefault(
  secretText(MAX_PASSWORD_LENGTH, "A senha é longa demais.").check(z.minLength(1, fillIn)),
  "",
)

const newPassword = z.prefault(
  secretText(MAX_PASSWORD_LENGTH, "A senha é longa demais.").check(
    z.minLength(1, fillIn),
    z.refine(
      (value) => value === "" || [...value].length >= MIN_PASSWORD_LENGTH,
      "A senha deve ter pelo menos 8 caracteres",
    ),
  ),
  "",
)

const passwordsMatch = z.refine<{ password: string; passwordConfirm: string }>(
  (body) => body.passwordConfirm === "" || body.password === body.passwordConfirm,
  { path: ["passwordConfirm"], error: "As senhas não coincidem" },
)

/** The fields of step 1 of the registration; the form validates them alone before it shows step 2. */
export const signupStep1 = z
  .object({
    name: requiredLine(120, fillIn),
    email: emailField(fillIn),
    password: newPassword,
    passwordConfirm: typedPassword,
  })
  .check(passwordsMatch)

export const signupStep2 = z.object({
  cpf: z.prefault(
    z
      .string("Deve ser um texto.")
      .check(z.overwrite(bareDigits), z.regex(/^\d{11}$/, "CPF deve conter 11 dígitos numéricos")),
    "",
  ),
  phone: z.prefault(phoneText(), ""),
  address: z.prefault(addressSchema, {}),
})

const signupBody = z.intersection(
  signupStep1,
  z.extend(signupStep2, {
    /** The token of an invitation to a shop's team: who comes by it has no shop of their own yet. */
    invitation: z.nullish(text(100)),
  }),
)
export type SignupBody = z.infer<typeof signupBody>

export const sessionReply = z.object({
  status: z.literal("success"),
  token: z.string(),
  data: z.object({ user: userView }),
})

export const signupEndpoint = defineEndpoint("signup", heads.signup, {
  audience: "public",
  isIdempotent: true,
  tag: "Autenticação",
  summary: "Cadastra um vendedor e abre a sessão",
  body: signupBody,
  reply: { status: 201, schema: sessionReply },
})

const loginBody = z.object({
  email: z.prefault(signInEmail(fillIn), ""),
  password: typedPassword,
  /** Shown by the authenticator app, or a recovery code: only where the account has one. */
  code: z.nullish(text(60).check(z.trim())),
})

export const loginEndpoint = defineEndpoint("login", heads.login, {
  audience: "public",
  tag: "Autenticação",
  summary: "Abre uma sessão",
  body: loginBody,
  reply: { status: 200, schema: sessionReply },
})

const oneLine = z.refine<string>((value) => !/\p{Cc}/u.test(value.trim()), {
  error: "E-mail inválido",
  params: malformed,
})

export const forgotPasswordBody = z.object({
  email: z.prefault(accountEmail("Informe seu e-mail.").check(oneLine), ""),
})

export const forgotPasswordEndpoint = defineEndpoint("forgotPassword", heads.forgotPassword, {
  audience: "public",
  tag: "Autenticação",
  summary: "Envia um link para redefinir a senha, se houver conta com o e-mail; a resposta é sempre a mesma",
  body: forgotPasswordBody,
  reply: { status: 200, schema: messageReply },
})

export const resetPasswordBody = z
  .object({ password: newPassword, passwordConfirm: typedPassword })
  .check(passwordsMatch)

export const resetPasswordEndpoint = defineEndpoint("resetPassword", heads.resetPassword, {
  audience: "public",
  tag: "Autenticação",
  summary: "Troca a senha com o link do e-mail, que vale uma vez; encerra todas as sessões",
  params: z.object({ token: z.string() }),
  body: resetPasswordBody,
  reply: { status: 200, schema: messageReply },
})

export const confirmNewEmailEndpoint = defineEndpoint("confirmNewEmail", heads.confirmNewEmail, {
  audience: "public",
  tag: "Autenticação",
  summary: "Confirma o novo e-mail da conta com o link do e-mail, que vale uma vez; encerra todas as sessões",
  params: z.object({ token: z.string() }),
  reply: { status: 200, schema: messageReply },
})

export const updateMyPasswordBody = z
  .object({ passwordCurrent: typedPassword, password: newPassword, passwordConfirm: typedPassword })
  .check(passwordsMatch)

export const updateMyPasswordEndpoint = defineEndpoint("updateMyPassword", heads.updateMyPassword, {
  audience: "seller",
  roles: "person",
  beforeEnrolment: true,
  stepUp: "always",
  tag: "Autenticação",
  summary: "Troca a senha de quem está na sessão; encerra as outras sessões",
  body: updateMyPasswordBody,
  reply: { status: 200, schema: messageReply },
})

export const logoutEndpoint = defineEndpoint("logout", heads.logout, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag: "Autenticação",
  summary: "Encerra a sessão",
  reply: { status: 200, schema: messageReply },
})

export const loginReply = {
  status: "success" as const,
  token: "pQ3yJt0Zk1v8mX5cB7nR2sW9dF4gH6jLqA0eU1iO3pY",
  data: { user: ownUser },
}

export const authExamples = [
  defineExample(signupEndpoint, {
    body: {
      name: "Bruno Lima",
      email: "bruno@loja.example",
      password: "senha-da-ana",
      passwordConfirm: "senha-da-ana",
      cpf: exampleUser.cpf,
      phone: exampleUser.phone,
      address: exampleUser.address,
    },
    reply: {
      ...loginReply,
      data: { user: { ...ownUser, name: "Bruno Lima", email: "bruno@loja.example", balance: 0 } },
    },
    failures: ["email_taken", "idempotency_key_reused"],
  }),
  defineExample(loginEndpoint, {
    body: { email: "ana@loja.example", password: "senha-da-ana" },
    reply: loginReply,
    failures: [
      "wrong_credentials",
      "account_disabled",
      "password_reset_required",
      "second_factor_required",
      "second_factor_invalid",
    ],
  }),
  defineExample(forgotPasswordEndpoint, {
    body: { email: "ana@loja.example" },
    reply: { status: "success", message: "Email de recuperação enviado. Verifique sua caixa de entrada." },
    failures: [],
  }),
  defineExample(resetPasswordEndpoint, {
    params: { token: "pQ3yJt0Zk1v8mX5cB7nR2sW9dF4gH6jLqA0eU1iO3pY" },
    body: { password: "outra-senha", passwordConfirm: "outra-senha" },
    reply: { status: "success", message: "Senha redefinida com sucesso!" },
    failures: ["reset_token_invalid"],
  }),
  defineExample(confirmNewEmailEndpoint, {
    params: { token: "pQ3yJt0Zk1v8mX5cB7nR2sW9dF4gH6jLqA0eU1iO3pY" },
    reply: { status: "success", message: "E-mail confirmado! Entre com o novo endereço." },
    failures: ["email_link_invalid", "email_taken"],
  }),
  defineExample(updateMyPasswordEndpoint, {
    body: { passwordCurrent: "senha-da-ana", password: "outra-senha", passwordConfirm: "outra-senha" },
    reply: { status: "success", message: "Senha atualizada com sucesso!" },
    failures: ["wrong_credentials", "password_reset_required", "too_many_requests"],
  }),
  defineExample(logoutEndpoint, { reply: { status: "success", message: "Você saiu da sua conta" }, failures: [] }),
]
