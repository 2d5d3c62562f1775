import type { components } from "./api-types.ts"

type ErrorReply = components["schemas"]["Error"]

interface Reason {
  message: string
  code?: ErrorReply["code"]
  errors?: ErrorReply["errors"]
  cause?: unknown
}

/** A call that the server refused, or that never reached it. */
export class TilintaError extends Error {
  /** The answer's HTTP status; 0 when none came. */
  readonly status: number
  /** Stable; `unreachable` when no answer came, or none of ours. */
  readonly code: ErrorReply["code"] | "unreachable"
  /** The fields that were refused. */
  readonly errors: NonNullable<ErrorReply["errors"]>

  constructor(status: number, { message, code, errors = [], cause }: Reason) {
    super(message, { cause })
    this.name = "TilintaError"
    this.status = status
    this.code = code ?? "unreachable"
    this.errors = errors
  }
}
