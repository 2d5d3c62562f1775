import { apiCalls } from "./api-calls.ts"
import type { components, operations } from "./api-types.ts"
import { type Connection, sendRequest } from "./send-request.ts"

/** The API's objects by their names: `Schemas["Transaction"]`. */
export type Schemas = components["schemas"]

type CallName = keyof typeof apiCalls & keyof operations

type Given<Name extends string, Value> = [Exclude<Value, undefined>] extends [never]
  ? unknown
  : undefined extends Value
    ? { [name in Name]?: Exclude<Value, undefined> }
    : { [name in Name]: Value }

type Parameter<Name extends CallName, Place extends "path" | "query"> = operations[Name]["parameters"] extends {
  [place in Place]?: infer Value
}
  ? Value
  : undefined

type BodyOf<Name extends CallName> = operations[Name] extends {
  requestBody: { content: { "application/json": infer B } }
}
  ? { body: B }
  : operations[Name] extends { requestBody?: infer Body }
    ? Exclude<Body, undefined> extends { content: { "application/json": infer B } }
      ? { body?: B }
      : unknown
    : unknown

/** A call takes `params` of its path, `query` and `body`. */
type Input<Name extends CallName> = Given<"params", Parameter<Name, "path">> &
  Given<"query", Parameter<Name, "query">> &
  BodyOf<Name> & {
    signal?: AbortSignal
  } & ((typeof apiCalls)[Name] extends { isIdempotent: true } ? { idempotencyKey?: string } : unknown)

type Arguments<Name extends CallName> = {} extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]

type Success<Responses> = Responses extends { 200: infer Reply } | { 201: infer Reply } ? Reply : undefined

type Output<Name extends CallName> =
  Success<operations[Name]["responses"]> extends { content: infer Content }
    ? Content extends { "application/json": infer Reply }
      ? Reply extends { data: infer Data }
        ? Data
        : Reply
      : string
    : undefined

/** One function per call of the API, named like its operation. */
export type Calls = { [Name in CallName]: (...input: Arguments<Name>) => Promise<Output<Name>> }

interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
}

type AnyCall = { method: string; path: string; isIdempotent?: boolean }

export function apiClient(connection: Connection): Calls {
  const calls = Object.entries(apiCalls).map(([name, call]) => [
    name,
    (input: AnyInput = {}) => answerOf(connection, call, input),
  ])
  return Object.fromEntries(calls) as Calls
}

async function answerOf(connection: Connection, call: AnyCall, input: AnyInput): Promise<unknown> {
  const { params = {}, query = {}, body, signal } = input
  const path = call.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ""))
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)])).toString()
  const reply = (await sendRequest(connection, {
    method: call.method,
    path: search === "" ? path : `${path}?${search}`,
    body,
    signal,
    idempotencyKey: call.isIdempotent ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined,
  })) as { data?: unknown } | undefined
  return reply?.data ?? reply
}
