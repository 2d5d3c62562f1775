import { type Role, roleLabels } from "@tilinta/contract/vocabulary/roles"
import { Badge } from "#ui/badge.tsx"

export function UserStatusBadge({ active }: { active: boolean }) {
  return <Badge tone={active ? "success" : "secondary"}>{active ? "Ativo" : "Inativo"}</Badge>
}

export function RoleBadge({ role }: { role: Role }) {
  return <Badge tone={role === "admin" ? "primary" : "secondary"}>{roleLabels[role]}</Badge>
}
