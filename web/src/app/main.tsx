import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { onEnrolmentRequired } from "#api/step-up.ts"
import { toast } from "#ui/toast.ts"
import { Toaster } from "#ui/toaster.tsx"
import "../styles/app.css"
import { router } from "./router.tsx"
import { startSession } from "./start-session.ts"
import { StepUp } from "./step-up.tsx"

startSession()
onEnrolmentRequired((reason) => {
  if (router.state.location.pathname === "/profile") return
  toast.error("Falta proteger a sua conta", reason)
  void router.navigate({ to: "/profile", hash: "seguranca" })
})

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
