import { reservedSlugs, slugFromTitle } from "@tilinta/contract/vocabulary/slug"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { findFreeSlugNumber } from "./charge-pages-repository.ts"

const MAX_SLUG_LENGTH = 100

/** The slug in its stored form; empty when nothing of it is left. */
export function normaliseSlug(wished: string): string {
  const slug = slugFromTitle(wished.trim()).slice(0, MAX_SLUG_LENGTH)
  return /[a-z0-9]/.test(slug) ? slug : ""
}

function mayBeUsed(slug: string): boolean {
  return !reservedSlugs.has(slug) && !isId(slug)
}

/** The wished slug or, when that is taken or reserved, a free one with -2, -3, … */
export async function findFreeSlug(db: Db, wished: string, ownPageId: string | null): Promise<string> {
  const from = mayBeUsed(wished) ? 1 : 2
  return withSuffix(wished, await findFreeSlugNumber(db, { wished, from, maxLength: MAX_SLUG_LENGTH, ownPageId }))
}

function withSuffix(slug: string, number: number): string {
  if (number === 1) return slug
  const suffix = `-${number}`
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix
}
