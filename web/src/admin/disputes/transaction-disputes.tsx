import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { Badge } from "#ui/badge.tsx"
import { inlineLink } from "#ui/inline-link.ts"
import { Reais } from "#ui/shown-amounts.ts"
import { stateWords } from "./dispute-words.ts"
import { transactionDisputesQuery } from "./disputes-data.ts"

/** Part of a transaction's details; renders nothing without disputes. */
export function TransactionDisputes({ transactionId }: { transactionId: string }) {
  const { data } = useQuery(transactionDisputesQuery(transactionId))
  if (data === undefined || data.length === 0) return null
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-label font-semibold text-t2">Contestações</h3>
      <ul className="mt-1 grid divide-y divide-line text-label">
        {data.map(({ _id, amount, reason, status }) => (
          <li key={_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
            <Link to="/admin/disputes" search={{ status: "all", dispute: _id }} className={`min-w-0 ${inlineLink}`}>
              <b className="font-semibold tabular-nums">
                <Reais>{amount}</Reais>
              </b>{" "}
              · {disputeReasonLabels[reason]}
            </Link>
            <Badge tone={stateWords[status].tone}>{stateWords[status].label}</Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}
