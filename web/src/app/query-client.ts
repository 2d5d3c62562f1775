import { QueryClient } from "@tanstack/react-query"
import { isWorthRetrying } from "#api/api-error.ts"
import { session } from "#api/session.ts"

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network the call itself says so, at once, instead of waiting silently.
      networkMode: "always",
      staleTime: 2000,
      refetchOnWindowFocus: "always",
      retry: (failures, error) => failures < 1 && isWorthRetrying(error),
      retryDelay: 700,
    },
    mutations: { networkMode: "always" },
  },
})

// Nothing of one person may be left on the screen of the next.
session.subscribe(() => {
  if (session.current().status !== "open") queryClient.clear()
})
