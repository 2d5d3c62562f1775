import { useQuery } from "@tanstack/react-query"
import { countOf } from "#format/money-text.ts"
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

interface MenuCountProps {
  count: number
  one: string
  many: string
}

/** The number of things that wait behind an entry of the menu; nothing while there are none. */
function MenuCount({ count, one, many }: MenuCountProps) {
  if (count === 0) return null
  return (
    <span className="ml-auto grid h-5 min-w-5 place-items-center rounded-full bg-amber-bg px-1.5 text-[12.5px] font-bold text-amber tabular-nums @max-[120px]:absolute @max-[120px]:top-1 @max-[120px]:right-1">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">, {countOf(count, one, many)}</span>
    </span>
  )
}
