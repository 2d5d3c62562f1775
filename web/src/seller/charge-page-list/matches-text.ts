import { holdsText } from "#format/holds-text.ts"

/** Filters the loaded rows at once, while the server's search is still under way. */
export function matchesText(row: { title: string; description: string }, typed: string): boolean {
  return holdsText(row.title, typed) || holdsText(row.description, typed)
}
