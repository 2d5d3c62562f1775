import type { Role } from "@tilinta/contract/vocabulary/roles"

/** Who a valid session belongs to, as the database says now and not as it was at login. */
export interface SessionUser {
  id: string
  role: Role
}
