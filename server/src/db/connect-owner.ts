import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import type { Logger } from "#kit/log"
import { StartError } from "#kit/start-error"
import { isDatabaseDown, isLoginRefused } from "./database-down.ts"
import { openRoute } from "./database-route.ts"
import { clientOn } from "./routed-client.ts"

const patienceMs = 5_000

/**
 * A session of the database's owner, on the host that takes writes. Retries while the database may still be starting; a
 * wrong address or password fails at once.
 */
export async function connectOwner(ownerUrl: string, log: Logger): Promise<pg.Client> {
  const RoutedClient = clientOn(openRoute(ownerUrl), [])
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const session = new RoutedClient({
      application_name: "tilinta-migrate",
      connectionTimeoutMillis: patienceMs,
      keepAlive: true,
    })
    session.on("error", () => undefined)
    try {
      await session.connect()
      return session
    } catch (error) {
      if (!isDatabaseDown(error) || isLoginRefused(error) || Date.now() > giveUpAt) {
        const message = `Não foi possível conectar ao banco de dados (DATABASE_URL): ${messageOf(error)}`
        throw new StartError(message, { cause: error })
      }
      log.info("waiting for the database")
      await sleep(500)
    }
  }
}

/** The first line of the first error, for a person. */
export function messageOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message.replace(/\n.*/s, "") : String(first)
}
