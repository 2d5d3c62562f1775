import { expect, test } from "vitest"
import { ApiError, offlineError } from "#api/api-error.ts"
import { authFailure } from "./auth-parts.tsx"

const texts = { failed: "Falha ao fazer login", broken: "Verifique suas credenciais.", toast: "Erro ao fazer login" }

test("the server's words are said once, on the page", () => {
  const error = new ApiError(401, "wrong_credentials", "E-mail ou senha incorretos.")
  expect(authFailure(error, texts)).toEqual({ inline: "E-mail ou senha incorretos.", toast: null })
})

test("a server without words gets ours, on the page and as a toast", () => {
  expect(authFailure(new ApiError(502, "unknown", ""), texts)).toEqual({ inline: texts.failed, toast: texts.toast })
})

test("a missing answer is reported as an exception", () => {
  expect(authFailure(new TypeError("x"), texts)).toEqual({ inline: texts.broken, toast: texts.toast })
})

test("without a network the page says why and the toast says what", () => {
  expect(authFailure(offlineError(), texts)).toEqual({ inline: "Sem conexão com a internet.", toast: texts.toast })
})
