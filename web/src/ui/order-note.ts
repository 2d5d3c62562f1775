import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"

/** The line that tells a page of the API's from others in a list; null for a page that people made, without a reference. */
export function orderNote({
  kind,
  externalReference,
}: Pick<ChargePageView, "kind" | "externalReference">): string | null {
  return [kind === "single" ? "Avulsa" : null, externalReference].filter(Boolean).join(" · ") || null
}
