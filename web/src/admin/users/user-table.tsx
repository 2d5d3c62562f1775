import { Link } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { roleLabels } from "@tilinta/contract/vocabulary/people"
import { useState } from "react"
import { usersSearch } from "#admin/search-params.ts"
import { formatDateTime } from "#format/dates.ts"
import { Badge } from "#ui/badge.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { Icon } from "#ui/icon.tsx"
import { menuItemClass, RowMenu, RowMenuItem } from "#ui/menu.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import { UserStatusQuestion } from "./user-questions.tsx"
import { type StatusChange, useBarred } from "./users-data.ts"

export function UserStatusBadge({ active }: { active: boolean }) {
  return <Badge tone={active ? "success" : "secondary"}>{active ? "Ativo" : "Inativo"}</Badge>
}

interface Props {
  rows: readonly UserView[]
  dimmed: boolean
  onEdit: (user: UserView) => void
}

export function UserTable({ rows, dimmed, onEdit }: Props) {
  const [opened, setOpened] = useState<StatusChange | null>(null)
  const columns: readonly Column<UserView>[] = [
    { header: "Usuário", area: "title", cell: (user) => <NameCell user={user} /> },
    { header: "Perfil", area: "none", cell: ({ role }) => <span className="text-t2">{roleLabels[role]}</span> },
    { header: "Status", area: "status", cell: ({ active }) => <UserStatusBadge active={active} /> },
    amountColumn(
      "Saldo",
      ({ balance }) => balance,
      (balance) => (balance < 0 ? "text-coral" : ""),
    ),
    { header: "Cadastro", area: "none", cell: ({ createdAt }) => <DateCell text={formatDateTime(createdAt)} /> },
    {
      header: "Ações",
      area: "menu",
      end: true,
      cell: (user) => <Actions user={user} onEdit={onEdit} onAsk={setOpened} />,
    },
  ]
  return (
    <>
      <DataTable caption="Usuários" columns={columns} rows={rows} dimmed={dimmed} wide />
      {opened !== null && <UserStatusQuestion change={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function NameCell({ user }: { user: UserView }) {
  return (
    <RowLink
      to="/admin/users"
      search={(old) => usersSearch({ ...old, user: user._id })}
      aria-haspopup="dialog"
      text={user.name}
      note={
        <>
          {user.role === "admin" && <span className="hidden cards:inline">{roleLabels.admin} · </span>}
          {user.email}
        </>
      }
    />
  )
}

interface ActionsProps {
  user: UserView
  onEdit: (user: UserView) => void
  onAsk: (change: StatusChange) => void
}

function Actions({ user, onEdit, onAsk }: ActionsProps) {
  const barred = useBarred(user)
  return (
    <RowMenu of={user.name}>
      <Link
        to="/admin/users"
        search={(old) => usersSearch({ ...old, user: user._id })}
        role="menuitem"
        className={menuItemClass}
      >
        <Icon name="eye" />
        Ver detalhes
      </Link>
      <RowMenuItem icon="edit" onClick={() => onEdit(user)}>
        Editar
      </RowMenuItem>
      {user.active ? (
        <RowMenuItem icon="ban" isDanger barred={barred} onClick={() => onAsk({ user, to: "inactive" })}>
          Desativar
        </RowMenuItem>
      ) : (
        <RowMenuItem icon="check" onClick={() => onAsk({ user, to: "active" })}>
          Ativar
        </RowMenuItem>
      )}
    </RowMenu>
  )
}
