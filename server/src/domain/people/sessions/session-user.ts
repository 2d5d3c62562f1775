import type { Role } from "@tilinta/contract/vocabulary/roles"

/** The session's user as the database has it now, not as it was at login. */
export interface SessionUser {
  id: string
  role: Role
}
