import { ApiError } from "#api/api-error.ts"

/** The server's message, or the network's, shown under the screen's own words. */
export function failureDetail(error: unknown): string | undefined {
  return error instanceof ApiError && error.message !== "" ? error.message : undefined
}
