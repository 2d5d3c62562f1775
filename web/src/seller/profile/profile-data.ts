import { queryOptions } from "@tanstack/react-query"
import type { getMeEndpoint, UserView, updateMeEndpoint } from "@tilinta/contract/api/users-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import type { ProfileBody } from "./profile-form.ts"

const getMe = leanEndpoint<typeof getMeEndpoint>("GET", "/api/v1/users/me")
const updateMe = leanEndpoint<typeof updateMeEndpoint>("PATCH", "/api/v1/users/updateMe")

export const profileQuery = queryOptions({
  queryKey: ["seller", "profile"],
  queryFn: async ({ signal }) => (await call(getMe, { signal })).data.user,
})

/** E-mail and CPF are sent along, and never change. */
export async function saveProfile({ email, cpf }: UserView, changes: ProfileBody): Promise<UserView> {
  const body = { ...changes, email, cpf }
  return (await call(updateMe, { body })).data.user
}
