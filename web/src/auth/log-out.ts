import type { logoutEndpoint } from "@tilinta/contract/api/auth-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { session } from "#api/session.ts"
import { toast } from "#ui/toast.ts"
import { authTexts } from "./auth-texts.ts"

const logout = leanEndpoint<typeof logoutEndpoint>("POST", "/api/v1/auth/logout")

/** Logging out works offline too. The server is called first, while the token is still available. */
export function logOut(): void {
  call(logout).catch(() => undefined)
  session.close()
  toast.info(authTexts.loggedOut)
}
