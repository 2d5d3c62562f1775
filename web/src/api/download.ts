import { type Head, splitHead } from "@tilinta/contract/define-endpoint"
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
export async function download(
  head: Head,
  { params, query }: { params?: Record<string, string>; query?: Record<string, string | undefined> },
  fileName: string,
): Promise<void> {
  const url = urlOf(splitHead(head).path, params, query)
  const response = await fetchFile(url).catch(async (error: unknown) => {
    const needsStepUp = error instanceof ApiError && error.code === "step_up_required"
    if (!needsStepUp || !(await askStepUp(error.methods))) throw error
    return fetchFile(url)
  })
  const file = await response.blob().catch(() => Promise.reject(offlineError()))
  saveFile(file, fileName)
}

async function fetchFile(url: string): Promise<Response> {
  const token = currentToken()
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers }).catch(() => Promise.reject(offlineError()))
  if (response.status === 401 && token !== null) reportRefusedToken(token)
  if (!response.ok) await readReply(response)
  return response
}

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
