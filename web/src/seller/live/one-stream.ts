import type { TransactionsChanged } from "@tilinta/contract/vocabulary/events"
import { followSeller } from "./follow-seller.ts"

type Message = { kind: "hello" | "ready" | "lost" } | { kind: "changed"; changed: TransactionsChanged }

interface Listener {
  onLive(isLive: boolean): void
  /** `isLeader` is true in exactly one tab, which plays the sound. */
  onChange(changed: TransactionsChanged, isLeader: boolean): void
}

const name = "tilinta-live"

/**
 * One stream for all tabs, because browsers allow six connections to a server and each tab needs some for itself.
 * Without the Web Locks API (plain http) only the visible tab connects.
 */
export function openOneStream(token: string, listener: Listener): () => void {
  return typeof navigator.locks === "undefined" ? followWhileVisible(token, listener) : followTogether(token, listener)
}

function followTogether(token: string, listener: Listener): () => void {
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
