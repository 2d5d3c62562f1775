import { useMutation } from "@tanstack/react-query"
import { eventTypeLabels } from "@tilinta/contract/vocabulary/event-labels"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { toast } from "#ui/toast.ts"
import { failureDetail } from "../failure-detail.ts"
import { sellerTexts } from "../seller-texts.ts"
import { EventRow } from "./event-row.tsx"
import { readEventsBefore } from "./events-data.ts"
import { type EventFeed, useEventFeed } from "./use-event-feed.ts"

/** The events as programs are told them. */
export function EventsCard() {
  const feed = useEventFeed()
  const { events, knownFrom, failure, retry } = feed
  const [openId, setOpenId] = useState<string | null>(null)
  const newest = events?.[0]
  return (
    <Card className="mt-5 p-5" aria-labelledby="events">
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
