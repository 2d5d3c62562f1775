import type { Db } from "#db/transaction"
import { brokenRule } from "#kit/domain-error"
import { findOriginsOf } from "./return-origins-repository.ts"

/** @throws validation_failed */
export async function requireAllowedReturn(db: Db, sellerId: string, returnUrl: string): Promise<void> {
  const origins = (await findOriginsOf(db, sellerId))?.origins ?? []
  const { origin } = new URL(returnUrl)
  if (origins.includes(origin)) return
  throw brokenRule(
    "returnUrl",
    `O site ${origin} não está na sua lista de retorno à loja: inclua o site antes de usar este endereço.`,
  )
}
