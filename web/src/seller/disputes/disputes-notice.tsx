import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { formatDateTime } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { Reais } from "#ui/amounts.tsx"
import { Icon } from "#ui/icon.tsx"
import { openDisputesQuery } from "./disputes-data.ts"

const shownDisputes = 3

/** Undecided disputes, each with a link to its defence. */
export function DisputesNotice() {
  const { data } = useQuery(openDisputesQuery)
  if (data === undefined || data.disputes.length === 0) return null
  return (
    <section aria-label="Contestações" className="rounded-l border border-line bg-s1 px-4 py-3.5 shadow-card">
      <h2 className="flex items-center gap-2.5 font-semibold">
        <Icon name="alert" className="size-5 flex-none text-amber" />
        {countOf(data.summary.count, "pagamento contestado", "pagamentos contestados")}
      </h2>
      <p className="mt-1 text-label text-t2">
        O pagador reclamou no banco dele. O valor fica bloqueado, à parte do saldo, até a decisão.
      </p>
      <ul className="mt-2 grid divide-y divide-line text-label">
        {data.disputes
          .slice(0, shownDisputes)
          .map(({ _id, amount, transaction, checkoutPage, respondUntil, canDefend }) => (
            <li key={_id} className="flex flex-wrap items-baseline justify-between gap-x-4 pb-2">
              <Link
                to="/transactions"
                search={{ transaction: transaction?._id }}
                className="inline-flex min-h-11 min-w-11 items-center font-semibold underline decoration-line-2 underline-offset-4 hover:decoration-current"
              >
                {checkoutPage?.title ?? "Pagamento"}
              </Link>
              <span className="text-t2 tabular-nums">
                <Reais>{amount}</Reais>
                {canDefend && respondUntil !== null && <> · responda até {formatDateTime(respondUntil)}</>}
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}
