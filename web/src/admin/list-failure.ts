import { detailOf, messageOf } from "#api/api-error.ts"

/** What a list says above the rows that it still has; null while nothing failed. */
export function listFailure(error: unknown, fallback: string): { message: string; detail: string | undefined } | null {
  return error === null ? null : { message: messageOf(error, fallback), detail: detailOf(error) }
}
