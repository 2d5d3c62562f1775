import type { IncomingMessage } from "node:http"
import { request } from "node:https"

/** An authority that both sides trust, and what the caller shows of itself. */
export interface Credentials {
  ca: string
  cert?: string
  key?: string
  /** `name:password` */
  auth?: string
}

interface Wish extends Credentials {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** Resolves with the head of the answer; its body is still to be read. */
export function openOverTls(url: string, { body, ...wish }: Wish): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(url, wish, resolve)
    asking.on("error", reject)
    asking.end(body)
  })
}

export async function askOverTls(url: string, wish: Wish): Promise<{ status: number; text: string }> {
  const answer = await openOverTls(url, wish)
  let text = ""
  for await (const chunk of answer.setEncoding("utf8")) text += String(chunk)
  return { status: answer.statusCode ?? 0, text }
}
