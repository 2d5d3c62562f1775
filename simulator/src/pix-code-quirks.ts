import { decodeBrCode } from "@tilinta/brcode/decode"
import { encodeDynamic, encodeStatic } from "@tilinta/brcode/encode"

export function withWrongSum(code: string): string {
  return code.slice(0, -4) + (code.endsWith("0000") ? "1111" : "0000")
}

export function withAnotherAmount(code: string, moreCents: number): string {
  const { url, merchantName, merchantCity, amountCents } = partsOf(code)
  return encodeDynamic({ url, merchantName, merchantCity, amountCents: amountCents + moreCents })
}

/** A static code of another receiver, as an attacker would substitute it. */
export function codeOfAnotherKey(code: string): string {
  const { merchantName, merchantCity, amountCents } = partsOf(code)
  return encodeStatic({ key: "outra-pessoa@banco.example", merchantName, merchantCity, amountCents })
}

function partsOf(code: string) {
  const decoded = decodeBrCode(code)
  if (!decoded.valid) throw new Error(`this bank wrote a code that it can't read: ${decoded.error}`)
  const { url = "", merchantName, merchantCity, amountCents = 0 } = decoded.code
  return { url, merchantName, merchantCity, amountCents }
}
