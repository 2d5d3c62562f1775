import { Navigate } from "@tanstack/react-router"
import { useUser } from "#api/session.ts"
import { NotFoundNotice } from "./not-found-page.tsx"

/** Who isn't an admin is sent to the dashboard, whatever lies behind the path. */
export function AdminGate() {
  const user = useUser()
  if (user?.role !== "admin") return <Navigate to="/dashboard" replace />
  return <NotFoundNotice />
}
