import type { QueryClient } from "@tanstack/react-query"
import { session } from "#api/session.ts"
import { currentToken, loadToken, onTokenChangedElsewhere, onTokenRefused } from "#api/session-token.ts"
import { toast } from "#ui/toast.ts"

/** Nothing of one person may be left on the screen of the next. */
export function startSession(queryClient: QueryClient): void {
  session.subscribe(() => {
    if (session.current().status === "closed") queryClient.clear()
  })
  onTokenRefused(() => {
    if (session.current().status !== "open") return
    session.close()
    toast.error("Sessão expirada. Faça login novamente.")
  })
  onTokenChangedElsewhere(() => {
    const before = currentToken()
    if (loadToken() === before) return
    queryClient.clear()
    void session.start()
  })
  void session.start()
}
