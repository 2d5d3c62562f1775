import { type Head, splitHead } from "@tilinta/contract/define-endpoint"
import { cellFormats, csvText, fileTypes, sheetText } from "@tilinta/contract/vocabulary/files"
import { shopHeaders } from "./acting-shop.ts"
import { ApiError, offlineError } from "./api-error.ts"
import { readReply, urlOf } from "./client.ts"
import { currentToken, reportRefusedToken } from "./session-token.ts"
import { askStepUp } from "./step-up.ts"

/** Saves the file as if a link to it had been clicked. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Fetches and saves a file: a plain link could not carry the session. */
export async function download(head: Head, input: FileInput, fileName: string): Promise<void> {
  saveFile(await fetchBlob(head, input), fileName)
}

interface FileInput {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  /** Sent as JSON. */
  body?: object
}

export async function fetchBlob(head: Head, { params, query, body }: FileInput): Promise<Blob> {
  const { method, path } = splitHead(head)
  const url = urlOf(path, params, query)
  const wanted = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetchFile(url, wanted).catch(async (error: unknown) => {
    const needsStepUp = error instanceof ApiError && error.code === "step_up_required"
    if (!needsStepUp || !(await askStepUp(error.methods))) throw error
    return fetchFile(url, wanted)
  })
  return response.blob().catch(() => Promise.reject(offlineError()))
}

async function fetchFile(url: string, wanted: RequestInit): Promise<Response> {
  const token = currentToken()
  const headers: Record<string, string> = token === null ? {} : { ...shopHeaders(), Authorization: `Bearer ${token}` }
  if (wanted.body !== undefined) headers["content-type"] = "application/json"
  const response = await fetch(url, { ...wanted, headers }).catch(() => Promise.reject(offlineError()))
  if (response.status === 401 && token !== null) reportRefusedToken(token)
  if (!response.ok) await readReply(response)
  return response
}

/** 1234,56: a number in any spreadsheet with a Portuguese locale. */
function moneyCell(reais: number): string {
  return reais.toFixed(2).replace(".", ",")
}

/** Text, a count or an amount. */
export type PageCell = string | number | { reais: number }

/** A table that the page itself has. */
interface PageTable {
  heads: readonly string[]
  rows: readonly (readonly PageCell[])[]
}

function kindOf(cell: PageCell): keyof typeof cellFormats {
  return typeof cell === "object" ? "money" : typeof cell === "string" ? "text" : "value"
}

/** The same format as the server's files: UTF-8 with BOM, semicolons, CRLF. */
export function csvFile({ heads, rows }: PageTable): Blob {
  const textOf = (cell: PageCell) =>
    typeof cell === "object" ? moneyCell(cell.reais) : typeof cell === "number" ? String(cell) : csvText(cell)
  const lines = [heads, ...rows].map((cells) => `${cells.map(textOf).join(";")}\r\n`)
  return new Blob(["\uFEFF", ...lines], { type: "text/csv;charset=utf-8" })
}

/** The same as a workbook, in which text stays text. Loads the library: few ask for it. */
export async function xlsxFile({ heads, rows }: PageTable): Promise<Blob> {
  const { writeXlsxStream } = await import("hucre/xlsx")
  const columns = heads.map((header, at) => ({ header, ...cellFormats[kindOf(rows[0]?.[at] ?? "")] }))
  const values = rows.map((cells) =>
    cells.map((cell) => (typeof cell === "object" ? cell.reais : typeof cell === "string" ? sheetText(cell) : cell)),
  )
  const file = writeXlsxStream(values, { name: "Dados", columns, freezePane: { rows: 1 } })
  return new Response(file, { headers: { "content-type": fileTypes.xlsx } }).blob()
}
