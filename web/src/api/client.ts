import { type Endpoint, type Head, splitHead } from "@tilinta/contract/define-endpoint"
import type { EndpointOf } from "@tilinta/contract/endpoint-of"
import type * as z from "zod/mini"
import { shopHeaders } from "./acting-shop.ts"
import { ApiError, type FieldProblem, offlineError } from "./api-error.ts"
import { currentToken, reportLostRole, reportRefusedToken, viewedUntil } from "./session-token.ts"
import { askStepUp, reportEnrolment } from "./step-up.ts"

type Part<E extends Endpoint, K extends "params" | "query" | "body"> =
  E extends Record<K, infer S extends z.ZodMiniType> ? z.input<S> : never

type Params<E extends Endpoint> = [Part<E, "params">] extends [never] ? object : { params: Part<E, "params"> }
type Query<E extends Endpoint> = [Part<E, "query">] extends [never] ? object : { query?: Part<E, "query"> }
type Body<E extends Endpoint> = E extends { bodyFile: unknown }
  ? { body: Blob }
  : [Part<E, "body">] extends [never]
    ? object
    : { body: Part<E, "body"> }

export type CallInput<E extends Endpoint> = Params<E> &
  Query<E> &
  Body<E> & { headers?: Record<string, string>; signal?: AbortSignal }

export type ReplyOf<E extends Endpoint> = E["reply"] extends { schema: infer S extends z.ZodMiniType }
  ? z.output<S>
  : undefined

interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Calls one endpoint of the contract; anything but a success is thrown as an ApiError. */
export async function call<H extends Head>(
  head: H,
  ...[input]: object extends CallInput<EndpointOf<H>>
    ? [input?: CallInput<EndpointOf<H>>]
    : [input: CallInput<EndpointOf<H>>]
): Promise<ReplyOf<EndpointOf<H>>> {
  const request = (input ?? {}) as AnyInput
  if (viewedUntil() !== null && !head.startsWith("GET ")) throw viewOnlyError()
  const token = currentToken()
  const response = await send(head, request, token)
  if (response.ok || token === null) return readReply<EndpointOf<H>>(response)

  const error = errorOf(response, await readJson(response))
  if (error.code === "step_up_required" && (await askStepUp(error.methods))) {
    return readReply<EndpointOf<H>>(await send(head, request, token))
  }
  if (error.code === "second_factor_enrolment_required" || error.code === "new_password_required") {
    reportEnrolment()
  }
  if (error.code === "role_forbidden") reportLostRole()
  // A wrong code says nothing about the session.
  if (error.status === 401 && !error.code.startsWith("second_factor_")) reportRefusedToken(token)
  throw error
}

/** The server would refuse it: screens that mark something as read need not try. */
function viewOnlyError(): ApiError {
  return new ApiError(403, "view_only", "Você está só vendo esta conta: aqui não dá para alterar nada.")
}

async function send(head: Head, request: AnyInput, token: string | null): Promise<Response> {
  const { method, path } = splitHead<Head>(head)
  const headers: Record<string, string> = { Accept: "application/json", ...shopHeaders(), ...request.headers }
  if (token !== null) headers.Authorization = `Bearer ${token}`
  const { body } = request
  const isFile = body instanceof Blob
  if (body !== undefined) headers["Content-Type"] = isFile ? body.type : "application/json"
  try {
    return await fetch(urlOf(path, request.params, request.query), {
      method,
      headers,
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    })
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw offlineError()
  }
}

export function urlOf(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, string | undefined> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, value)
  }
  return search.size === 0 ? filled : `${filled}?${search}`
}

export async function readReply<E extends Endpoint>(response: Response): Promise<ReplyOf<E>> {
  const body = await readJson(response)
  if (!response.ok) throw errorOf(response, body)
  if (response.status === 204) return undefined as ReplyOf<E>
  if (body === undefined) throw new ApiError(response.status, "unreadable_reply", "")
  return body as ReplyOf<E>
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

function errorOf({ status, headers }: Response, body: unknown): ApiError {
  const { message, code, errors, data } = (typeof body === "object" && body !== null ? body : {}) as Record<
    string,
    unknown
  >
  return new ApiError(
    status,
    typeof code === "string" ? code : "unknown",
    typeof message === "string" ? message : "",
    Array.isArray(errors) ? (errors as FieldProblem[]) : [],
    status === 503 ? pauseFrom(headers) : undefined,
    methodsIn(data),
  )
}

function methodsIn(data: unknown): readonly string[] {
  const { methods } = (typeof data === "object" && data !== null ? data : {}) as { methods?: unknown }
  return Array.isArray(methods) ? (methods as string[]) : []
}

/** Up to half longer than asked for (jitter), so that clients don't all come back at the same moment. */
function pauseFrom(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after"))
  return seconds > 0 ? Math.min(seconds, longestPauseSeconds) * 1000 * (1 + Math.random() / 2) : undefined
}

const longestPauseSeconds = 60

interface Submission {
  key: string
  firstSentAt: Date
}

/**
 * The same form content keeps its idempotency key, so that a repeated submit is recognised; changed content gets
 * another.
 */
export function createSubmissions(newKey: () => string = randomKey): (content: unknown) => Submission {
  let last: (Submission & { content: string }) | null = null
  return (content) => {
    const written = JSON.stringify(content)
    if (last?.content !== written) last = { content: written, key: newKey(), firstSentAt: new Date() }
    return last
  }
}

/** `crypto.randomUUID` is missing on plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
