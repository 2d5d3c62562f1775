import { Link } from "@tanstack/react-router"
import type { EventView } from "@tilinta/contract/api/events-endpoints"
import { eventTypeLabels } from "@tilinta/contract/vocabulary/event-labels"
import { formatDateTime } from "#format/date.ts"
import { buttonClass } from "#ui/button.tsx"
import { CodeBlock } from "#ui/code-block.tsx"
import { Icon } from "#ui/icon.tsx"
import { Reais } from "#ui/shown-amounts.ts"

interface Props {
  event: EventView
  isOpen: boolean
  isFresh: boolean
  onToggle: () => void
}

export function EventRow({ event, isOpen, isFresh, onToggle }: Props) {
  const { id, type, sequence, createdAt } = event
  const detailsId = `details-${id}`
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={onToggle}
        data-fresh={isFresh || undefined}
        className="fresh-row -mx-3 flex min-h-14 w-[calc(100%+24px)] items-center gap-3 rounded-m px-3 py-2 text-left hover:bg-s2"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{eventTypeLabels[type]}</span>
          <span className="flex flex-wrap gap-x-3 text-meta text-t3 tabular-nums">
            <code className="font-mono text-[12.5px]">{type}</code>{" "}
            <span className="whitespace-nowrap">
              nº {sequence} · {formatDateTime(createdAt)}
            </span>
          </span>
        </span>
        <span className="text-label font-semibold whitespace-nowrap text-t2 tabular-nums">
          <Reais>{amountOf(event)}</Reais>
        </span>
        <Icon
          name="chevronDown"
          className={`size-5 flex-none text-t3 transition-transform ${isOpen ? "rotate-180" : ""}`}
        />
      </button>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && (
          <div className="grid gap-3 pt-1 pb-4">
            <Subject event={event} />
            <CodeBlock label="Evento" text={JSON.stringify(event, null, 2)} copied={JSON.stringify(event)} />
          </div>
        )}
      </div>
    </li>
  )
}

function amountOf({ data }: EventView): number {
  if ("transaction" in data) return data.transaction.amount
  if ("withdrawal" in data) return data.withdrawal.amount
  if ("checkoutPage" in data) return data.checkoutPage.amount
  return data.payment.amount
}

/** Leads to what the event is about, on the screen that shows it. A deleted page is on none. */
function Subject({ event: { type, data } }: { event: EventView }) {
  const look = buttonClass("secondary", "justify-self-start max-sm:w-full")
  if ("withdrawal" in data) {
    return (
      <Link to="/withdrawals" search={{ withdrawal: data.withdrawal._id }} className={look}>
        Ver saque
      </Link>
    )
  }
  if ("checkoutPage" in data) {
    if (type === "page.deleted") return null
    return (
      <Link to="/checkouts/$id" params={{ id: data.checkoutPage._id }} className={look}>
        Ver página
      </Link>
    )
  }
  const transaction = "transaction" in data ? data.transaction : data.payment.transaction
  if (transaction === null) return null
  return (
    <Link to="/transactions" search={{ transaction: transaction._id }} className={look}>
      Ver transação
    </Link>
  )
}
