import type { ProveBookings } from "#domain/money/chain/prove-bookings"
import { sellerAvailable } from "#ledger/accounts"
import { type TitledLine, titleOf } from "./titled-lines.ts"

const header = ["Data", "Lançamento", "Referência", "Valor (R$)", "Saldo (R$)", "Página", "Prova"]
const LINES_AT_ONCE = 200

/** As the other CSV files, with a byte order mark and CRLF; the last column proves each line (docs/chain.md). */
export async function* csvOf(
  sellerId: string,
  lines: AsyncIterable<TitledLine[]>,
  prove: ProveBookings,
): AsyncGenerator<string> {
  yield `\uFEFF${header.join(";")}\r\n`
  for await (const some of lines) {
    for (let from = 0; from < some.length; from += LINES_AT_ONCE) {
      const page = some.slice(from, from + LINES_AT_ONCE)
      const bookings = page.map(({ name, reference, amountCents }) => ({
        kind: name.slice(0, name.indexOf("/")),
        reference,
        amountCents,
      }))
      const proofs = await prove(sellerAvailable(sellerId), bookings)
      yield page.map((line, at) => `${[...cellsOf(line), proofs[at] ?? ""].join(";")}\r\n`).join("")
    }
  }
}

const partsOf = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  timeZone: "America/Sao_Paulo",
} as const)

function cellsOf(line: TitledLine): string[] {
  const { at, description, reference, amountCents, balanceCents } = line
  const parts = Object.fromEntries(partsOf.formatToParts(at).map(({ type, value }) => [type, value]))
  const moment = `${parts["day"]}/${parts["month"]}/${parts["year"]} ${parts["hour"]}:${parts["minute"]}`
  return [
    ...[moment, quoted(description), quoted(plain(reference)), amountText(amountCents), amountText(balanceCents)],
    quoted(plain(titleOf(line))),
  ]
}

/** Characters that a spreadsheet takes for the start of a formula. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/

function plain(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`
}
