import type { ZodMiniType } from "zod/mini"

export type Audience = "public" | "seller" | "admin"

export interface Endpoint {
  method: "GET" | "POST" | "PATCH" | "DELETE"
  /** With `:name` for parameters. */
  path: `/api/v1/${string}`
  audience: Audience
  summary: string
  tag: string
  /** When more is asked for than can be done, `last` is refused first, for the sake of what is `first`. */
  urgency?: "first" | "last"
  params?: ZodMiniType
  query?: ZodMiniType
  body?: ZodMiniType
  /** Status and whole body of the success. Nothing that the schema doesn't name leaves the server. */
  reply: { status: 200 | 201; schema: ZodMiniType } | { status: 200; file: "text/csv" } | { status: 204 }
}

export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint
}
