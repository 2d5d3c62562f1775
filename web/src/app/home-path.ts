import type { UserView } from "@tilinta/contract/api/users-endpoints"

/** The start screen of each role, also behind the brand's link. */
export function homePathOf(user: Pick<UserView, "role"> | null): "/admin" | "/dashboard" {
  return user?.role === "admin" ? "/admin" : "/dashboard"
}
