export interface FieldProblem {
  path: string
  message: string
}

export const offlineCode = "offline"

/** A call that didn't succeed. `message` is what the server wrote for people, or empty when it wrote nothing. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldProblem[]
  /** When the server said that it has too much to do: for how long it wants to be left alone. */
  readonly pauseMs: number | undefined

  constructor(status: number, code: string, message: string, errors: readonly FieldProblem[] = [], pauseMs?: number) {
    super(message)
    this.name = "ApiError"
    this.status = status
    this.code = code
    this.errors = errors
    this.pauseMs = pauseMs
  }
}

export function offlineError(): ApiError {
  return new ApiError(0, offlineCode, "Sem conexão com a internet.")
}

/** The server's own words when there are any, otherwise the screen's. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.status !== 0 && error.message !== "" ? error.message : fallback
}

/** What helps to understand the screen's words, when the server had none. */
export function detailOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status === 0 ? error.message : undefined
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

/** Asking again can help when nobody answered or the server was in trouble, never when it said no. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** Undefined where the server named no pause. */
export function pauseOf(error: unknown): number | undefined {
  return error instanceof ApiError ? error.pauseMs : undefined
}
