import { Navigate, Outlet } from "@tanstack/react-router"
import { useSession } from "#api/session.ts"
import { PublicLayout } from "./public-layout.tsx"

/** Login and registration: once the session is open, the dashboard takes over. */
export function PublicPages() {
  const session = useSession()
  if (session.status === "open") return <Navigate to="/dashboard" replace />
  return (
    <PublicLayout>
      <Outlet />
    </PublicLayout>
  )
}
