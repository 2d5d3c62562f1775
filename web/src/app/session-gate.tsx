import { QueryClientProvider } from "@tanstack/react-query"
import { Navigate } from "@tanstack/react-router"
import { useSession } from "#api/session.ts"
import { queryClient } from "./query-client.ts"
import { Shell } from "./shell.tsx"
import { ShellSkeleton } from "./shell-skeleton.tsx"

export function SessionGate() {
  const session = useSession()
  switch (session.status) {
    case "loading":
      return <ShellSkeleton />
    case "closed":
      return <Navigate to="/login" replace />
    case "open":
      return (
        <QueryClientProvider client={queryClient}>
          <Shell user={session.user} />
        </QueryClientProvider>
      )
  }
}
