import type { LegalKind } from "@tilinta/contract/vocabulary/legal-texts"
import type { Db } from "#db/transaction"
import { builtInTexts } from "./built-in-texts.ts"
import { findLegalText } from "./legal-texts-repository.ts"

export interface ShownLegalText {
  version: number
  publishedAt: Date
  isInForce: boolean
  body: string
}

/** Null for a version that never was. */
export async function readLegalText(db: Db, kind: LegalKind, version: number | null): Promise<ShownLegalText | null> {
  const text = await findLegalText(db, kind, version)
  if (text === undefined) return null
  const { publishedAt, isInForce, body } = text
  return { version: text.version, publishedAt, isInForce, body: body === "" ? builtInTexts[kind] : body }
}
