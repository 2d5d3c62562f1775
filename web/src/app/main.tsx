import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { lazyPart } from "#ui/lazy-part.tsx"
import "../styles/app.css"
import { router } from "./router.tsx"
import { startSession } from "./start-session.ts"
import { StepUp } from "./step-up.tsx"

const Toaster = lazyPart(() => import("#ui/toaster.tsx").then((module) => module.Toaster))

startSession()

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
