import { TOTP } from "otpauth"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { beginTotp, confirmTotp } from "#people/second-factors/totp"
import { secretKeys } from "./secret-keys.ts"

/** The app's code at that moment; steps are half minutes earlier or later. */
export function codeOf(secret: string, now: Date, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: now.getTime() + steps * 30_000 })
}

/** As if the user had set it up in a session with this token. The code of this half minute is spent. */
export async function enrolTotp(
  { db, clock }: { db: Db; clock: Clock },
  { id, token }: { id: string; token: string },
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const deps = { db, clock, secretKeys }
  const secret = await beginTotp(deps, id)
  const code = codeOf(secret, clock.now())
  return { secret, recoveryCodes: await confirmTotp(deps, { id, token, address: "127.0.0.1" }, code) }
}
