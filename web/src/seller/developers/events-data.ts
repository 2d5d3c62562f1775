import type { EventView, listEventsEndpoint } from "@tilinta/contract/api/events-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

export type EventPage = ReplyOf<typeof listEventsEndpoint>["data"]

const shownFirst = "20"
const waitSeconds = 20
/** A connection that died silently ends here, and is opened again. */
const longestMs = (waitSeconds + 10) * 1000

export async function readNewestEvents(signal: AbortSignal): Promise<EventPage> {
  return (await call(heads.listEvents, { query: { last: shownFirst }, signal })).data
}

/** Waits for the next event, for a while. */
export async function waitForEvents(after: number, signal: AbortSignal): Promise<EventPage> {
  const query = { after: String(after), wait: String(waitSeconds) }
  return (await call(heads.listEvents, { query, signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]) }))
    .data
}

/** Those right before the oldest that is shown. */
export async function readEventsBefore(sequence: number): Promise<EventView[]> {
  const after = Math.max(0, sequence - 1 - Number(shownFirst))
  const query = { after: String(after), limit: String(sequence - 1 - after) }
  return (await call(heads.listEvents, { query })).data.events
}
