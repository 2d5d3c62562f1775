import { Navigate, Outlet } from "@tanstack/react-router"
import { useUser } from "#api/session.ts"

/** Users who aren't admins are redirected to the dashboard, whatever the path. */
export function AdminGate() {
  const user = useUser()
  return user?.role === "admin" ? <Outlet /> : <Navigate to="/dashboard" replace />
}
