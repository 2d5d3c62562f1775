import { QueryClient } from "@tanstack/react-query"
import { isWorthRetrying } from "#api/api-error.ts"

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
