import { Readable } from "node:stream"
import { cellFormats, sheetText } from "@tilinta/contract/vocabulary/files"
import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { CellValue } from "hucre/xlsx"

/** A column holds text, centavos, São Paulo's wall clock as `wallClock` writes it, or numbers and booleans as they are. */
type CellKind = keyof typeof cellFormats

export interface SheetColumn {
  label: string
  kind: CellKind
}

type Cell = string | number | boolean | null

/**
 * A workbook that is made while it is read, for rows of any number, some at a time: text stays text letter by letter, amounts
 * are numbers and moments are dates. Destroying it destroys the rows. Loads the library: few requests need it.
 */
export async function xlsxFile(columns: readonly SheetColumn[], rows: Readable): Promise<Readable> {
  const { writeXlsxStream } = await import("hucre/xlsx")
  const named = columns.map(({ label, kind }) => ({ header: label, ...cellFormats[kind] }))
  async function* cells(): AsyncGenerator<CellValue[]> {
    for await (const some of rows as AsyncIterable<Cell[][]>) {
      for (const row of some) yield columns.map(({ kind }, at) => cellOf(row[at] ?? null, kind))
    }
  }
  const written = writeXlsxStream(cells(), { name: "Dados", columns: named, freezePane: { rows: 1 } }).getReader()
  return new Readable({
    read() {
      written.read().then(
        ({ value }) => this.push(value ?? null),
        (error: Error) => this.destroy(error),
      )
    },
    // Ends the library's work too, which would otherwise wait for a row that may never come.
    destroy(error, done) {
      rows.destroy()
      done(error)
    },
  })
}

function cellOf(value: Cell, kind: CellKind): CellValue {
  if (value === null) return null
  if (kind === "money") return reaisFromCents(Number(value) as Cents)
  if (kind === "moment") return new Date(`${value}Z`)
  return typeof value === "string" ? sheetText(value) : value
}

const saoPaulo = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
})

/** 2026-11-21T12:00:00, as a clock in São Paulo shows it. */
export function wallClock(moment: Date): string {
  return saoPaulo.format(moment).replace(" ", "T")
}
