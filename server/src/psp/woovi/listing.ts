import { PspError, type PspWindow } from "#psp/psp"
import { isSuccess, saysNotFound, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { listSchema } from "./woovi-schemas.ts"

type List = "transactions" | "payments"

const paths = { transactions: "/transaction", payments: "/payment" } as const satisfies Record<List, string>
const PAGE_SIZE = 100
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
  for (;;) {
    const query = new URLSearchParams({ ...filter, skip: String(items.length), limit: String(PAGE_SIZE) })
    const answer = await client.request("GET", `${paths[list]}?${query.toString()}`)
    if ("charge" in filter && saysNotFound(answer)) return []
    if (!isSuccess(answer)) throw wooviFailureOf(answer)
    const page = listSchema.safeParse(answer.body)
    const found = page.success ? page.data[list] : undefined
    if (!page.success || found === undefined) throw new PspError("unknown", `unreadable list of ${list}`)
    items.push(...found)
    if (!page.data.pageInfo.hasNextPage || found.length === 0) return items
  }
}
