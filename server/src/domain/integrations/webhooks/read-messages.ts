import type { Db } from "#db/transaction"
import { readEvents } from "#domain/integrations/event-feed/read-events"
import { eventIdOf, type SellerEvent } from "#domain/integrations/event-feed/seller-event"
import type { Message } from "./attempt-delivery.ts"

/** The event as the feed shows it. */
export type WriteEvent = (event: SellerEvent) => unknown

interface Deps {
  db: Db
  writeEvent: WriteEvent
}

/** Events next to each other are read together, even where a few between them are not asked for. */
const WIDEST = 50

/** The messages of a seller's events by sequence; an event that was deleted has none. */
export async function readMessages(
  { db, writeEvent }: Deps,
  sellerId: string,
  sequences: readonly number[],
): Promise<Map<number, Message>> {
  const messages = new Map<number, Message>()
  for (const { first, last } of spansOf(sequences)) {
    const span = { sellerId, after: first - 1, limit: last - first + 1, types: undefined }
    for (const event of (await readEvents(db, span)).events) {
      messages.set(event.sequence, { id: eventIdOf(event), body: JSON.stringify(writeEvent(event)) })
    }
  }
  return messages
}

interface Span {
  first: number
  last: number
}

function spansOf(sequences: readonly number[]): Span[] {
  const spans: Span[] = []
  for (const sequence of [...new Set(sequences)].sort((one, other) => one - other)) {
    const span = spans.at(-1)
    if (span !== undefined && sequence - span.first < WIDEST) span.last = sequence
    else spans.push({ first: sequence, last: sequence })
  }
  return spans
}
