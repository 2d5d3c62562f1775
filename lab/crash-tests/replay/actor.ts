import { randomBytes } from "node:crypto"
import type pg from "pg"
import { expect } from "vitest"
import { call, callAsAdmin, type World } from "../histories/world.ts"
import { openShop } from "../shop.ts"

/** A scenario's own seller and the results of its steps. Faults are limited to the page's title and the payee's key. */
export interface Actor {
  /** Queries the database directly, over a few shared connections. */
  books: pg.Pool
  tag: string
  token: string
  pageId: string
  title: string
  payeeKey: string
  codes: Map<string, { id: string; pixCode: string }>
  refunds: Map<string, string>
  withdrawals: Map<string, string>
  /** EndToEndIds of the payments that the bank received. */
  receipts: string[]
  /** The payer's disputes, by the paid code. */
  disputes: Map<string, string>
  faults: number[]
}

export async function openActor(world: World, books: pg.Pool): Promise<Actor> {
  const tag = randomBytes(6).toString("hex")
  const { token } = await world.gate.together(() => openShop(world.nodes[0]?.url ?? ""))
  const title = `Mentoria ${tag}`
  const page = {
    title,
    slug: `mentoria-${tag}`,
    amount: 100,
    maxPayments: null,
    pixConfig: { allowAnonymous: true, expiresInHours: 24 },
  }
  const answer = await call(world, "POST", "/checkout/pages", { body: page, token })
  expect(answer).toMatchObject({ status: 201 })
  const { checkoutPage } = answer.body["data"] as { checkoutPage: { _id: string } }
  const names = { tag, token, pageId: checkoutPage._id, title, payeeKey: `${tag}@loja.example` }
  return {
    books,
    ...names,
    codes: new Map(),
    refunds: new Map(),
    withdrawals: new Map(),
    receipts: [],
    disputes: new Map(),
    faults: [],
  }
}

export async function txidOf({ books, codes }: Actor, code: string): Promise<string> {
  const sql = "select txid from charges where id = $1"
  const { rows } = await books.query<{ txid: string }>(sql, [idOf(codes, code).id])
  return rows[0]?.txid ?? ""
}

export async function approve(world: World, id: string): Promise<void> {
  expect(await callAsAdmin(world, "PATCH", `/admin/withdrawals/${id}/approve`, {})).toMatchObject({ status: 200 })
}

export function idOf<T>(named: ReadonlyMap<string, T>, name: string): T {
  const found = named.get(name)
  if (found === undefined) throw new Error(`the scenario has no '${name}' yet`)
  return found
}
