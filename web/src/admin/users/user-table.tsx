import { Link } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { roleLabels } from "@tilinta/contract/vocabulary/people"
import { useState } from "react"
import { usersSearch } from "#admin/search-params.ts"
import { formatDateTime } from "#format/dates.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { Icon } from "#ui/icon.tsx"
import { menuItemClass, RowMenu, RowMenuItem } from "#ui/menu.tsx"
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
    {
      header: "Saldo",
      area: "amount",
      end: true,
      cell: ({ balance }) => (
        <b className={`font-semibold whitespace-nowrap tabular-nums ${balance < 0 ? "text-coral" : ""}`}>
          <Reais>{balance}</Reais>
        </b>
      ),
    },
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
      <DataTable caption="Usuários" columns={columns} rows={rows} rowKey={({ _id }) => _id} dimmed={dimmed} wide />
      {opened !== null && <UserStatusQuestion change={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function NameCell({ user }: { user: UserView }) {
  return (
    <Link
      to="/admin/users"
      search={(old) => usersSearch({ ...old, user: user._id })}
      aria-haspopup="dialog"
      className="row-link"
    >
      <RowText
        title={user.name}
        note={
          <>
            {user.role === "admin" && <span className="hidden cards:inline">{roleLabels.admin} · </span>}
            {user.email}
          </>
        }
      />
    </Link>
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
