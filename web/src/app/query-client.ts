import { type Query, QueryCache, QueryClient } from "@tanstack/react-query"
import { isWorthRetrying, pauseOf } from "#api/api-error.ts"
import { session } from "#api/session.ts"

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askAgainLater }),
  defaultOptions: {
    queries: {
      // Without a network the call fails at once, instead of being paused silently.
      networkMode: "always",
      staleTime: 2000,
      refetchOnWindowFocus: "always",
      retry: (failures, error) => failures < 1 && isWorthRetrying(error) && pauseOf(error) === undefined,
      retryDelay: 700,
    },
    mutations: { networkMode: "always" },
  },
})

/**
 * Refetches after the pause that the server asked for, which the screen announces. A hidden screen refetches when it
 * becomes visible.
 */
function askAgainLater(error: unknown, { queryKey, state }: Query<unknown, unknown>): void {
  const pauseMs = pauseOf(error)
  if (pauseMs === undefined) return
  const failures = state.errorUpdateCount
  setTimeout(() => {
    const isSameFailure = queryClient.getQueryState(queryKey)?.errorUpdateCount === failures
    if (isSameFailure && !document.hidden) void queryClient.refetchQueries({ queryKey, exact: true, type: "active" })
  }, pauseMs)
}

// Clears the cache, so that no data of one user is left for the next.
session.subscribe(() => {
  if (session.current().status !== "open") queryClient.clear()
})
