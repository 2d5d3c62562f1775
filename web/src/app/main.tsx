import { RouterProvider } from "@tanstack/react-router"
import { StrictMode, useSyncExternalStore } from "react"
import { createRoot } from "react-dom/client"
import { actForNamed } from "#api/acting-shop.ts"
import { renewRole, renewUser, session } from "#api/session.ts"
import { currentToken, loadToken, onRoleLost, onTokenChangedElsewhere, onTokenRefused } from "#api/session-token.ts"
import { onEnrolmentRequired, onStepUpQuestion, stepUpQuestion } from "#api/step-up.ts"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import { Toaster } from "#ui/toaster.tsx"
import "#styles/app.css"
import { router } from "./router.tsx"

const StepUpDialog = lazyDialog(() => import("./step-up-dialog.tsx"), "StepUpDialog")

/** Asks who it is over whatever screen the call came from, which goes on by itself. */
function StepUp() {
  const question = useSyncExternalStore(onStepUpQuestion, stepUpQuestion)
  if (question === null) return null
  const { methods, answer } = question
  return <StepUpDialog methods={methods} onConfirmed={() => answer(true)} onClose={() => answer(false)} />
}

onTokenRefused(() => {
  if (session.current().status !== "open") return
  session.close()
  toast.error("Sessão expirada. Faça login novamente.")
})
onRoleLost(() => void renewRole())
onTokenChangedElsewhere(() => {
  const before = currentToken()
  if (loadToken() !== before) void session.start()
})
actForNamed(location.search)
void session.start()
// An administrator asked for it meanwhile: the page of that action takes the place of the app.
onEnrolmentRequired(() => void renewUser().catch(() => undefined))

// The skeleton of index.html stays until the first screen's code has loaded: no blank page in between.
void router.load().finally(() => {
  const root = document.getElementById("root")
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
      <StepUp />
      <Toaster />
    </StrictMode>,
  )
})
