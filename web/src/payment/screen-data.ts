import * as heads from "@tilinta/contract/heads"
import type { CurrentScreenView } from "@tilinta/contract/screens"
import { screenEvent } from "@tilinta/contract/vocabulary/events"
import { useEffect, useState } from "react"
import { ApiError } from "#api/api-error.ts"
import { call } from "#api/client.ts"

const storageKey = "screen"
const POLL_MS = 4000
const AGAIN_MS = 5000

export function storedSecret(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

export function storeSecret(secret: string | null): void {
  try {
    if (secret === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, secret)
  } catch {
    // The screen goes on until it is closed.
  }
}

export async function pairScreen(code: string): Promise<string> {
  return (await call(heads.pairScreen, { body: { code } })).data.token
}

interface Shown {
  /** Null before the first answer. */
  view: CurrentScreenView | null
  isSilent: boolean
}

/** Polls on a fixed tick, which the stream makes faster. `onEnd` is called once the counter has ended the screen. */
export function useCurrentScreen(secret: string, onEnd: () => void): Shown {
  const [shown, setShown] = useState<Shown>({ view: null, isSilent: false })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    async function ask(): Promise<void> {
      try {
        const { data } = await call(heads.getCurrentScreen, { headers: { "X-Screen": secret }, signal })
        setShown({ view: data, isSilent: false })
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError && error.code === "screen_not_found") onEnd()
        else setShown(({ view }) => ({ view, isSilent: true }))
      }
    }
    void ask()
    void follow(secret, signal, () => void ask())
    const timer = setInterval(() => void ask(), POLL_MS)
    const onOnline = () => void ask()
    window.addEventListener("online", onOnline)
    return () => {
      controller.abort()
      clearInterval(timer)
      window.removeEventListener("online", onOnline)
    }
  }, [secret, onEnd])
  return shown
}

/** Each message is a reason to ask; so is the end of the stream. */
async function follow(secret: string, signal: AbortSignal, onChange: () => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const headers = { Accept: "text/event-stream", "X-Screen": secret }
      const { body } = await fetch("/api/v1/screens/current/stream", { headers, signal })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        if (part.value?.includes(`event: ${screenEvent}`)) onChange()
      }
      onChange()
    } catch {
      // The poll goes on meanwhile.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
