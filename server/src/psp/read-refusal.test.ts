import { expect, test } from "vitest"
import { describeRefusal, readRefusal } from "./bounded-http.ts"

const reported = (body: unknown) => ({ body, text: "" })
const standardProblem = {
  type: "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida",
  title: "Cobrança inválida.",
  status: 400,
  detail: "A cobrança não respeita o schema.",
  violacoes: [{ razao: "deve ser positivo", propriedade: "cob.valor.original" }],
}

test.each([
  [
    "the standard's problem",
    standardProblem,
    "A cobrança não respeita o schema. cob.valor.original: deve ser positivo",
  ],
  ["a problem with a title alone", { title: "Não encontrado", status: 404 }, "Não encontrado"],
  ["Efí's own", { nome: "valor_invalido", mensagem: "Valor acima do limite." }, "Valor acima do limite."],
  ["a token's", { error: "invalid_client", error_description: "Credenciais inválidas" }, "Credenciais inválidas"],
  ["a token's without a word", { error: "invalid_client" }, "invalid_client"],
  ["BB's list", { erros: [{ codigo: "4769515", mensagem: "Não há informações." }] }, "Não há informações."],
  ["BB's gateway", { statusCode: 401, error: "Unauthorized", message: "Bad Credentials" }, "Bad Credentials"],
  [
    "Santander's gateway",
    { fault: { faultstring: "Invalid access token", detail: { errorcode: "x" } } },
    "Invalid access token",
  ],
  ["Santander's own", { _errorCode: 400, _message: "Dados inválidos" }, "Dados inválidos"],
  ["Santander's list", { errors: [{ code: "400", message: "txid já existe" }] }, "txid já existe"],
  ["Santander's details", { details: [{ title: "expiracao", detail: "fora do limite" }] }, "fora do limite"],
  ["nothing", {}, null],
  ["a bare word", "não", null],
])("the reason of %s is read", (_name, body, reason) => {
  expect(readRefusal(reported(body))).toBe(reason)
})

test("a SOAP fault gives its string as the reason, an HTML page none", () => {
  const fault = "<s:Envelope><s:Body><s:Fault><faultstring>Erro\n interno</faultstring></s:Fault></s:Body></s:Envelope>"
  expect(readRefusal({ body: undefined, text: fault })).toBe("Erro interno")
  expect(readRefusal({ body: undefined, text: "<html><body>x</body></html>" })).toBeNull()
})

test("the log gets the kind of refusal, without personal data", () => {
  expect(describeRefusal(reported(standardProblem))).toMatch(/^CobOperacaoInvalida: A cobrança/)
  const detail =
    "A chave ana@loja.example, +5511987654321, 12.345.678/0001-95, 529.982.247-25 ou 71cdf9ba-c695-4e3c-b010-abb521a3f1be não é sua."
  expect(describeRefusal(reported({ detail }))).toBe(
    "A chave [email], [número], [número], [número] ou [chave] não é sua.",
  )
  expect(describeRefusal(reported({ detail: "x".repeat(1_000) }))).toHaveLength(200)
})
