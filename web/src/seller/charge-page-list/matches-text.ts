import { holdsText } from "#format/holds-text.ts"

/** Filters the loaded rows at once, while the server's search is still under way. */
export function matchesText(
  row: { title: string; description: string; externalReference: string | null },
  typed: string,
): boolean {
  return [row.title, row.description, row.externalReference ?? ""].some((text) => holdsText(text, typed))
}
