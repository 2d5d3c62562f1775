import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import { parseCsv } from "../../test-support/parse-csv.ts"
import { expectStatus } from "../shop.ts"
import type { SellerBooks } from "./seller-books.ts"
import { call, type World } from "./world.ts"

interface Page {
  opening: number
  closing: number
  rows: { amount: number; balance: number }[]
  next: string | null
}

/** At rest: opening + lines = closing, each line follows from the one above, and the files tell the same. */
export async function expectStatement(world: World, { token }: SellerBooks): Promise<void> {
  const read = (query: string) => call(world, "GET", `/users/me/statement${query}`, { token })
  const lines: Page["rows"] = []
  let page: Page
  let after = ""
  do {
    page = expectStatus(await read(`?limit=7${after}`), 200).data as Page
    lines.push(...page.rows)
    after = `&after=${page.next}`
  } while (page.next !== null)
  let balance = cents(page.opening)
  for (const line of lines) {
    balance += cents(line.amount)
    expect(cents(line.balance)).toBe(balance)
  }
  expect(cents(page.closing)).toBe(balance)
  const amounts = lines.map(({ amount }) => cents(amount))
  const csv = parseCsv(await download(world, token, "csv"))
  expect(csv.map((row) => Number(row["Valor (R$)"]?.replace(",", "")))).toEqual(amounts)
  const ofx = await download(world, token, "ofx")
  expect([...ofx.matchAll(/<TRNAMT>([^<]*)/g)].map(([, amount]) => cents(Number(amount)))).toEqual(amounts)
  expect(ofx).toContain(`<BALAMT>${page.closing.toFixed(2)}<`)
}

/** Few sellers may export at once, so it waits for its turn. */
async function download(world: World, token: string, format: "csv" | "ofx"): Promise<string> {
  for (;;) {
    const { status, text } = await world.gate.together(async () => {
      const url = `${world.nodes[0]?.url}/api/v1/users/me/statement/export?format=${format}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString("utf8") }
    })
    if (status === 200) return text
    expect([429, 503]).toContain(status)
    await sleep(200)
  }
}

function cents(reais: number): number {
  return Math.round(reais * 100)
}
