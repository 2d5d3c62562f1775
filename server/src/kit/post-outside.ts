import type { ClientRequest, IncomingMessage } from "node:http"
import * as https from "node:https"
import type { LookupFunction } from "node:net"
import { http } from "./node-http.ts"
import { hostOf, type OutsideAccess, resolveTarget, TargetRefused } from "./outside-target.ts"

type OutsideFailure = "timed_out" | "unresolved" | "inside" | "refused" | "tls" | "broken"

export type OutsideReply =
  | { status: number; text: string; failure: null }
  | { status: null; text: ""; failure: OutsideFailure }

interface OutsideRequest {
  url: string
  headers: Record<string, string>
  body: string
}

interface Bounds {
  /** From the lookup of the name to the last byte. */
  timeoutMs: number
  /** At most so much of the answer is read; its status counts whatever follows. */
  maxBytes: number
  /** Ends it earlier, as the timeout does. */
  giveUp?: AbortSignal | undefined
}

/**
 * Posts to an address that somebody else chose: resolves and checks it, connects to exactly what was checked, follows no
 * redirect. Never throws.
 */
export async function postOutside(
  access: OutsideAccess,
  request: OutsideRequest,
  { timeoutMs, maxBytes, giveUp }: Bounds,
): Promise<OutsideReply> {
  const deadline = new AbortController()
  const end = () => deadline.abort()
  const timer = setTimeout(end, timeoutMs)
  giveUp?.addEventListener("abort", end, { once: true })
  try {
    return await post(access, request, { maxBytes, signal: deadline.signal })
  } catch (error) {
    return { status: null, text: "", failure: deadline.signal.aborted ? "timed_out" : failureOf(error) }
  } finally {
    clearTimeout(timer)
    giveUp?.removeEventListener("abort", end)
  }
}

interface Limits {
  maxBytes: number
  signal: AbortSignal
}

async function post(access: OutsideAccess, { url, headers, body }: OutsideRequest, limits: Limits) {
  const target = await unlessAborted(resolveTarget(access, url), limits.signal)
  const lookup: LookupFunction = (_host, options, done) => {
    const [first] = target.addresses
    if (options.all === true || first === undefined) done(null, target.addresses)
    else done(null, first.address, first.family)
  }
  const { protocol, port, pathname, search, host } = target.url
  const options = {
    ...{ host: hostOf(target.url), port, path: pathname + search, method: "POST", lookup },
    headers: { ...headers, host, "content-length": Buffer.byteLength(body), connection: "close" },
    // A connection of its own: a kept one would outlive the check of its address.
    agent: false,
    signal: limits.signal,
  } as const
  const request = protocol === "https:" ? https.request(options) : http.request(options)
  try {
    const response = await responseOf(request, body)
    return { status: response.statusCode ?? 0, text: await textOf(response, limits.maxBytes), failure: null }
  } finally {
    request.destroy()
  }
}

/** A lookup can't be ended, but nobody waits for it any longer. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

function responseOf(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("error", reject)
    request.once("response", resolve)
    request.end(body)
  })
}

const decoder = new TextDecoder()

/** The text until the end, the limit or the timeout: by then the status has decided. */
async function textOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= maxBytes) break
    }
  } catch {
    // The status has come, and it alone decides.
  }
  return decoder.decode(Buffer.concat(chunks, Math.min(size, maxBytes)))
}

function failureOf(error: unknown): OutsideFailure {
  if (error instanceof TargetRefused) return error.problem === "unresolved" ? "unresolved" : "inside"
  const { code = "" } = error as NodeJS.ErrnoException
  if (["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"].includes(code)) return "refused"
  return /CERT|_TLS|_SSL|EPROTO|UNABLE_TO/.test(code) ? "tls" : "broken"
}
