import { useQuery } from "@tanstack/react-query"
import { MenuCount } from "#ui/menu-count.tsx"
import { approvalsQuery } from "./approvals-data.ts"

/** How many wishes of other administrators wait for the signed-in one. */
export function ApprovalsCount() {
  const waiting = useQuery(approvalsQuery).data?.summary.waiting ?? 0
  return <MenuCount count={waiting} one="espera a sua decisão" many="esperam a sua decisão" />
}
