import type { Role } from "@tilinta/contract/vocabulary/roles"

export interface UserForm {
  name: string
  email: string
  role: Role
  active: boolean
  anyName: boolean
}
