import {
  sellerReadyEvent,
  sellerTransactionsEvent,
  type TransactionsChanged,
} from "@tilinta/contract/vocabulary/events"
import { reportRefusedToken } from "#api/session-token.ts"
import { createEventReader, type StreamEvent } from "./event-stream.ts"
import { pauseBefore, pauseOrOnline } from "./reconnect-pause.ts"

interface Listener {
  onReady(): void
  onChange(changed: TransactionsChanged): void
  onLost(): void
}

/** The server sends something every 20 s, if only a heartbeat. */
const silenceMs = 50_000

/** Reconnects until the returned function is called, or the server refuses the session. */
export function followSeller(token: string, listener: Listener): () => void {
  const stopping = new AbortController()
  void connectForever(token, listener, stopping.signal)
  return () => stopping.abort()
}

async function connectForever(token: string, listener: Listener, stopped: AbortSignal): Promise<void> {
  for (let failures = 0; !stopped.aborted; failures += 1) {
    const answer = await connect(token, listener, stopped).catch(() => null)
    if (stopped.aborted) return
    listener.onLost()
    if (answer?.status === 401) {
      reportRefusedToken(token)
      return
    }
    if (answer?.ok === true) failures = 0
    await pauseOrOnline(pauseBefore(failures + 1, answer?.headers.get("retry-after") ?? null, Math.random()), stopped)
  }
}

async function connect(token: string, listener: Listener, stopped: AbortSignal): Promise<Response> {
  const ending = new AbortController()
  const end = () => ending.abort()
  stopped.addEventListener("abort", end)
  let silence = setTimeout(end, silenceMs)
  try {
    const response = await fetch("/api/v1/users/me/events", {
      headers: { Accept: "text/event-stream", Authorization: `Bearer ${token}` },
      signal: ending.signal,
      cache: "no-store",
    })
    if (!response.ok || response.body === null) return response
    const read = createEventReader((event) => tell(listener, event))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
      read(piece.value)
    }
    return response
  } finally {
    clearTimeout(silence)
    stopped.removeEventListener("abort", end)
  }
}

function tell(listener: Listener, { event, data }: StreamEvent): void {
  if (event === sellerReadyEvent) listener.onReady()
  if (event === sellerTransactionsEvent) listener.onChange(JSON.parse(data) as TransactionsChanged)
}
