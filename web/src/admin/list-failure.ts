import { detailOf, messageOf } from "#api/api-error.ts"

/** The failure shown above rows that are still there; null without one. */
export function listFailure(error: unknown, fallback: string): { message: string; detail: string | undefined } | null {
  return error === null ? null : { message: messageOf(error, fallback), detail: detailOf(error) }
}
