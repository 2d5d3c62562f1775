import type { ErrorReply } from "@tilinta/contract/fields"
import { type ErrorCode, errorMessages } from "@tilinta/contract/vocabulary/error-codes"

export interface FieldProblem {
  path: string
  message: string
}

interface Options {
  /** Overrides the code's message, for texts that depend on the case. */
  message?: string
  errors?: FieldProblem[]
  /** Ways in which the caller may prove themselves, or the shop of a page that is over. */
  data?: NonNullable<ErrorReply["data"]>
  retryAfterSeconds?: number
  cause?: unknown
}

/** A failure that the caller can act on; its status and message come from its code. */
export class DomainError extends Error {
  readonly code: ErrorCode
  /** The code's message, or one that depends on the case. */
  readonly shownMessage: string
  readonly errors: FieldProblem[] | undefined
  readonly data: Options["data"]
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: Options = {}) {
    super(code, { cause: options.cause })
    this.name = "DomainError"
    this.code = code
    this.shownMessage = options.message ?? errorMessages[code]
    this.errors = options.errors
    this.data = options.data
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** One broken rule of a form, shown at its field. */
export function brokenRule(path: string, message: string): DomainError {
  return new DomainError("validation_failed", { message, errors: [{ path, message }] })
}

/** Our bug, not the caller's: the request ends with 500 and its transaction is rolled back. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}

/** A start that fails for a reason the operator can fix: printed as one line, without a stack. */
export class StartError extends Error {
  override name = "StartError"
}
