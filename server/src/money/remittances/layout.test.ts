import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { accountNumber, outcomeOf, type Remittance, readReturn, writeRemittance } from "./layout.ts"

const payer: Remittance["payer"] = {
  bank: "001",
  bankName: "Banco do Brasil",
  cnpj: "11222333000181",
  name: "Tilinta Pagamentos Ltda",
  agreement: "123456",
  agency: { number: "1234", check: "5" },
  account: { number: "56789", check: "X" },
}
const madeAt = new Date("2026-11-21T12:34:56.000Z")
const ana = { name: "Ana Souza de São João", document: "52998224725" }

/** Written by hand from FEBRABAN's layout: a blank row of columns for each field. */
const columns = (...fields: string[]) => fields.join("")

test("a Pix by key is segments A and B of a lot of form 45, through chamber 009", () => {
  const file = writeRemittance({
    ...{ sequence: 12, madeAt, payer, kind: "pix" },
    lines: [
      {
        name: "TLT00001200001",
        amountCents: 123_456 as Cents,
        holder: ana,
        to: { method: "pix", kind: "email", key: "ana@loja.example" },
      },
    ],
  })
  const records = file.split("\r\n")
  expect(records.map(({ length }) => length)).toEqual([240, 240, 240, 240, 240, 240, 0])
  const company = "211222333000181123456              012345000000056789X TILINTA PAGAMENTOS LTDA       "
  expect(records).toEqual([
    columns(
      "00100000",
      " ".repeat(9),
      company,
      "BANCO DO BRASIL               ",
      " ".repeat(10),
      "1",
      "21112026",
      "093456",
      "000012",
      "103",
      "00000",
      " ".repeat(69),
    ),
    columns(
      "00100011C2045046 ",
      company,
      " ".repeat(40),
      " ".repeat(30),
      "00000",
      " ".repeat(35),
      "00000",
      " ".repeat(5),
      "01",
      " ".repeat(16),
    ),
    columns(
      "0010001300001A000009",
      ...["000", "00000", " ", "000000000000", " ", " "],
      ...[
        "ANA SOUZA DE SAO JOAO         ",
        "TLT00001200001      ",
        "21112026",
        "BRL",
        "0".repeat(15),
        "000000000123456",
      ],
      ...[" ".repeat(20), "00000000", "0".repeat(15), " ".repeat(40), " ".repeat(9), "   ", "0", " ".repeat(10)],
    ),
    columns(
      "0010001300002B02 ",
      "1",
      "00052998224725",
      " ".repeat(95),
      "ana@loja.example",
      " ".repeat(83),
      "000000",
      "00000000",
    ),
    columns("00100015", " ".repeat(9), "000004", "000000000000123456", "0".repeat(18), "000000", " ".repeat(175)),
    columns("00199999", " ".repeat(9), "000001", "000006", "000000", " ".repeat(205)),
    "",
  ])
})

test("a CNPJ may have letters, of the platform and of whoever is paid", () => {
  const to = { method: "pix", kind: "cnpj", key: "12ABC34501DE35" } as const
  const line = { name: "TLT00001200001", amountCents: 1 as Cents, holder: { ...ana, document: "12ABC34501DE35" }, to }
  const lettered = { ...payer, cnpj: "12ABC34501DE35" }
  const records = writeRemittance({ sequence: 12, madeAt, payer: lettered, kind: "pix", lines: [line] }).split("\r\n")
  expect(records[0]?.slice(17, 32)).toBe("212ABC34501DE35")
  expect(records[3]?.slice(17, 32)).toBe("212ABC34501DE35")
})

