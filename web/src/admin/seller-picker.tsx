import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { UserView } from "@tilinta/contract/users"
import { useId, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { useUser } from "#api/session.ts"
import { SearchInput } from "#ui/list-filters.tsx"
import { adminTexts } from "./admin-texts.ts"

/** The first few users whom the words find. */
function foundSellersQuery(search: string) {
  return queryOptions({
    queryKey: ["admin", "users", "found", search],
    queryFn: async ({ signal }) => (await call(heads.listUsers, { query: { search, limit: "8" }, signal })).data.users,
    enabled: search !== "",
  })
}

interface Props {
  legend: string
  error?: string | undefined
  chosen: UserView | null
  onChoose: (seller: UserView) => void
}

/** Admins can't pick themselves. */
export function SellerPicker({ legend, error, chosen, onChoose }: Props) {
  const name = useId()
  const [search, setSearch] = useState("")
  const found = useQuery({ ...foundSellersQuery(search), placeholderData: keepPreviousData })
  const adminId = useUser()?._id
  const sellers = search === "" ? [] : (found.data ?? []).filter(({ _id }) => _id !== adminId)
  const shown = chosen === null || sellers.some(({ _id }) => _id === chosen._id) ? sellers : [chosen, ...sellers]
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-label font-semibold text-t2">{legend}</legend>
      <SearchInput label="Buscar vendedor por nome, e-mail ou CPF" value={search} onSearch={setSearch} />
      <div role="status" className="empty:hidden text-meta text-t3">
        {search !== "" && found.isSuccess && sellers.length === 0 && "Nenhum usuário encontrado"}
        {found.isError && messageOf(found.error, adminTexts.sellersFailed)}
      </div>
      <p role="alert" className="empty:hidden text-meta text-coral">
        {error}
      </p>
      {shown.map((seller) => (
        <label
          key={seller._id}
          className="flex min-h-11 min-w-0 cursor-pointer items-center gap-3 rounded-m border border-line px-3.5 py-2 has-checked:border-mint has-checked:bg-mint-bg"
        >
          <input
            type="radio"
            name={name}
            checked={seller._id === chosen?._id}
            onChange={() => onChoose(seller)}
            className="size-5 flex-none"
          />
          <span className="min-w-0">
            <span className="block truncate font-semibold text-t1">{seller.name}</span>
            <span className="block truncate text-meta">
              {seller.email}
              {!seller.active && " · inativo"}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The seller of a row, or a placeholder when there is none. */
export function SellerCell({ user }: { user: { name: string; email: string } | null }) {
  return (
    <span className="block w-40">
      <span className="block truncate text-t2">{user?.name ?? "Desconhecido"}</span>
      {user !== null && <span className="block truncate text-meta text-t3">{user.email}</span>}
    </span>
  )
}
