import { ReplyTooLarge } from "#kit/http-client"
import { type Answer, failureOf } from "#psp/bounded-http"
import { PspError, type PspWindow } from "#psp/psp"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { pageQuery } from "./page-query.ts"

/** Each divides the one before, so that a list goes on at the same row after its page has shrunk. */
const sizes = [500, 100, 50, 10, 5, 1]
/** Refusals of a page that may be too long for this bank. */
const refusedSizes = [400, 413, 422]

interface Asked {
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
  { path, window, filters, ...asked }: Asked,
  read: (body: unknown) => Read<Row>,
): AsyncGenerator<Row[]> {
  let size = Math.min(asked.size, client.pageSizes.get(path) ?? asked.size)
  let refused = false
  for (let skipped = 0, rowsAtMost = size; skipped < rowsAtMost; ) {
    const query = pageQuery(window, { page: skipped / size, size, ...(filters !== undefined && { filters }) })
    const answer = await askPage(client, `${path}?${query}`)
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
    if (refused) client.pageSizes.set(path, size)
    const { rows, pages } = read(answer.body)
    rowsAtMost = pages * size
    skipped += size
    yield rows
  }
}

async function askPage(client: ApiPixClient, path: string): Promise<Answer | "too-large"> {
  try {
    return await client.request("GET", path)
  } catch (error) {
    if (error instanceof PspError && error.cause instanceof ReplyTooLarge) return "too-large"
    throw error
  }
}
