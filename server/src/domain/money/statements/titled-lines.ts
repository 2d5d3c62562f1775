import type { Db } from "#db/transaction"
import type { StatementLine } from "./statement-line.ts"
import { findPageTitles } from "./statements-repository.ts"

export interface TitledLine extends StatementLine {
  /** The title of the page that was paid, as it was then; null for what is no sale. */
  pageTitle: string | null
}

export async function withTitles(db: Db, lines: readonly StatementLine[]): Promise<TitledLine[]> {
  const ids = new Set(lines.flatMap(({ chargeId }) => (chargeId === null ? [] : [chargeId])))
  const titles = await findPageTitles(db, [...ids])
  return lines.map((line) => ({ ...line, pageTitle: titles.get(line.chargeId ?? "") ?? null }))
}

/** As on the screen: a sale names its page, its fee doesn't. */
export function titleOf({ kind, pageTitle }: TitledLine): string {
  return kind === "sale" ? (pageTitle ?? "") : ""
}

/** Older accounting programs, and the fonts that every PDF reader has, know Latin letters alone. */
export function inLatinLetters(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/gu, "?")
}
