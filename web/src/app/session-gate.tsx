import { type Query, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { Navigate, Outlet } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { Suspense } from "react"
import { isWorthRetrying, offlineError, pauseOf } from "#api/api-error.ts"
import { session, useSession, useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { keepInstallPrompt } from "#ui/install-prompt.ts"
import { toast } from "#ui/toast.ts"
import { lazyScreen, ShellSkeleton } from "./screen-states.tsx"
import { Shell } from "./shell.tsx"

keepInstallPrompt()
void startWorker()

/** For who signed in: a word when there is no network or a new version, and notices. */
async function startWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return
  navigator.serviceWorker.addEventListener("message", ({ data: [firstFile, text] }) => {
    if (!document.head.innerHTML.includes(firstFile)) toast.info(text)
  })
  await navigator.serviceWorker.register("/sw.js").catch(() => undefined)
  if (!("Notification" in window) || Notification.permission !== "granted") return
  await import("#api/push.ts").then(({ keepSubscribed }) => keepSubscribed()).catch(() => undefined)
}

const RequiredActionPage = lazyScreen(() => import("./required-action.tsx"), "RequiredActionPage")

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

export function SessionGate() {
  const session = useSession()
  switch (session.status) {
    case "loading":
      return <ShellSkeleton />
    case "closed":
      return <Navigate to="/login" replace />
    case "offline":
      // The counter goes on by what this browser has stored.
      if (location.pathname !== "/counter") throw offlineError()
      return (
        <QueryClientProvider client={queryClient}>
          <Outlet />
        </QueryClientProvider>
      )
    case "open":
      return (
        <QueryClientProvider client={queryClient}>
          <OpenSession user={session.user} />
        </QueryClientProvider>
      )
  }
}

function OpenSession({ user }: { user: UserView }) {
  if (user.requiredAction === undefined) return <Shell user={user} />
  return (
    <Suspense>
      <RequiredActionPage user={user} action={user.requiredAction} />
    </Suspense>
  )
}

/** Users who aren't admins are redirected to the dashboard, whatever the path. */
export function AdminGate() {
  const user = useUser()
  if (user?.role !== "admin") return <Navigate to="/dashboard" replace />
  return (
    <>
      <NewAdminNote from={user.adminRightsFrom} />
      <Outlet />
    </>
  )
}

/** Told before anything is refused. */
function NewAdminNote({ from }: { from: string | undefined }) {
  if (from === undefined || Date.parse(from) <= Date.now()) return null
  return (
    <p role="note" className="rounded-l border border-line-2 bg-amber-bg px-5 py-4 text-label">
      <b className="font-[650]">Os seus direitos de administrador começam em {formatDateTime(from)}.</b> Até lá você
      consulta tudo, sem aprovar nem alterar nada.
    </p>
  )
}
