import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PixKey } from "@tilinta/contract/vocabulary/pix-key"
import { decodeQR } from "qr/decode.js"
import { expect, test } from "vitest"
import { newId } from "#kit/ids"
import { qrModules } from "#kit/qr-code"
import { codeOf, txidOf } from "./rules.ts"

const keys: PixKey[] = [
  { kind: "cpf", key: "52998224725" },
  { kind: "cnpj", key: "11222333000181" },
  { kind: "cnpj", key: "12ABC34501DE35" },
  { kind: "email", key: "ana+loja_1@loja.example" },
  { kind: "email", key: `${"a".repeat(64)}@loja.example` },
  { kind: "phone", key: "+5511987654321" },
  { kind: "evp", key: "123e4567-e89b-12d3-a456-426614174000" },
]
const names = [
  "Ana Souza",
  "João d'Ávila",
  "Ñandú & Cia",
  "山田太郎",
  "Ω",
  "🍰",
  "",
  `Maria ${"da Conceição ".repeat(9)}`,
]

/** As a camera sees it: four pixels a module. */
function textIn(code: readonly boolean[][]): string {
  const width = code.length * 4
  const data = new Uint8ClampedArray(width * width * 4)
  for (let at = 0; at < width * width; at += 1) {
    const isDark = code[Math.floor(at / width / 4)]?.[Math.floor((at % width) / 4)] === true
    const shade = isDark ? 0 : 255
    data.set([shade, shade, shade, 255], at * 4)
  }
  return decodeQR({ width, height: width, data })
}

test("all codes of a batch of 200 are read back, as text and as a picture", () => {
  const codes = Array.from({ length: 200 }, (_, at) => {
    const pixKey = keys[at % keys.length] ?? { kind: "cpf", key: "" }
    const id = newId()
    // From a centavo to the largest amount, with all kinds of centavos.
    const amountCents = (at === 199 ? 999_999_999 : 1 + at * at * 251) as Cents
    const code = codeOf({ id, amountCents, destination: { method: "pix", pixKey } }, names[at % names.length] ?? "")
    return { text: code?.text ?? "", wanted: { key: pixKey.key, amountCents, txid: txidOf(id) } }
  })
  for (const { text, wanted } of codes) {
    expect(decodeBrCode(text)).toMatchObject({ valid: true, code: wanted })
    expect(textIn(qrModules(text, "M"))).toBe(text)
  }
  expect(new Set(codes.map(({ text }) => text)).size).toBe(200)
})
