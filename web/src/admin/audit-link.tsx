import { Link } from "@tanstack/react-router"
import type { AuditSubject } from "@tilinta/contract/vocabulary/audit"
import { Icon } from "#ui/icon.tsx"

/** Links to all audit records about one thing. */
export function AuditLink({ subject, id }: { subject: AuditSubject; id: string }) {
  return (
    <Link
      to="/admin/audit"
      search={{ entity: subject, entityId: id }}
      className="inline-flex min-h-11 items-center gap-2 self-start text-label font-semibold text-t2 hover:text-mint"
    >
      <Icon name="history" className="size-4" />
      Ver auditoria
    </Link>
  )
}
