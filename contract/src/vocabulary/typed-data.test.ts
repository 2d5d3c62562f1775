import { describe, expect, test } from "vitest"
import { isCpf } from "./payer-data.ts"
import { bareDigits, isEmail, parseCnpj, parseEmail, parsePhone, parseState, parseZipCode } from "./typed-data.ts"

describe("a phone", () => {
  test.each([
    ["11987654321", "11987654321"],
    ["(11) 98765-4321", "11987654321"],
    ["11 9 8765 4321", "11987654321"],
    ["11.98765.4321", "11987654321"],
    ["1133334444", "1133334444"],
    ["(11) 3333-4444", "1133334444"],
    ["+55 (11) 98765-4321", "11987654321"],
    ["+5511987654321", "11987654321"],
    ["5511987654321", "11987654321"],
    ["0055 11 98765-4321", "11987654321"],
    ["011 98765-4321", "11987654321"],
    ["015 11 98765-4321", "11987654321"],
    ["015 91 98765-4321", "91987654321"],
    ["0xx11 98765-4321", "11987654321"],
    ["(0XX11) 3333-4444", "1133334444"],
    ["+55 0 11 98765-4321", "11987654321"],
    ["\u202a+55 11 98765\u20114321\u202c", "11987654321"],
    ["１１ ９８７６５－４３２１", "11987654321"],
    ["55987654321", "55987654321"],
    ["+55 55 98765-4321", "55987654321"],
    ["5532221234", "5532221234"],
    ["555532221234", "5532221234"],
    ["  11987654321  ", "11987654321"],
  ])("%j has the digits %s", (typed, digits) => expect(parsePhone(typed)).toBe(digits))

  test.each([
    "",
    "abc",
    "-",
    "0",
    "987654321",
    "119876543210",
    "1".repeat(200),
    "11987654321 ramal 2",
    "+1 202 555 0143 22",
    "+34 911 234 567",
    "0034 911 234 567",
    "+54 9 11 1234-5678",
    // No such area code, no 9 before eight digits, no land line that begins so
    "20987654321",
    "10987654321",
    "55119876543",
    "11187654321",
    "5598765432",
    "1187654321",
    "1112345678",
  ])("%j is none", (typed) => expect(parsePhone(typed)).toBe(null))
})

describe("an e-mail address", () => {
  test.each([
    ["ana@exemplo.com.br", "ana@exemplo.com.br"],
    [" Ana@Exemplo.com ", "Ana@Exemplo.com"],
    ["ana+loja@exemplo.com", "ana+loja@exemplo.com"],
    ["a_b-c.d@sub.exemplo.com", "a_b-c.d@sub.exemplo.com"],
    ["o'neil@exemplo.com", "o'neil@exemplo.com"],
    ["ana@açaí.com.br", "ana@xn--aa-4iaz.com.br"],
    ["ana@Ac\u0327ai\u0301.com.br", "ana@xn--aa-4iaz.com.br"],
    ["ana@xn--aa-4iaz.com.br", "ana@xn--aa-4iaz.com.br"],
    ["ana@loja。com", "ana@loja.com"],
    ["ana@gmail.com\u200b", "ana@gmail.com"],
  ])("%j is %s", (typed, address) => expect(parseEmail(typed)).toBe(address))

  test.each([
    "",
    "ana",
    "ana@",
    "@exemplo.com",
    "joão@gmail.com",
    "ana@gmail",
    "ana..b@gmail.com",
    ".ana@gmail.com",
    "ana.@gmail.com",
    "ana@gmail..com",
    "ana@.gmail.com",
    "ana@gmail.com.",
    "ana@-gmail.com",
    "ana@gmail-.com",
    "ana@gmail_.com",
    "ana@192.168.0.1",
    "ana@[192.168.0.1]",
    "ana@localhost",
    "ana@gmail.c",
    "ana b@gmail.com",
    "ana exemplo@x.com",
    "ana@gm ail.com",
    "ana@gmail.com,bia@gmail.com",
    "Ana <ana@gmail.com>",
    '"ana"@gmail.com',
    "ana@@gmail.com",
    "ana@é/x.com",
    `${"a".repeat(65)}@gmail.com`,
    `ana@${"a".repeat(64)}.com`,
    `${"a".repeat(250)}@x.com`,
  ])("%j can't be delivered", (typed) => expect(parseEmail(typed)).toBe(null))

  test("an account may have one of this installation", () => {
    expect(["admin@localhost", "ana@loja.example", "ana@loja", "@localhost", "a b@localhost"].map(isEmail)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

test.each([
  ["52998224725", true],
  ["12345678909", true],
  ["52998224724", false],
  ["52998224735", false],
  ["11111111111", false],
  ["5299822472", false],
  ["529982247250", false],
])("CPF %s: %s", (digits, isValid) => expect(isCpf(digits)).toBe(isValid))

test.each([
  ["529.982.247-25", "52998224725"],
  [" 529 982 247 25 ", "52998224725"],
  ["５２９９８２２４７２５", "52998224725"],
  ["529.982.247-2x", "529.982.247-2x"],
  ["", ""],
])("the bare digits of %j are %j", (typed, digits) => expect(bareDigits(typed)).toBe(digits))

test.each([
  ["11.222.333/0001-81", "11222333000181"],
  [" 11222333000181 ", "11222333000181"],
  ["12.abc.345/01de-35", "12ABC34501DE35"],
  ["11 222 333 0001 81", "11222333000181"],
  ["11222333000182", null],
  ["00000000000000", null],
  ["1122233300018", null],
  ["11.222.333/0001-8A", null],
])("CNPJ %j is %j", (typed, cnpj) => expect(parseCnpj(typed)).toBe(cnpj))

test.each([
  ["01310-100", "01310100"],
  ["01310100", "01310100"],
  [" 01.310-100 ", "01310100"],
  ["01310 100", "01310100"],
  ["0131010", null],
  ["013101000", null],
  ["CEP 01310", null],
  ["", null],
])("postal code %j is %j", (typed, code) => expect(parseZipCode(typed)).toBe(code))

test.each([
  ["SP", "SP"],
  [" sp ", "SP"],
  ["São Paulo", "SP"],
  ["sao paulo", "SP"],
  ["Sa\u0303o Paulo", "SP"],
  ["Rio Grande do Sul", "RS"],
  ["Pará", "PA"],
  ["Paraná", "PR"],
  ["DF", "DF"],
  ["XX", null],
  ["S", null],
  ["Lisboa", null],
  ["", null],
])("state %j is %j", (typed, state) => expect(parseState(typed)).toBe(state))
