import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { EventView } from "@tilinta/contract/events"
import { eventTypeLabels } from "@tilinta/contract/vocabulary/events"
import { useState } from "react"
import { detailOf, failureDetail, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, LoadFailure, RowsSkeleton } from "#ui/card.tsx"
import { CodeBlock } from "#ui/copy-button.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"
import { readEventsBefore } from "./developers-data.ts"
import { type EventFeed, useEventFeed } from "./event-feed.ts"

interface Props {
  event: EventView
  isOpen: boolean
  isFresh: boolean
  onToggle: () => void
}

function EventRow({ event, isOpen, isFresh, onToggle }: Props) {
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
  if ("checkoutPage" in data) return data.checkoutPage.amount ?? data.checkoutPage.minAmount ?? 0
  if ("invoice" in data) return data.invoice.amount
  if ("subscription" in data) return data.subscription.amount
  if ("reminder" in data) return data.reminder.amount
  if ("mandate" in data) return data.mandate.amount
  if ("debit" in data) return data.debit.amount
  return data.payment.amount
}

/** Leads to what the event is about, on the screen that shows it. A deleted page is on none. */
function Subject({ event: { type, data } }: { event: EventView }) {
  const variant = buttonClass("secondary", "justify-self-start max-sm:w-full")
  if ("withdrawal" in data) {
    return (
      <Link to="/withdrawals" search={{ withdrawal: data.withdrawal._id }} className={variant}>
        Ver saque
      </Link>
    )
  }
  if ("checkoutPage" in data) {
    if (type === "page.deleted") return null
    return (
      <Link to="/checkouts/$id" params={{ id: data.checkoutPage._id }} className={variant}>
        Ver página
      </Link>
    )
  }
  if ("invoice" in data || "reminder" in data || "debit" in data) {
    const invoice =
      "invoice" in data ? data.invoice._id : "debit" in data ? data.debit.invoiceId : data.reminder.invoiceId
    return (
      <Link to="/receivables" search={{ invoice }} className={variant}>
        Ver cobrança
      </Link>
    )
  }
  if ("subscription" in data || "mandate" in data) {
    const id = "subscription" in data ? data.subscription._id : data.mandate.subscriptionId
    return (
      <Link to="/subscriptions/$id" params={{ id }} className={variant}>
        Ver assinatura
      </Link>
    )
  }
  const transaction = "transaction" in data ? data.transaction : data.payment.transaction
  if (transaction === null) return null
  return (
    <Link to="/transactions" search={{ transaction: transaction._id }} className={variant}>
      Ver transação
    </Link>
  )
}

/** The events as programs are told them. */
export function EventsCard() {
  const feed = useEventFeed()
  const { events, knownFrom, failure, retry } = feed
  const [openId, setOpenId] = useState<string | null>(null)
  const newest = events?.[0]
  return (
    <Card className="p-5" aria-labelledby="events">
      <CardHeader id="events" title="Eventos">
        {events !== undefined && (
          <Badge tone={failure === null ? "success" : "warning"}>{failure === null ? "Ao vivo" : "Reconectando"}</Badge>
        )}
      </CardHeader>
      <p className="mt-1 text-label text-t3">
        O que acontece na sua conta, como os seus programas recebem: por webhook ou por <code>GET /api/v1/events</code>.
      </p>
      <p role="status" className="sr-only">
        {newest !== undefined &&
          newest.sequence > knownFrom &&
          `Novo evento, nº ${newest.sequence}: ${eventTypeLabels[newest.type]}`}
      </p>
      {failure !== null && (
        <div className="mt-4">
          <LoadFailure message={sellerTexts.eventsFailed} detail={failureDetail(failure)} onRetry={retry} />
        </div>
      )}
      {events === undefined && failure === null && <RowsSkeleton rows={4} label="Carregando eventos" />}
      {events?.length === 0 && (
        <EmptyState icon="pulse" title="Nenhum evento ainda">
          Crie uma cobrança, e o evento aparece aqui na hora.
        </EmptyState>
      )}
      {events !== undefined && events.length > 0 && (
        <ul className="mt-2">
          {events.map((event) => (
            <EventRow
              key={event.id}
              event={event}
              isOpen={event.id === openId}
              isFresh={event.sequence > knownFrom}
              onToggle={() => setOpenId(event.id === openId ? null : event.id)}
            />
          ))}
        </ul>
      )}
      <Older feed={feed} />
    </Card>
  )
}

function Older({ feed: { events = [], addOlder } }: { feed: EventFeed }) {
  const [isAtEnd, setIsAtEnd] = useState(false)
  const oldest = events.at(-1)?.sequence ?? 1
  const read = useMutation({
    mutationFn: () => readEventsBefore(oldest),
    onSuccess: (older) => {
      addOlder(older)
      // The events before may have been deleted.
      setIsAtEnd(older.every(({ sequence }) => sequence >= oldest))
    },
    onError: (error) => toast.error(messageOf(error, sellerTexts.eventsFailed), detailOf(error)),
  })
  if (oldest <= 1 || isAtEnd) return null
  return (
    <Button className="mt-3 max-sm:w-full" onClick={() => read.mutate()} disabled={read.isPending}>
      {read.isPending ? "Carregando..." : "Mostrar mais antigos"}
    </Button>
  )
}
