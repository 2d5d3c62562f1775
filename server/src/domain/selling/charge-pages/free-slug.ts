import { reservedSlugs, slugFromTitle } from "@tilinta/contract/vocabulary/slug"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { findTakenSlugs } from "./charge-pages-repository.ts"

const MAX_SLUG_LENGTH = 100

/** The slug in its stored form; empty when nothing of it is left. */
export function normaliseSlug(wished: string): string {
  const slug = slugFromTitle(wished.trim()).slice(0, MAX_SLUG_LENGTH)
  return /[a-z0-9]/.test(slug) ? slug : ""
}

function mayBeUsed(slug: string): boolean {
  return !reservedSlugs.has(slug) && !isId(slug)
}

/** The wished slug or, when that is taken or reserved, the first free one with -2, -3, … */
export async function findFreeSlug(db: Db, wished: string, ownPageId: string | null): Promise<string> {
  for (let from = 1; ; from += 20) {
    const candidates = Array.from({ length: 20 }, (_, offset) => withSuffix(wished, from + offset))
    const taken = await findTakenSlugs(db, candidates, ownPageId)
    const free = candidates.find((candidate) => mayBeUsed(candidate) && !taken.has(candidate))
    if (free !== undefined) return free
  }
}

function withSuffix(slug: string, number: number): string {
  if (number === 1) return slug
  const suffix = `-${number}`
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix
}
