import { type Cents, centsFromPixValue } from "@tilinta/contract/vocabulary/money"

const written = /^(\d{1,10})(?:\.(\d{1,2}))?$/

/** "100.00" by the standard, 100 or "100.0" at some banks: parsed digit by digit. Null for anything else. */
export function readValue(value: string | number | null | undefined): Cents | null {
  const [, reais, cents = ""] = written.exec(String(value ?? "")) ?? []
  return reais === undefined ? null : centsFromPixValue(`${reais}.${cents.padEnd(2, "0")}`)
}
