import { eventually } from "./eventually.ts"
import type { Pix } from "./shop.ts"

export interface StatusStream {
  /** The time when the status arrived, by `performance.now()`. */
  until(status: string): Promise<number>
  /** Settles when the server has ended the stream. */
  ended: Promise<void>
  close(): void
}

/** The payer's stream of server-sent events, as a browser reads it. */
export async function openStatusStream(serverUrl: string, { transactionId }: Pix): Promise<StatusStream> {
  const aborting = new AbortController()
  const response = await fetch(`${serverUrl}/api/v1/checkout/payment-status/${transactionId}/stream`, {
    headers: { accept: "text/event-stream" },
    signal: aborting.signal,
  })
  if (response.status !== 200 || response.body === null) throw new Error(`the stream answered ${response.status}`)

  const arrivals = new Map<string, number>()
  const ended = read(response.body, arrivals).catch(() => undefined)
  return {
    async until(status) {
      await eventually(
        async () => [...arrivals.keys()],
        (statuses) => statuses.includes(status),
      )
      return arrivals.get(status) ?? 0
    },
    ended,
    close: () => aborting.abort(),
  }
}

async function read(body: ReadableStream<Uint8Array>, arrivals: Map<string, number>): Promise<void> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (const [, status = ""] of text.matchAll(/^data: ?\{"status":"(\w+)"\}\r?\n\r?\n/gm)) {
      if (!arrivals.has(status)) arrivals.set(status, performance.now())
    }
  }
}
