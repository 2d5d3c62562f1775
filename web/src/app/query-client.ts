import { type Query, QueryCache, QueryClient } from "@tanstack/react-query"
import { isWorthRetrying, pauseOf } from "#api/api-error.ts"
import { session } from "#api/session.ts"

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askAgainLater }),
  defaultOptions: {
    queries: {
      // Without a network the call itself says so, at once, instead of waiting silently.
      networkMode: "always",
      staleTime: 2000,
      refetchOnWindowFocus: "always",
      retry: (failures, error) => failures < 1 && isWorthRetrying(error) && pauseOf(error) === undefined,
      retryDelay: 700,
    },
    mutations: { networkMode: "always" },
  },
})

/** Whoever is told to wait reads so on the screen, which then fills by itself. A hidden one asks when it is looked at. */
function askAgainLater(error: unknown, { queryKey, state }: Query<unknown, unknown>): void {
  const pauseMs = pauseOf(error)
  if (pauseMs === undefined) return
  const failures = state.errorUpdateCount
  setTimeout(() => {
    const isSameFailure = queryClient.getQueryState(queryKey)?.errorUpdateCount === failures
    if (isSameFailure && !document.hidden) void queryClient.refetchQueries({ queryKey, exact: true, type: "active" })
  }, pauseMs)
}

// Nothing of one person may be left on the screen of the next.
session.subscribe(() => {
  if (session.current().status !== "open") queryClient.clear()
})
