import { ReplyTooLarge } from "#kit/http-client"
import type { Answer } from "#psp/bounded-http"
import { PspError, type PspWindow } from "#psp/psp"
import { isSuccess, saysNotFound, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { listSchema } from "./woovi-schemas.ts"

type List = "transactions" | "payments"

const paths = { transactions: "/transaction", payments: "/payment" } as const satisfies Record<List, string>
const PAGE_SIZE = 100
/** Refusals of a page that may be too long. */
const refusedSizes = [400, 413, 422]
/** Woovi limits the depth of paging, so a long window is read in parts. */
const PART_MS = 6 * 3_600_000

/** The window's items, part by part, oldest part first. An item on a border may appear in both parts. */
export async function* listWindow(client: WooviClient, list: List, { from, to }: PspWindow): AsyncGenerator<unknown[]> {
  for (let start = from.getTime(); start < to.getTime(); start += PART_MS) {
    const end = Math.min(start + PART_MS, to.getTime())
    const query = { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
    yield await listAll(client, list, query)
  }
}

/** Empty for a charge that Woovi doesn't know. */
export async function listOfCharge(client: WooviClient, txid: string): Promise<unknown[]> {
  return listAll(client, "transactions", { charge: txid })
}

async function listAll(client: WooviClient, list: List, filter: Record<string, string>): Promise<unknown[]> {
  const items: unknown[] = []
  for (let size = PAGE_SIZE; ; ) {
    const query = new URLSearchParams({ ...filter, skip: String(items.length), limit: String(size) })
    const answer = await askPage(client, `${paths[list]}?${query.toString()}`)
    if (answer !== "too-large" && "charge" in filter && saysNotFound(answer)) return []
    if (size > 1 && (answer === "too-large" || refusedSizes.includes(answer.status))) {
      size = Math.floor(size / 2)
      continue
    }
    if (answer === "too-large") throw new PspError("unknown", "a single row is larger than 1 MB")
    if (!isSuccess(answer)) throw wooviFailureOf(answer)
    const page = listSchema.safeParse(answer.body)
    const found = page.success ? page.data[list] : undefined
    if (!page.success || found === undefined) throw new PspError("unknown", `unreadable list of ${list}`)
    items.push(...found)
    if (!page.data.pageInfo.hasNextPage || found.length === 0) return items
  }
}

async function askPage(client: WooviClient, path: string): Promise<Answer | "too-large"> {
  try {
    return await client.request("GET", path)
  } catch (error) {
    if (error instanceof PspError && error.cause instanceof ReplyTooLarge) return "too-large"
    throw error
  }
}
