import * as heads from "@tilinta/contract/heads"
import type { signInByPasskeyEndpoint } from "@tilinta/contract/passkeys"
import { call, type ReplyOf } from "#api/client.ts"
import { askPasskey, offersAutofill, PasskeyProblem } from "#api/passkeys.ts"

type Opened = ReplyOf<typeof signInByPasskeyEndpoint>

/** A challenge lasts five minutes, and a login page stays open for longer. */
const renewedAfterMs = 4 * 60_000

/** A browser waits for one answer at a time: the button takes the place of what the fields offer. */
let offered = new AbortController()

/** For the button: the browser asks which passkey, over the page. */
export async function signInByPasskey(): Promise<Opened> {
  offered.abort()
  const { data } = await call(heads.passkeySignInOptions)
  return call(heads.signInByPasskey, { body: { credential: await askPasskey(data.publicKey) } })
}

/** Offers passkeys among what the browser fills into the fields, until one was used or the function it returns is called. */
export function offerPasskeys(onOpened: (opened: Opened) => void, onFailed: (error: unknown) => void): () => void {
  let isOver = false
  let renewal: ReturnType<typeof setTimeout> | undefined

  function renew(): void {
    offered.abort()
    void offer()
  }

  async function offer(): Promise<void> {
    if (isOver || !(await offersAutofill())) return
    const controller = new AbortController()
    offered = controller
    renewal = setTimeout(renew, renewedAfterMs)
    // Nobody asked for it, so nobody is told when it can't be had.
    const options = await call(heads.passkeySignInOptions).catch(() => null)
    if (options === null || controller.signal.aborted || isOver) return
    try {
      const credential = await askPasskey(options.data.publicKey, {
        mediation: "conditional",
        signal: controller.signal,
      })
      onOpened(await call(heads.signInByPasskey, { body: { credential } }))
    } catch (error) {
      if (!(error instanceof PasskeyProblem)) onFailed(error)
    }
  }

  void offer()
  return () => {
    isOver = true
    clearTimeout(renewal)
    offered.abort()
  }
}
