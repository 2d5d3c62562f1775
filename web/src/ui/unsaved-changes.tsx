import { useBlocker } from "@tanstack/react-router"
import { currentToken } from "#api/session-token.ts"
import { ConfirmDialog } from "./confirm-dialog.tsx"

/** Asks before unsaved input is lost by a link, by 'back' or by closing the tab. Logging out needs no question. */
export function UnsavedChanges({ when }: { when: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname && currentToken() !== null,
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  if (blocker.status !== "blocked") return null
  return (
    <ConfirmDialog
      title="Sair sem salvar?"
      verb="Descartar e sair"
      safeVerb="Continuar editando"
      busy={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>O que você alterou nesta página ainda não foi salvo e será perdido.</p>
    </ConfirmDialog>
  )
}
