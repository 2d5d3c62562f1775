import {
  sellerReadyEvent,
  sellerTransactionsEvent,
  type TransactionsChanged,
} from "@tilinta/contract/vocabulary/events"
import { shopHeaders } from "#api/acting-shop.ts"
import { reportLostRole, reportRefusedToken } from "#api/session-token.ts"

const firstMs = 1000
const longestMs = 60_000

/** Exponential back-off with jitter. `chance` is between 0 and 1. */
export function pauseBefore(attempt: number, retryAfter: string | null, chance: number): number {
  const requestedMs = Number(retryAfter ?? 0) * 1000
  const grown = Math.min(firstMs * 2 ** (attempt - 1), longestMs)
  return Math.max(Number.isFinite(requestedMs) ? requestedMs : 0, grown) * (0.75 + chance / 2)
}

/** A network that comes back ends the pause early. */
export function pauseOrOnline(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    window.addEventListener("online", done)
    stopped.addEventListener("abort", done)

    function done(): void {
      clearTimeout(timer)
      window.removeEventListener("online", done)
      stopped.removeEventListener("abort", done)
      resolve()
    }
  })
}

export interface StreamEvent {
  event: string
  data: string
}

/** Parses server-sent events that arrive in pieces: a message ends with an empty line, a comment is a heartbeat. */
export function createEventReader(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let rest = ""
  return (piece) => {
    const messages = (rest + piece).replaceAll("\r\n", "\n").split("\n\n")
    rest = messages.pop() ?? ""
    for (const message of messages) {
      const event = eventOf(message)
      if (event !== null) onEvent(event)
    }
  }
}

function eventOf(message: string): StreamEvent | null {
  let event = "message"
  const data: string[] = []
  for (const line of message.split("\n")) {
    const [, field, value = ""] = /^(event|data): ?(.*)$/.exec(line) ?? []
    if (field === "event") event = value
    if (field === "data") data.push(value)
  }
  return data.length === 0 ? null : { event, data: data.join("\n") }
}

type Message = { kind: "hello" | "ready" | "lost" } | { kind: "changed"; changed: TransactionsChanged }

interface Listener {
  onLive(isLive: boolean): void
  /** `isLeader` is true in exactly one tab, which plays the sound. */
  onChange(changed: TransactionsChanged, isLeader: boolean): void
}

/** Tabs that act for another shop have a stream of their own. */
const streamName = () => `tilinta-live ${shopHeaders()["X-Shop"] ?? ""}`

/**
 * One stream for all tabs, because browsers allow six connections to a server and each tab needs some for itself.
 * Without the Web Locks API (plain http) only the visible tab connects.
 */
export function openOneStream(token: string, listener: Listener): () => void {
  return typeof navigator.locks === "undefined" ? followWhileVisible(token, listener) : followTogether(token, listener)
}

function followTogether(token: string, listener: Listener): () => void {
  const name = streamName()
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  let isLeader = false
  let isLive = false

  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "hello" && isLeader && isLive) send({ kind: "ready" })
    if (data.kind === "ready") listener.onLive(true)
    if (data.kind === "lost") listener.onLive(false)
    if (data.kind === "changed") listener.onChange(data.changed, false)
  })

  function send(message: Message): void {
    if (!leaving.signal.aborted) channel.postMessage(message)
  }

  function become(live: boolean): void {
    isLive = live
    listener.onLive(live)
    send({ kind: live ? "ready" : "lost" })
  }

  function lead(): Promise<void> {
    isLeader = true
    const stop = followSeller(token, {
      onReady: () => become(true),
      onLost: () => become(false),
      onChange: (changed) => {
        listener.onChange(changed, true)
        send({ kind: "changed", changed })
      },
    })
    return new Promise((resolve) => {
      leaving.signal.addEventListener("abort", () => {
        stop()
        resolve()
      })
    })
  }

  send({ kind: "hello" })
  navigator.locks.request(name, { signal: leaving.signal }, lead).catch(() => undefined)
  return () => {
    leaving.abort()
    channel.close()
  }
}

function followWhileVisible(token: string, listener: Listener): () => void {
  let stop: (() => void) | null = null

  function decide(): void {
    const isVisible = document.visibilityState === "visible"
    if (isVisible && stop === null) {
      stop = followSeller(token, {
        onReady: () => listener.onLive(true),
        onLost: () => listener.onLive(false),
        onChange: (changed) => listener.onChange(changed, true),
      })
    }
    if (!isVisible) end()
  }

  function end(): void {
    stop?.()
    if (stop !== null) listener.onLive(false)
    stop = null
  }

  document.addEventListener("visibilitychange", decide)
  decide()
  return () => {
    document.removeEventListener("visibilitychange", decide)
    end()
  }
}

interface FollowSellerListener {
  onReady(): void
  onChange(changed: TransactionsChanged): void
  onLost(): void
}

/** The server sends something every 20 s, if only a heartbeat. */
const silenceMs = 50_000

/** Reconnects until the returned function is called, or the server refuses the session. */
function followSeller(token: string, listener: FollowSellerListener): () => void {
  const stopping = new AbortController()
  void connectForever(token, listener, stopping.signal)
  return () => stopping.abort()
}

async function connectForever(token: string, listener: FollowSellerListener, stopped: AbortSignal): Promise<void> {
  for (let failures = 0; !stopped.aborted; failures += 1) {
    const answer = await connect(token, listener, stopped).catch(() => null)
    if (stopped.aborted) return
    listener.onLost()
    if (answer?.status === 401) {
      reportRefusedToken(token)
      return
    }
    if (answer?.status === 403) {
      reportLostRole()
      return
    }
    if (answer?.ok === true) failures = 0
    await pauseOrOnline(pauseBefore(failures + 1, answer?.headers.get("retry-after") ?? null, Math.random()), stopped)
  }
}

async function connect(token: string, listener: FollowSellerListener, stopped: AbortSignal): Promise<Response> {
  const ending = new AbortController()
  const end = () => ending.abort()
  stopped.addEventListener("abort", end)
  let silence = setTimeout(end, silenceMs)
  try {
    const response = await fetch("/api/v1/users/me/events", {
      headers: { ...shopHeaders(), Accept: "text/event-stream", Authorization: `Bearer ${token}` },
      signal: ending.signal,
      cache: "no-store",
    })
    if (!response.ok || response.body === null) return response
    const read = createEventReader((event) => dispatch(listener, event))
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

function dispatch(listener: FollowSellerListener, { event, data }: StreamEvent): void {
  if (event === sellerReadyEvent) listener.onReady()
  if (event === sellerTransactionsEvent) listener.onChange(JSON.parse(data) as TransactionsChanged)
}
