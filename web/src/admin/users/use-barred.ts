import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { useUser } from "#api/session.ts"

/** The reason why the signed-in admin can't inactivate this user; undefined when they can. */
export function useBarred({ _id, role }: Pick<UserView, "_id" | "role">): string | undefined {
  const isOwn = useUser()?._id === _id
  if (isOwn) return "É a sua própria conta."
  return role === "admin" ? "Administradores não podem ser desativados." : undefined
}
