import { Badge } from "#ui/badge.tsx"

export function UserStatusBadge({ active }: { active: boolean }) {
  return <Badge tone={active ? "success" : "secondary"}>{active ? "Ativo" : "Inativo"}</Badge>
}
