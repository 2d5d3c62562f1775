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
  : operations[Name] extends { requestBody: { content: { "image/png": unknown } } }
    ? { body: Blob }
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

type AnyCall = { name: string; method: string; path: string; isIdempotent?: boolean }

export function apiClient(connection: Connection): Calls {
  const calls = Object.entries(apiCalls).map(([name, call]) => [
    name,
    (input: AnyInput = {}) => answerOf(connection, { name, ...call }, input),
  ])
  return Object.fromEntries(calls) as Calls
}

/** Rejects a name that isn't one of the calls, which only a program without types can give. */
function callNamed<Name extends keyof Calls>(calls: Calls, name: Name): Calls[Name] {
  if (!Object.hasOwn(calls, name)) throw new TypeError(`The API has no call '${name}'`)
  return calls[name]
}

async function answerOf(connection: Connection, call: AnyCall, input: AnyInput): Promise<unknown> {
  const { params = {}, query = {}, body, signal } = input
  const path = call.path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = params[name]
    if (!value) throw new TypeError(`${call.name} needs params.${name}`)
    return encodeURIComponent(value)
  })
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  const reply = (await sendRequest(connection, {
    method: call.method,
    path: search === "" ? path : `${path}?${search}`,
    body,
    signal,
    idempotencyKey: call.isIdempotent ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined,
  })) as { data?: unknown } | undefined
  return reply?.data ?? reply
}

/** Calls that answer page by page, after the last row of the page before. */
type PagedName = {
  [Name in keyof Calls]: NonNullable<Parameters<Calls[Name]>[0]> extends { query?: { after?: string } } ? Name : never
}[keyof Calls]

type Query<Name extends PagedName> =
  NonNullable<Parameters<Calls[Name]>[0]> extends { query?: infer Given }
    ? Omit<NonNullable<Given>, "after" | "page">
    : never

type Page<Name extends PagedName> = Awaited<ReturnType<Calls[Name]>>

/** The rows are the reply's only list. */
type Row<Name extends PagedName> = {
  [Field in keyof Page<Name>]-?: Page<Name>[Field] extends (infer Each)[] ? Each : never
}[keyof Page<Name>]

/** Every row of a list, whatever its length: `for await (const transaction of each("listTransactions"))`. */
export type EachRow = <Name extends PagedName>(name: Name, query?: Query<Name>) => AsyncGenerator<Row<Name>, void, void>

const ROWS_AT_ONCE = 100

export function rowReader(calls: Calls): EachRow {
  return async function* each(name, query) {
    const call = callNamed(calls, name) as (input: object) => Promise<Record<string, unknown>>
    let after: string | undefined
    for (;;) {
      const page = await call({ query: { limit: ROWS_AT_ONCE, ...query, after } })
      const rows = Object.values(page).find(Array.isArray) as ({ _id: string } & Row<typeof name>)[] | undefined
      const last = rows?.at(-1)
      if (rows === undefined || last === undefined) return
      yield* rows
      after = last._id
    }
  }
}
