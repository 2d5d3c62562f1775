import { Navigate, Outlet } from "@tanstack/react-router"
import { useUser } from "#api/session.ts"

/** Who isn't an admin is sent to the dashboard, whatever lies behind the path. */
export function AdminGate() {
  const user = useUser()
  return user?.role === "admin" ? <Outlet /> : <Navigate to="/dashboard" replace />
}
