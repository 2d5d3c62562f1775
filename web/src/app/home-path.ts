import type { UserView } from "@tilinta/contract/api/users-endpoints"

/** Where each role starts: also where the brand leads. */
export function homePathOf(user: Pick<UserView, "role"> | null): "/admin" | "/dashboard" {
  return user?.role === "admin" ? "/admin" : "/dashboard"
}
