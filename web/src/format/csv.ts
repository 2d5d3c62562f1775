/** Characters that a spreadsheet takes for the start of a formula, full-width forms included. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
const mustBeQuoted = /[;"\r\n]/

/** Text from strangers: a leading apostrophe keeps a formula plain text. */
export function textCell(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return mustBeQuoted.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** 1234,56: a number in any spreadsheet with a Portuguese locale. */
export function moneyCell(reais: number): string {
  return reais.toFixed(2).replace(".", ",")
}

/** The same format as the server's files: UTF-8 with BOM, semicolons, CRLF. */
export function csvFile(rows: readonly (readonly string[])[]): Blob {
  const lines = rows.map((cells) => `${cells.join(";")}\r\n`)
  return new Blob(["\uFEFF", ...lines], { type: "text/csv;charset=utf-8" })
}
