import { useQuery } from "@tanstack/react-query"
import { MenuCount } from "#ui/menu-count.tsx"
import { openReportsQuery } from "./page-reports-data.ts"

/** How many reported pages wait for a decision. */
export function OpenReportsCount() {
  return <MenuCount count={useQuery(openReportsQuery).data ?? 0} one="espera decisão" many="esperam decisão" />
}
