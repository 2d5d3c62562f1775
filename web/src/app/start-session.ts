import { session } from "#api/session.ts"
import { currentToken, loadToken, onTokenChangedElsewhere, onTokenRefused } from "#api/session-token.ts"
import { toast } from "#ui/toast.ts"

export function startSession(): void {
  onTokenRefused(() => {
    if (session.current().status !== "open") return
    session.close()
    toast.error("Sessão expirada. Faça login novamente.")
  })
  onTokenChangedElsewhere(() => {
    const before = currentToken()
    if (loadToken() !== before) void session.start()
  })
  void session.start()
}
