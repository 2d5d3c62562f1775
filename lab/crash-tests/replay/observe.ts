import { isDeepStrictEqual } from "node:util"
import { call, type World } from "../histories/world.ts"
import type { Actor } from "./actor.ts"
import type { Seen } from "./scenario.ts"

type Statuses = Record<string, string>

interface Row {
  codes: Statuses | null
  refunds: Statuses | null
  withdrawals: Statuses | null
  unmatchedPayments: string[]
}

const sql = `select
  (select json_object_agg(id, status) from charges where id = any($1)) as codes,
  (select json_object_agg(id, status) from refunds where id = any($2)) as refunds,
  (select json_object_agg(id, status) from withdrawals where id = any($3)) as withdrawals,
  (select coalesce(json_agg(unmatched.reason order by unmatched.reason), '[]') from unmatched_payments unmatched
   join payments payment using (end_to_end_id)
   where payment.end_to_end_id = any($4) or payment.charge_id = any($1)) as "unmatchedPayments"`

/** A scenario's results under its own names: statuses as stored, the balance as the seller reads it. */
export async function observe(world: World, actor: Actor): Promise<Required<Seen>> {
  const codes = [...actor.codes].map(([name, { id }]): [string, string] => [name, id])
  const ids = [codes, [...actor.refunds], [...actor.withdrawals]] as const
  const parameters = [...ids.map((named) => named.map(([, id]) => id)), actor.receipts]
  const { rows } = await actor.books.query<Row>(sql, parameters)
  const { body } = await call(world, "GET", "/users/myBalance", { token: actor.token })
  const { balance } = body["data"] as { balance: number }
  return {
    codes: named(codes, rows[0]?.codes),
    refunds: named(ids[1], rows[0]?.refunds),
    withdrawals: named(ids[2], rows[0]?.withdrawals),
    unmatchedPayments: rows[0]?.unmatchedPayments ?? [],
    availableCents: Math.round(balance * 100),
  }
}

function named(ids: readonly [string, string][], statuses: Statuses | null | undefined): Statuses {
  return Object.fromEntries(ids.map(([name, id]) => [name, statuses?.[id] ?? "absent"]))
}

export function isAsExpected(found: Required<Seen>, expected: Seen): boolean {
  return Object.entries(expected).every(([name, value]) => {
    const actual = found[name as keyof Seen]
    if (Array.isArray(value) || typeof value !== "object") return isDeepStrictEqual(actual, value)
    return Object.entries(value).every(([each, status]) => (actual as Statuses)[each] === status)
  })
}
