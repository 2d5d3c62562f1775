import { useQuery } from "@tanstack/react-query"
import { countOf } from "#format/count.ts"
import { approvalsQuery } from "./approvals-data.ts"

/** How many wishes of other administrators wait for the signed-in one; nothing while there are none. */
export function ApprovalsCount() {
  const waiting = useQuery(approvalsQuery).data?.summary.waiting ?? 0
  if (waiting === 0) return null
  return (
    <span className="ml-auto grid h-5 min-w-5 place-items-center rounded-full bg-amber-bg px-1.5 text-[12.5px] font-bold text-amber tabular-nums @max-[120px]:absolute @max-[120px]:top-1 @max-[120px]:right-1">
      <span aria-hidden="true">{waiting}</span>
      <span className="sr-only">, {countOf(waiting, "espera a sua decisão", "esperam a sua decisão")}</span>
    </span>
  )
}
