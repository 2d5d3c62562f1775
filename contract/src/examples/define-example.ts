import type * as z from "zod/mini"
import type { Endpoint } from "../api/define-endpoint.ts"
import type { ErrorCode } from "../vocabulary/error-codes.ts"

/** One valid call of an endpoint, for the API's description. Tests send it to the running server and compare. */
export interface Example {
  endpoint: Endpoint
  params?: unknown
  query?: unknown
  body?: unknown
  reply?: unknown
  /** Failures beyond those that every endpoint of its audience and kind of input may answer. */
  failures: readonly ErrorCode[]
}

type Part<Name extends string, Schema> = Schema extends z.ZodMiniType ? { [name in Name]: z.input<Schema> } : unknown

type Call<E extends Endpoint> = Part<"params", E["params"]> &
  Part<"query", E["query"]> &
  Part<"body", E["body"]> &
  Part<"reply", E["reply"] extends { schema: infer Schema } ? Schema : undefined> & { failures: readonly ErrorCode[] }

export function defineExample<const E extends Endpoint>(endpoint: E, call: Call<E>): Example {
  return { endpoint, ...call }
}
