import type { loginEndpoint } from "@tilinta/contract/api/auth-endpoints"
import { useEffect, useEffectEvent, useState } from "react"
import type { ReplyOf } from "#api/client.ts"

export const knowsPasskeys = typeof PublicKeyCredential === "function"

interface Wish {
  onBegun: () => void
  onOpened: (opened: ReplyOf<typeof loginEndpoint>) => void
  onFailed: (error: unknown) => void
}

/** Offers passkeys in the fields and by a button. The code for it is fetched after the screen, which it would delay. */
export function usePasskeyLogin({ onBegun, onOpened, onFailed }: Wish) {
  const [isWaiting, setIsWaiting] = useState(false)
  /** Grows after each question of the button, which ended the offer in the fields. */
  const [round, setRound] = useState(0)
  const opened = useEffectEvent(onOpened)
  const failed = useEffectEvent(onFailed)

  useEffect(() => {
    if (!knowsPasskeys) return
    let stop: (() => void) | null = null
    let isGone = false
    import("./passkey-login.ts").then(
      ({ offerPasskeys }) => {
        if (!isGone) stop = offerPasskeys(opened, failed)
      },
      () => undefined,
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [round])

  async function enter(): Promise<void> {
    onBegun()
    setIsWaiting(true)
    try {
      const { signInByPasskey } = await import("./passkey-login.ts")
      onOpened(await signInByPasskey())
    } catch (error) {
      onFailed(error)
      setRound(round + 1)
    }
    setIsWaiting(false)
  }

  return { isWaiting, enter }
}
