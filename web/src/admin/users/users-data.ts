import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import type { createUserEndpoint } from "@tilinta/contract/admin-users"
import * as heads from "@tilinta/contract/heads"
import type { UserView } from "@tilinta/contract/users"
import { useRef } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import type { UserStatus } from "#admin/search-params.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { type CallInput, call, createSubmissions, type ReplyOf } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import { useUser } from "#api/session.ts"
import { holdsText } from "#format/withdrawal-texts.ts"
import { toast } from "#ui/toast.ts"

export const usersKey = ["admin", "users"] as const
export const pageSize = 100

interface UsersFilter {
  status: UserStatus | undefined
  search: string | undefined
}

export function usersQuery(page: number, filter: UsersFilter) {
  return listQuery({
    key: usersKey,
    page,
    filter,
    ask: (part, signal) => call(heads.listUsers, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.users,
  })
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: [...usersKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getUser, { params: { id }, signal })).data,
  })
}

/** Filters the loaded rows at once, while the server's search is still under way. */
export function matchesUser({ name, email, cpf }: Pick<UserView, "name" | "email" | "cpf">, typed: string): boolean {
  if (holdsText(name, typed) || holdsText(email, typed)) return true
  const digits = /^[\d\s.-]+$/.test(typed) ? typed.replace(/\D/g, "") : ""
  return digits !== "" && cpf.includes(digits)
}

/** The reason why the signed-in admin can't inactivate this user; undefined when they can. */
export function useBarred({ _id, role }: Pick<UserView, "_id" | "role">): string | undefined {
  const isOwn = useUser()?._id === _id
  if (isOwn) return "É a sua própria conta."
  return role === "admin" ? "Administradores não podem ser desativados." : undefined
}

/** 'deleted' ends as 'inactive', like the button of that name. */
export interface StatusChange {
  user: UserView
  to: "active" | "inactive" | "deleted"
}

export function useChangeStatus(onSettled: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ user: { _id: id }, to }: StatusChange) => {
      if (to !== "deleted")
        return (await call(heads.updateUser, { params: { id }, body: { active: to === "active" } })).data
      await call(heads.inactivateUser, { params: { id } })
      return undefined
    },
    onSuccess: (data, { user, to }) =>
      data?.pending === true
        ? toast.success(adminTexts.requestNoted, adminTexts.waitsForAnother)
        : toast.success(to === "active" ? adminTexts.userActivated : adminTexts.userInactivated, user.name),
    onError: (error, { to }) => {
      const failed = to === "deleted" ? adminTexts.userNotInactivated : adminTexts.userStatusNotChanged
      toast.error(messageOf(error, failed), detailOf(error))
    },
    onSettled: () => {
      onSettled()
      return queryClient.invalidateQueries({ queryKey: usersKey })
    },
  })
}

export type CreateUser = (
  body: CallInput<typeof createUserEndpoint>["body"],
) => Promise<ReplyOf<typeof createUserEndpoint>["data"]>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useCreateUser(): CreateUser {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (body) => {
    const { data } = await call(heads.createUser, {
      body,
      headers: { "Idempotency-Key": submissions.current(body).key },
    })
    submissions.current = createSubmissions()
    void queryClient.invalidateQueries({ queryKey: usersKey })
    return data
  }
}
