import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { toast } from "#ui/toast.ts"
import { authTexts } from "./auth-texts.ts"

/** Logging out works offline too. The server is called first, while the token is still available. */
export function logOut(): void {
  call(heads.logout).catch(() => undefined)
  session.close()
  toast.info(authTexts.loggedOut)
}
