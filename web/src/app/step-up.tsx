import { useSyncExternalStore } from "react"
import { onStepUpQuestion, stepUpQuestion } from "#api/step-up.ts"
import { lazyDialog } from "#ui/lazy-part.tsx"

const StepUpDialog = lazyDialog(() => import("./step-up-dialog.tsx").then((module) => module.StepUpDialog))

/** Asks who it is over whatever screen the call came from, which goes on by itself. */
export function StepUp() {
  const question = useSyncExternalStore(onStepUpQuestion, stepUpQuestion)
  if (question === null) return null
  const { methods, answer } = question
  return <StepUpDialog methods={methods} onConfirmed={() => answer(true)} onClose={() => answer(false)} />
}
