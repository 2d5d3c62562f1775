import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { failureOf } from "#psp/bounded-http"
import { PspError } from "#psp/psp"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { balanceSchema } from "./api-pix-schemas.ts"
import { readValue } from "./read-value.ts"

/** The standard tells no balance: `GET /gn/saldo` is Efí's, which leaves blocked money out and tells it beside. */
export async function readBalance(client: ApiPixClient, path: string): Promise<Cents> {
  const answer = await client.request("GET", `${path}?bloqueios=true`)
  if (answer.status !== 200) throw failureOf(answer)
  const parsed = balanceSchema.safeParse(answer.body)
  const freeCents = parsed.success ? signed(parsed.data.saldo) : null
  if (!parsed.success || freeCents === null) throw new PspError("unknown", "unreadable balance")
  return addCents(freeCents, readValue(parsed.data.bloqueios?.total) ?? noMoney)
}

function signed(value: string | number): Cents | null {
  const text = String(value)
  const cents = readValue(text.replace(/^-/, ""))
  return cents !== null && text.startsWith("-") ? subtractCents(noMoney, cents) : cents
}
