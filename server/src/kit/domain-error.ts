import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"

export interface FieldProblem {
  path: string
  message: string
}

interface Options {
  /** Overrides the code's message, for texts that depend on the case. */
  message?: string
  errors?: FieldProblem[]
  retryAfterSeconds?: number
  cause?: unknown
}

/** A failure that the caller can act on; its status and message come from its code. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly shownMessage: string | undefined
  readonly errors: FieldProblem[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: Options = {}) {
    super(code, { cause: options.cause })
    this.name = "DomainError"
    this.code = code
    this.shownMessage = options.message
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** One broken rule of a form, shown at its field. */
export function brokenRule(path: string, message: string): DomainError {
  return new DomainError("validation_failed", { message, errors: [{ path, message }] })
}
