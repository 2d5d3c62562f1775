/** The types of files that the API answers, by the ending of their names. */
export const fileTypes = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ofx: "application/x-ofx",
  pdf: "application/pdf",
  zip: "application/zip",
  rem: "text/plain",
} as const
export type FileEnding = keyof typeof fileTypes
export type FileType = (typeof fileTypes)[FileEnding]

/** Files that the API takes. */
export type SentFileType = "image/png" | "image/jpeg" | "image/webp" | "text/csv" | "text/plain" | "application/x-ofx"

/** How a table is exported: CSV as the specification has it, or a workbook, in which identifiers stay as they are. */
export const exportFormats = ["csv", "xlsx"] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Characters that a spreadsheet takes for the start of a formula, full-width forms included. */
export const formulaStarts = "=+-@\t\r\n＝＋－＠"

/** Text from strangers in a CSV file: a leading apostrophe keeps a formula plain text. */
export function csvText(text: string): string {
  const harmless = text !== "" && formulaStarts.includes(text.charAt(0)) ? `'${text}` : text
  return /[;"\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const MOST_CHARACTERS = 32_767

/** Text in a workbook, whose lines end by a line feed: Excel reads `_x0041_` as a letter by its number unless the first sign is escaped, and opens no longer text. */
export function sheetText(text: string): string {
  return text
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD")
}

/** The number format and width of a workbook's columns. Text is marked as such, so that digits typed into it later stay text, too. */
export const cellFormats = {
  text: { numFmt: "@", width: 28 },
  money: { numFmt: "#,##0.00", width: 18 },
  moment: { numFmt: "dd/mm/yyyy hh:mm", width: 18 },
  value: { width: 20 },
} as const
