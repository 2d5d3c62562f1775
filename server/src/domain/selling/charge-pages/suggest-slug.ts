import type { Db } from "#db/transaction"
import { brokenRule } from "#kit/domain-error"
import { findFreeSlug, normaliseSlug } from "./free-slug.ts"

/** The slug that a page would get if it were saved now. */
export async function suggestSlug(db: Db, wished: string): Promise<{ available: boolean; suggestion: string }> {
  const slug = normaliseSlug(wished)
  if (slug === "") throw brokenRule("slug", "O slug é obrigatório")
  const suggestion = await findFreeSlug(db, slug, null)
  return { available: suggestion === slug, suggestion }
}
