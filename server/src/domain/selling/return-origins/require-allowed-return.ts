import type { Db } from "#db/transaction"
import { brokenRule } from "#kit/domain-error"
import { findOriginsOf } from "./return-origins-repository.ts"

/** @throws validation_failed */
export async function requireAllowedReturn(db: Db, sellerId: string, returnUrl: string): Promise<void> {
  const { origins } = await findOriginsOf(db, sellerId)
  const { origin } = new URL(returnUrl)
  if (origins.includes(origin)) return
  throw brokenRule("returnUrl", `Inclua ${origin} em Integrações, Retorno à loja, antes de usar este endereço.`)
}
