import { Link } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { useState } from "react"
import { formatDateTime } from "#format/date.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { Icon } from "#ui/icon.tsx"
import { IconButton, iconButtonClass } from "#ui/icon-button.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import type { StatusChange } from "./use-change-status.ts"
import { RoleBadge, UserStatusBadge } from "./user-badges.tsx"
import { UserStatusQuestion } from "./user-status-question.tsx"
import { usersSearch } from "./users-search.ts"

interface Props {
  rows: readonly UserView[]
  dimmed: boolean
  onEdit: (user: UserView) => void
}

export function UserTable({ rows, dimmed, onEdit }: Props) {
  const [asked, setAsked] = useState<StatusChange | null>(null)
  const columns: readonly Column<UserView>[] = [
    { header: "Usuário", area: "title", cell: (user) => <NameCell user={user} /> },
    { header: "Perfil", area: "extra", cell: ({ role }) => <RoleBadge role={role} /> },
    { header: "Status", area: "status", cell: ({ active }) => <UserStatusBadge active={active} /> },
    {
      header: "Saldo",
      area: "amount",
      end: true,
      cell: ({ balance }) => (
        <b className="font-semibold whitespace-nowrap tabular-nums">
          <Reais>{balance}</Reais>
        </b>
      ),
    },
    { header: "Cadastro", area: "date", cell: ({ createdAt }) => <DateCell text={formatDateTime(createdAt)} /> },
    {
      header: "Ações",
      area: "actions",
      end: true,
      cell: (user) => <Actions user={user} onEdit={onEdit} onAsk={setAsked} />,
    },
  ]
  return (
    <>
      <DataTable caption="Usuários" columns={columns} rows={rows} rowKey={({ _id }) => _id} dimmed={dimmed} wide />
      {asked !== null && <UserStatusQuestion change={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function NameCell({ user }: { user: UserView }) {
  return (
    <div className="min-w-0">
      <Link
        to="/admin/users"
        search={(old) => usersSearch({ ...old, user: user._id })}
        aria-haspopup="dialog"
        className="block truncate font-semibold underline-offset-4 hover:underline"
      >
        {user.name}
      </Link>
      <span className="block truncate text-meta text-t3">{user.email}</span>
    </div>
  )
}

interface ActionsProps {
  user: UserView
  onEdit: (user: UserView) => void
  onAsk: (change: StatusChange) => void
}

function Actions({ user, onEdit, onAsk }: ActionsProps) {
  const isAdmin = user.role === "admin"
  return (
    <div className="flex justify-end gap-0.5">
      <Link
        to="/admin/users"
        search={(old) => usersSearch({ ...old, user: user._id })}
        aria-label={`Ver ${user.name}`}
        title="Ver detalhes"
        className={`${iconButtonClass} cards:hidden`}
      >
        <Icon name="eye" />
      </Link>
      <IconButton icon="edit" label={`Editar ${user.name}`} title="Editar" onClick={() => onEdit(user)} />
      {user.active ? (
        <IconButton
          icon="ban"
          label={`Inativar ${user.name}`}
          title="Inativar"
          onClick={() => onAsk({ user, to: "inactive" })}
        />
      ) : (
        <IconButton
          icon="check"
          label={`Ativar ${user.name}`}
          title="Ativar"
          onClick={() => onAsk({ user, to: "active" })}
        />
      )}
      <IconButton
        icon="trash"
        label={`Excluir ${user.name}`}
        title={isAdmin ? "Administradores não podem ser excluídos" : "Excluir"}
        disabled={isAdmin}
        className="disabled:opacity-40"
        onClick={() => onAsk({ user, to: "deleted" })}
      />
    </div>
  )
}
