import { useQuery } from "@tanstack/react-query"
import { MenuCount } from "#ui/badge.tsx"
import { approvalsQuery } from "./approvals/approvals-data.ts"
import { openReportsQuery } from "./page-reports/page-reports-data.ts"

/** How many requests of other administrators wait for the signed-in one. */
export function ApprovalsCount() {
  const waiting = useQuery(approvalsQuery).data?.summary.waiting ?? 0
  return <MenuCount count={waiting} one="espera a sua decisão" many="esperam a sua decisão" />
}

/** How many reported pages wait for a decision. */
export function OpenReportsCount() {
  return <MenuCount count={useQuery(openReportsQuery).data ?? 0} one="espera decisão" many="esperam decisão" />
}
