import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import type { ReactNode } from "react"
import { useMay } from "#api/session.ts"

/** Shown to these roles alone, so that no button leads to what the server refuses. */
export function Only({ roles, children }: { roles: readonly ShopRole[]; children: ReactNode }) {
  return useMay(roles) ? children : null
}
