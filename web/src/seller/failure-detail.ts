import { ApiError } from "#api/api-error.ts"

/** What the server, or the missing connection, says under the words of the screen itself. */
export function failureDetail(error: unknown): string | undefined {
  return error instanceof ApiError && error.message !== "" ? error.message : undefined
}
