import { logoutEndpoint } from "@tilinta/contract/api/auth-endpoints"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { toast } from "#ui/toast.ts"
import { authTexts } from "./auth-texts.ts"

/** Leaving works without the server too; it is told first, while the token is still at hand. */
export function logOut(): void {
  call(logoutEndpoint).catch(() => undefined)
  session.close()
  toast.info(authTexts.loggedOut)
}
