import { queryOptions } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import type { ProfileBody } from "./profile-form.ts"

export const profileQuery = queryOptions({
  queryKey: ["seller", "profile"],
  queryFn: async ({ signal }) => (await call(heads.getMe, { signal })).data.user,
})

/** E-mail and CPF are sent along, and never change. */
export async function saveProfile({ email, cpf }: UserView, changes: ProfileBody): Promise<UserView> {
  const body = { ...changes, email, cpf }
  return (await call(heads.updateMe, { body })).data.user
}
