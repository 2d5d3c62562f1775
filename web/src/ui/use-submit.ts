import { useState } from "react"
import { ApiError } from "#api/api-error.ts"

/**
 * Sends a form: `busy` until the call has ended, and what `failureOf` says of its failure until the next one. What the
 * server found wrong with single fields goes to `onProblem`.
 */
export function useSubmit<Input = void, Failure = string>(
  send: (input: Input) => Promise<unknown>,
  failureOf: (error: unknown) => Failure | null,
  onProblem?: (path: string, message: string) => void,
) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit(input: Input): Promise<void> {
    setFailure(null)
    setBusy(true)
    try {
      await send(input)
    } catch (error) {
      setFailure(failureOf(error))
      if (error instanceof ApiError) for (const { path, message } of error.errors) onProblem?.(path, message)
    }
    setBusy(false)
  }

  return { submit, busy, failure, setFailure }
}
