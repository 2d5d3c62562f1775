import { apiClient, type Calls, type EachRow, rowReader, type Schemas } from "./api-client.ts"
import { type EventReader, eventReader, type TilintaEvent } from "./read-events.ts"
import { pauseFor, TilintaError } from "./send-request.ts"
import { challengeOf, verifyWebhook, WebhookForgedError } from "./verify-webhook.ts"

export interface Options {
  /** `tk_live_…` or `tk_test_…`, from Integrações. */
  apiKey: string
  /** The server's public address. */
  url: string
  /** With a session's token in the key's place: the shop for which its person acts. A key acts for its own alone. */
  shop?: string
  /** How often a failed call is repeated; 5 by default. */
  retries?: number
  /** How long one attempt may take; 30 seconds by default. */
  timeoutMs?: number
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof fetch
}

/** The server's calls by their names, its lists row by row, and its events. */
export interface Tilinta extends Calls {
  each: EachRow
  events: EventReader
}

export function createTilinta({ apiKey, url, shop, retries = 5, timeoutMs = 30_000, ...given }: Options): Tilinta {
  const fetchNow: typeof fetch = given.fetch ?? ((input, init) => fetch(input, init))
  const connection = {
    apiKey,
    ...(shop !== undefined && { shop }),
    url: url.replace(/(?<!\/)\/+$/, ""),
    retries,
    timeoutMs,
    fetch: fetchNow,
    pause: pauseFor,
  }
  const calls = apiClient(connection)
  return { ...calls, each: rowReader(calls), events: eventReader(calls, pauseFor) }
}

export {
  type Calls,
  challengeOf,
  type EachRow,
  type EventReader,
  type Schemas,
  TilintaError,
  type TilintaEvent,
  verifyWebhook,
  WebhookForgedError,
}
