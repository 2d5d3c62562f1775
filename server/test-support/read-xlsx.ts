import type { FastifyInstance } from "fastify"
import { invariant } from "#kit/errors"
import { unzip } from "./read-zip.ts"

/** Text, a number, or for a date its moment as text: 2026-11-21 12:00:00. Cells that are empty are left out. */
type Cell = string | number

/** A workbook as an endpoint answers it. */
export async function downloadXlsx(app: FastifyInstance, url: string, token: string) {
  const { statusCode, headers, rawPayload } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  invariant(statusCode === 200, `${url} answered ${statusCode}`)
  return { type: headers["content-type"], name: headers["content-disposition"], rows: readXlsx(rawPayload) }
}

/** The rows of a workbook's sheets by the names of their columns, read as spreadsheets read them, with no library. */
export function readXlsx(file: Buffer): Record<string, Cell>[] {
  const parts = unzip(file)
  const part = (name: string) => parts.get(name)?.toString("utf8") ?? ""
  for (const needed of ["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"]) invariant(parts.has(needed), needed)
  const formats = formatsOf(part("xl/styles.xml"))
  const sheets = [...parts.keys()].filter((name) => name.startsWith("xl/worksheets/sheet"))
  return sheets.flatMap((sheet) => {
    const [heads = new Map<string, Cell>(), ...rows] = rowsOf(part(sheet), formats)
    return rows.map((row) => Object.fromEntries([...row].map(([column, cell]) => [String(heads.get(column)), cell])))
  })
}

/** The number format of each style. */
function formatsOf(styles: string): string[] {
  const own = new Map(
    [...styles.matchAll(/<numFmt ([^>]*)>/g)].map(([, of = ""]) => [
      attribute(of, "numFmtId"),
      attribute(of, "formatCode"),
    ]),
  )
  const cells = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles)?.[1] ?? ""
  return [...cells.matchAll(/<xf ([^>]*)>/g)].map(([, of = ""]) => unescaped(own.get(attribute(of, "numFmtId")) ?? ""))
}

function rowsOf(sheet: string, formats: readonly string[]): Map<string, Cell>[] {
  return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = ""]) => {
    const cells = new Map<string, Cell>()
    for (const [, of = "", content = ""] of row.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const column = attribute(of, "r").replace(/\d+/, "")
      if (content !== "")
        cells.set(column, cellOf(content, attribute(of, "t"), formats[Number(attribute(of, "s"))] ?? ""))
    }
    return cells
  })
}

function cellOf(content: string, type: string, format: string): Cell {
  if (type === "inlineStr") {
    const [, space = "", text = ""] = /<t([^>]*)>(.*?)<\/t>/s.exec(content) ?? []
    const kept = space.includes("preserve") ? text : text.replaceAll(/^[ \t\n]+|[ \t\n]+$/g, "")
    const letter = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))
    return unescaped(kept).replaceAll(/_x([0-9a-fA-F]{4})_/g, letter)
  }
  const value = /<v>(.*?)<\/v>/.exec(content)?.[1] ?? ""
  if (type === "b") return value === "1" ? "VERDADEIRO" : "FALSO"
  invariant(type === "" && value !== "", `a cell of the type ${type}`)
  if (!format.includes("yy")) return Number(value)
  const epoch = Date.UTC(1899, 11, 30)
  return new Date(epoch + Math.round(Number(value) * 86_400) * 1000).toISOString().slice(0, 19).replace("T", " ")
}

function attribute(of: string, name: string): string {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(of)?.[1] ?? ""
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name] ?? "")
}
