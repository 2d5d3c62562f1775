import type * as z from "zod/mini"
import type { ZodMiniType } from "zod/mini"
import type * as heads from "./heads.ts"
import type { ApiKeyScope, ApiTag } from "./vocabulary/api.ts"
import type { ErrorCode } from "./vocabulary/error-codes.ts"
import type { FileType, SentFileType } from "./vocabulary/files.ts"
import type { ShopRole } from "./vocabulary/team.ts"

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
type Path = `/api/v1/${string}`

/** The method and the path of a call, as `heads.ts` states them. */
export type Head = `${Method} ${Path}`

export type Audience = "public" | "seller" | "admin"

export interface Endpoint {
  /** Names the call in generated clients, so it never changes: its name in `heads.ts`, and the constant's without `Endpoint`. */
  operationId: string
  method: Method
  /** Parameters are written `:name`. */
  path: Path
  audience: Audience
  /**
   * The roles in a shop's team that may make a seller's call, without which its owner alone may; `person` for a call about
   * oneself, in whichever shop one works.
   */
  roles?: "person" | readonly ShopRole[]
  /** Open to every member about themselves, too: the one whose id is `:memberId`. */
  orOneself?: true
  /** The scope with which an API key is let in; without one, no key is. */
  scope?: ApiKeyScope
  /**
   * Asks for a session that was confirmed within the last minutes (`auth/step-up`): always, or where the verb finds that
   * the data need it. Where protection is relaxed, an account without a second factor is asked only for `also_relaxed`.
   */
  stepUp?: "always" | "also_relaxed" | "by_data"
  /** Open also to an administrator who still has to enrol a second factor. */
  beforeEnrolment?: true
  /** Open also to an account that its owner froze by 'Não fui eu': without it the thief could gain by the call. */
  whileFrozen?: true
  summary: string
  tag: ApiTag
  /** Under load, `last` is refused first so that `first` keeps working. */
  urgency?: "first" | "last"
  /** Takes an Idempotency-Key: the same key and body get the first answer again. */
  isIdempotent?: true
  /** May answer 200 with `data.pending` until another administrator makes the same call. */
  mayWait?: true
  params?: ZodMiniType
  query?: ZodMiniType
  body?: ZodMiniType
  /** The body is a file, usually of one of these types. Its content says what it is. */
  bodyFile?: readonly [SentFileType, ...SentFileType[]]
  /** Status and whole body of the success. A field that the schema doesn't name never leaves the server. */
  reply:
    | { status: 200 | 201; schema: ZodMiniType }
    /** The types of file among which the query chooses; the first one is the default. */
    | { status: 200; file: readonly [FileType, ...FileType[]] }
    | { status: 204 }
}

/** True for a call of a session that only looks at an account: reads, but neither files nor what asks for a step-up. */
export function isViewable({ method, audience, stepUp, reply }: Endpoint): boolean {
  return method === "GET" && audience !== "admin" && stepUp === undefined && !("file" in reply)
}

type At<H extends Head> = H extends `${infer M extends Method} ${infer P extends Path}` ? { method: M; path: P } : never

type Heads = typeof heads

/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint<
  Name extends keyof Heads,
  const E extends Omit<Endpoint, "operationId" | "method" | "path">,
>(operationId: Name, head: Heads[Name], endpoint: E): { operationId: Name } & At<Heads[Name]> & E {
  return { operationId, ...splitHead(head), ...endpoint }
}

export function splitHead<H extends Head>(head: H): At<H> {
  const [method, path] = head.split(" ")
  return { method, path } as At<H>
}

/** One valid call of an endpoint, for the API's description. Tests send it to the running server and compare. */
export interface Example {
  endpoint: Endpoint
  params?: unknown
  query?: unknown
  body?: unknown
  /** The body that is a file, as base64. */
  file?: string
  reply?: unknown
  /** Failures beyond those that every endpoint of its audience and kind of input may answer. */
  failures: readonly ErrorCode[]
}

type Part<Name extends string, Schema> = Schema extends z.ZodMiniType ? { [name in Name]: z.input<Schema> } : unknown

type Reply<Body> = [Body] extends [{ status: "success"; data: infer Data }]
  ? { status: "success"; data: Data } extends Body
    ? { reply: Body } | { data: Data }
    : { reply: Body }
  : { reply: Body }

type Call<E extends Endpoint> = Part<"params", E["params"]> &
  Part<"query", E["query"]> &
  Part<"body", E["body"]> &
  (E extends { bodyFile: unknown } ? { file: string } : unknown) &
  (E["reply"] extends { schema: infer Schema extends ZodMiniType } ? Reply<z.input<Schema>> : unknown) & {
    failures: readonly ErrorCode[]
  }

export const exampleMonth = { dateFrom: "2026-11-01", dateTo: "2026-11-30" } as const

/** `data` alone stands for the usual reply, `{ status: "success", data }`. */
/* @__NO_SIDE_EFFECTS__ */
export function defineExample<const E extends Endpoint>(endpoint: E, call: Call<E>): Example {
  const { data, ...rest }: Omit<Example, "endpoint"> & { data?: unknown } = call
  return data === undefined ? { endpoint, ...rest } : { endpoint, ...rest, reply: { status: "success", data } }
}
