import { type Cents, centsFromPixValue } from "@tilinta/contract/vocabulary/money"
import { ReplyTooLarge } from "#kit/http-client"
import { type Answer, failureOf, readRefusal, saysNone } from "#psp/bounded-http"
import { PspError, type PspWindow } from "#psp/psp"
import type { ApiPixClient } from "./api-pix-http-client.ts"

/** Each divides the one before, so that a list goes on at the same row after its page has shrunk. */
const sizes = [500, 100, 50, 10, 5, 1]
/** Refusals of a page that may be too long for this bank. */
const refusedSizes = [400, 413, 422]

interface ListQuery {
  path: string
  window: PspWindow
  /** The page's size at first; one of 500, 100, 50, 10, 5 and 1. */
  size: number
  filters?: Readonly<Record<string, string>>
}

interface Read<Row> {
  rows: Row[]
  /** Number of pages of the size that was asked for. */
  pages: number
}

/**
 * A list of the standard, page by page. Banks limit the length of a page, and long rows make an answer too large: the
 * page then shrinks, down to one row, and stays as short in the client's later lists if the bank refused it.
 */
export async function* listPages<Row>(
  client: ApiPixClient,
  { path, window: meant, filters, ...query }: ListQuery,
  read: (body: unknown) => Read<Row>,
): AsyncGenerator<Row[]> {
  let size = Math.min(query.size, client.pageSizes.get(path) ?? query.size)
  let refused = false
  const window = client.stamps.windowAround(meant)
  for (let skipped = 0, rowsAtMost = size; skipped < rowsAtMost; ) {
    const query = pageQuery(window, { page: skipped / size, size, ...(filters !== undefined && { filters }) })
    const answer = await askPage(client, `${path}?${query}`)
    if (skipped === 0 && answer !== "too-large" && saysNone(answer)) return
    const smaller = sizes.find((other) => other < size)
    const isTooLong = answer === "too-large" || refusedSizes.includes(answer.status)
    if (isTooLong && smaller !== undefined) {
      refused ||= answer !== "too-large"
      size = smaller
      rowsAtMost = Math.max(rowsAtMost, skipped + size)
      continue
    }
    if (answer === "too-large") throw new PspError("unknown", "a single row is larger than 1 MB")
    if (answer.status !== 200) throw failureOf(answer)
    if (isRefusal(answer)) throw failureOf(answer)
    if (refused) client.pageSizes.set(path, size)
    const { rows, pages } = read(answer.body)
    rowsAtMost = pages * size
    skipped += size
    yield rows
  }
}

/** A reason where the list should be, with a status that says that all is well. */
function isRefusal(answer: Answer): boolean {
  const { parametros, pix, infracoes } = (answer.body ?? {}) as Record<string, unknown>
  return parametros === undefined && pix === undefined && infracoes === undefined && readRefusal(answer) !== null
}

async function askPage(client: ApiPixClient, path: string): Promise<Answer | "too-large"> {
  try {
    return await client.request("GET", path)
  } catch (error) {
    if (error instanceof PspError && error.cause instanceof ReplyTooLarge) return "too-large"
    throw error
  }
}

export const USUAL_SIZE = 100

interface Page {
  page: number
  size?: number
  filters?: Readonly<Record<string, string>>
}

/** The query for one page of a list, the same for all lists of the standard. */
export function pageQuery(window: PspWindow, { page, size = USUAL_SIZE, filters = {} }: Page): string {
  const write = window.isNarrow === true ? toTheMillisecond : withoutMilliseconds
  const query = new URLSearchParams({
    inicio: write(window.from),
    fim: write(window.to),
    ...filters,
    "paginacao.paginaAtual": String(page),
    "paginacao.itensPorPagina": String(size),
  })
  return query.toString()
}

function toTheMillisecond(moment: Date): string {
  return moment.toISOString()
}

/** Santander refuses milliseconds; the others accept times without them. */
function withoutMilliseconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}

const writtenValue = /^(\d{1,10})(?:\.(\d{1,2}))?$/

/** "100.00" by the standard, 100 or "100.0" at some banks: parsed digit by digit. Null for anything else. */
export function readValue(value: string | number | null | undefined): Cents | null {
  const [, reais, cents = ""] = writtenValue.exec(String(value ?? "")) ?? []
  return reais === undefined ? null : centsFromPixValue(`${reais}.${cents.padEnd(2, "0")}`)
}