test("a TED names the account, through chamber 018, with the purpose of a credit to an account", () => {
  const to = {
    method: "ted",
    bank: "341",
    agency: { number: "4321", check: "" },
    account: { number: "98765", check: "4" },
    isSavings: true,
  } as const
  const file = writeRemittance({
    ...{ sequence: 999_999, madeAt, payer, kind: "ted" },
    lines: [{ name: "TLT99999900001", amountCents: 1 as Cents, holder: ana, to }],
  })
  const [, lot, a, b] = file.split("\r\n")
  expect(lot?.slice(0, 17)).toBe("00100011C2041046 ")
  expect(a).toBe(
    columns(
      "0010001300001A000018341",
      ...["04321", " ", "000000098765", "4", " "],
      ...[
        "ANA SOUZA DE SAO JOAO         ",
        "TLT99999900001      ",
        "21112026",
        "BRL",
        "0".repeat(15),
        "000000000000001",
      ],
      ...[" ".repeat(20), "00000000", "0".repeat(15), " ".repeat(40), "  ", "00005", "PP", "   ", "0", " ".repeat(10)],
    ),
  )
  expect(b).toBe(
    columns(
      "0010001300002B   ",
      "1",
      "00052998224725",
      " ".repeat(30),
      "00000",
      " ".repeat(50),
      "00000",
      " ".repeat(5),
      "0".repeat(83),
      " ".repeat(15),
      "0",
      "0".repeat(14),
    ),
  )
})

test("each kind of key has its way of beginning", () => {
  const forms = (["phone", "email", "cpf", "cnpj", "evp"] as const).map((kind) => {
    const to = { method: "pix", kind, key: "chave" } as const
    const lines = [{ name: "x", amountCents: 1 as Cents, holder: ana, to }]
    return writeRemittance({ sequence: 1, madeAt, payer, kind: "pix", lines }).split("\r\n")[3]?.slice(14, 17)
  })
  expect(forms).toEqual(["01 ", "02 ", "03 ", "03 ", "04 "])
})

test("a check digit follows a dash, or is the last place of an account", () => {
  expect(accountNumber("1234-5", "agency")).toEqual({ number: "1234", check: "5" })
  expect(accountNumber("1234", "agency")).toEqual({ number: "1234", check: "" })
  expect(accountNumber("56.789-x", "account")).toEqual({ number: "56789", check: "X" })
  expect(accountNumber("567890", "account")).toEqual({ number: "56789", check: "0" })
  expect(accountNumber("12-345-6", "account")).toEqual({ number: "12345", check: "6" })
  for (const text of ["12345-67", "1234567890123456", "", "-", "x"]) expect(accountNumber(text, "account")).toBeNull()
  expect(accountNumber("123456", "agency")).toBeNull()
})

function returned(name: string, cents: number, codes: string): string {
  const a = `0010001300001A${" ".repeat(59)}${name.padEnd(20)}${" ".repeat(26)}${String(cents).padStart(15, "0")}${" ".repeat(96)}${codes.padEnd(10)}`
  return [`00100000${" ".repeat(134)}2${" ".repeat(97)}`, a].join("\r\n")
}

test("a return names each payment, its amount and the bank's codes", () => {
  expect(readReturn(returned("TLT00001200001", 123_456, "00BD"))).toEqual([
    { name: "TLT00001200001", amountCents: 123_456, codes: ["00", "BD"] },
  ])
  for (const text of [
    "",
    "nada",
    `00100000${" ".repeat(134)}1${" ".repeat(97)}`,
    returned("x", 1, "00").slice(0, -1),
  ]) {
    expect(readReturn(text)).toBe(null)
  }
})

test("every occurrence is paid, taken in, refused with a reason or returned", () => {
  const of = (code: string) => outcomeOf([code])
  expect(["00", "03"].map((code) => of(code).outcome)).toEqual(["paid", "paid"])
  expect(["BD", "BE", ""].map((code) => of(code).outcome)).toEqual(["accepted", "accepted", "accepted"])
  expect(of("DV")).toEqual({ outcome: "returned", reason: "Devolvido pelo banco do favorecido (ocorrência DV)" })
  const refused = "01 02 AG AL AM AN AO AP AR BF HA HB HC HD HE HF PA PB PC PD PE PF PG PH PI PJ PL PM PN ZI".split(" ")
  for (const code of refused) expect(of(code)).toMatchObject({ outcome: "refused" })
  expect(of("ZI")).toEqual({ outcome: "refused", reason: "Favorecido divergente (ocorrência ZI)" })
  // A code of one bank alone may only inform: nobody pays again before they have looked there.
  for (const code of ["QQ", "ZA"]) {
    const reason = `Ocorrência ${code}, que não conhecemos: veja no banco o que foi feito.`
    expect(of(code)).toEqual({ outcome: "accepted", reason })
  }
})
