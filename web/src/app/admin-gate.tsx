import { Navigate, Outlet } from "@tanstack/react-router"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/date.ts"

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
