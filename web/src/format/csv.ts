/** What a spreadsheet reads as the beginning of a formula, also in full width. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
const mustBeQuoted = /[;"\r\n]/

/** A text that strangers may have typed: an apostrophe before it keeps a formula mere text. */
export function textCell(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return mustBeQuoted.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** 1234,56: a number for every spreadsheet that is set to Portuguese. */
export function moneyCell(reais: number): string {
  return reais.toFixed(2).replace(".", ",")
}

/** As the server writes its files: UTF-8 with its mark, semicolons, CRLF. */
export function csvFile(rows: readonly (readonly string[])[]): Blob {
  const lines = rows.map((cells) => `${cells.join(";")}\r\n`)
  return new Blob(["\uFEFF", ...lines], { type: "text/csv;charset=utf-8" })
}
