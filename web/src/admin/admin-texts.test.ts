import { expect, test } from "vitest"
import { failureWords } from "./admin-texts.ts"

test.each([
  ["the provider answered 503 (Serviço indisponível)", "o banco respondeu 503 (Serviço indisponível)"],
  ["the provider answered 409 to a payout", "o banco respondeu 409"],
  ["no answer from the provider (ECONNREFUSED)", "o banco não respondeu (ECONNREFUSED)"],
  ["token refused with status 401", "o banco recusou o acesso, com 401"],
  ["550 no such user", "o servidor de e-mail recusou, com 550"],
  ["unreadable answer of the provider", "o banco enviou uma resposta inválida"],
  ["Connection terminated unexpectedly", "o banco de dados ou o servidor de destino não respondeu"],
  ['relation "charges" does not exist', "falha inesperada: os detalhes estão no registro do servidor"],
  ["getaddrinfo ENOTFOUND smtp.example", "o endereço do servidor não foi encontrado (ENOTFOUND)"],
  ["connect ETIMEDOUT 10.0.0.1:587", "o servidor de destino não respondeu (ETIMEDOUT)"],
  ["could not extend file: No space left on device", "o disco está cheio"],
  ["cannot execute INSERT in a read-only transaction", "o banco de dados só aceita leitura"],
  ["value too long (22001)", "falha inesperada (22001): os detalhes estão no registro do servidor"],
])("'%s' reads '%s'", (failure, read) => {
  expect(failureWords(failure)).toBe(read)
})
