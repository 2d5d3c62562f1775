import { expect, test } from "vitest"
import { failureWords } from "./failure-words.ts"

test.each([
  ["the provider answered 503 (Serviço indisponível)", "o banco respondeu 503 (Serviço indisponível)"],
  ["the provider answered 409 to a payout", "o banco respondeu 409"],
  ["no answer from the provider (ECONNREFUSED)", "o banco não respondeu (ECONNREFUSED)"],
  ["token refused with status 401", "o banco recusou o acesso, com 401"],
  ["550 no such user", "detalhe técnico: 550 no such user"],
])("'%s' reads '%s'", (failure, read) => {
  expect(failureWords(failure)).toBe(read)
})
