import { getRouteApi } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { userStatusOptions } from "#admin/search-params.ts"
import { Button } from "#ui/button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { UserTable } from "./user-table.tsx"
import { matchesUser, pageSize, useCreateUser, usersQuery } from "./users-data.ts"

const UserDialog = lazyDialog(() => import("./user-dialog.tsx"), "UserDialog")
const NewUserDialog = lazyDialog(() => import("./user-form-dialogs.tsx"), "NewUserDialog")
const EditUserDialog = lazyDialog(() => import("./user-form-dialogs.tsx"), "EditUserDialog")

const route = getRouteApi("/session/admin/users")

export function UsersPage() {
  const { user: openId, ...filters } = route.useSearch()
  const { page = 1, status, search } = filters
  const [typed, setTyped] = useState(search ?? "")
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<UserView | null>(null)
  const createUser = useCreateUser()
  const { list, set, filter, screen } = useListPage(route, {
    query: usersQuery(page, { status, search }),
    failed: adminTexts.usersFailed,
    waiting: { rows: 8, label: "Carregando usuários" },
    paging: { page, perPage: pageSize },
  })
  function clear(): void {
    setTyped("")
    filter({ status: undefined, search: undefined })
  }
  const closeView = () => set({ user: undefined })

  const rows = (list.data?.data.users ?? []).filter((user) => matchesUser(user, typed))
  const hidesSome = isFiltered(filters) || typed !== "" || page > 1
  return (
    <ListScreen
      title="Usuários"
      intro="Quem vende pela plataforma e quem cuida dela."
      actions={
        <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
          Novo usuário
        </Button>
      }
      {...screen}
      filters={
        <ListFilters
          searchLabel="Buscar por nome, e-mail ou CPF"
          value={filters}
          options={userStatusOptions}
          onChange={filter}
          onClear={clear}
          onType={setTyped}
          timeless
        />
      }
    >
      {rows.length > 0 && <UserTable rows={rows} dimmed={list.isPlaceholderData} onEdit={setEdited} />}
      {list.isSuccess && rows.length === 0 && (
        <NoRows filtered={hidesSome} onClear={clear} title={adminTexts.noUsers} icon="user" />
      )}
      {openId !== undefined && <UserDialog key={openId} id={openId} onClose={closeView} onEdit={setEdited} />}
      {creating && <NewUserDialog createUser={createUser} onClose={() => setCreating(false)} />}
      {edited !== null && <EditUserDialog user={edited} onClose={() => setEdited(null)} />}
    </ListScreen>
  )
}
