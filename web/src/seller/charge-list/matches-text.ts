import { holdsText } from "#format/holds-text.ts"

/** Filters what is loaded at once, while the server is still being asked. */
export function matchesText(row: { title: string; description: string }, typed: string): boolean {
  return holdsText(row.title, typed) || holdsText(row.description, typed)
}
