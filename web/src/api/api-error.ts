export interface FieldProblem {
  path: string
  message: string
}

const offlineCode = "offline"

/** A failed call. `message` is the server's text for people, or empty when it sent none. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldProblem[]
  /** The pause that an overloaded server asked for. */
  readonly pauseMs: number | undefined
  /** Ways to prove oneself, where a proof is missing or wrong. */
  readonly methods: readonly string[]

  constructor(
    status: number,
    code: string,
    message: string,
    errors: readonly FieldProblem[] = [],
    pauseMs?: number,
    methods: readonly string[] = [],
  ) {
    super(message)
    this.name = "ApiError"
    this.status = status
    this.code = code
    this.errors = errors
    this.pauseMs = pauseMs
    this.methods = methods
  }
}

export function offlineError(): ApiError {
  return new ApiError(0, offlineCode, "Sem conexão com a internet.")
}

/** The server's message when there is one, otherwise the screen's. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.status !== 0 && error.message !== "" ? error.message : fallback
}

/** The network's explanation under the screen's own words, when the server sent no message. */
export function detailOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status === 0 ? error.message : undefined
}

/** The server's message, or the network's, shown under the screen's own words. */
export function failureDetail(error: unknown): string | undefined {
  return error instanceof ApiError && error.message !== "" ? error.message : undefined
}

/** Both in one sentence, for a form; null without a failure. */
export function failureText(error: unknown, fallback: string): string | null {
  if (error === null) return null
  return [messageOf(error, fallback), detailOf(error)].filter(Boolean).join(". ")
}

/** Both of them, as a failure is shown above what was loaded before; null without one. */
export function failureOf(error: unknown, fallback: string): { message: string; detail: string | undefined } | null {
  return error === null ? null : { message: messageOf(error, fallback), detail: detailOf(error) }
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

/** A retry can help after no answer, one that broke off or a server error, never after a refusal. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status < 400 || error.status >= 500)
}

/** Undefined when the server asked for no pause. */
export function pauseOf(error: unknown): number | undefined {
  return error instanceof ApiError ? error.pauseMs : undefined
}
