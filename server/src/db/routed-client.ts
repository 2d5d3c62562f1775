import { callbackify } from "node:util"
import pg from "pg"
import { readOnlyCode } from "./database-down.ts"
import type { DatabaseRoute } from "./database-route.ts"

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * A client that connects to the route's present host, takes its settings, and leaves a host that refuses it or takes no
 * writes. The settings are `name=value`. They are set by a statement: poolers such as PgBouncer refuse, or drop without a
 * word, most of what a connection asks for when it starts.
 */
export function clientOn(
  route: DatabaseRoute,
  settings: readonly string[],
): new (
  config?: pg.ClientConfig,
) => pg.Client {
  return class RoutedClient extends pg.Client {
    readonly #address: string

    constructor(config: pg.ClientConfig = {}) {
      const address = route.address()
      super({ ...config, connectionString: address })
      this.#address = address
      // Without a listener from the start, losing a connection that is in use, or taking its settings, ends the process.
      this.on("error", () => undefined)
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | void {
      if (callback === undefined) return this.#connect()
      callbackify(() => this.#connect())(callback as (error: Error | null, client?: pg.Client) => void)
    }

    async #connect(): Promise<pg.Client> {
      try {
        await super.connect()
        await takeSettings(this, settings)
        return this
      } catch (error) {
        route.leave(this.#address)
        this.end().catch(() => undefined)
        throw error
      }
    }
  }
}

async function takeSettings(client: pg.Client, settings: readonly string[]): Promise<void> {
  const set = settings.map((_setting, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`)
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select ${[`current_setting('transaction_read_only') = 'on' as "isReadOnly"`, ...set].join(", ")}`,
    settings.flatMap(nameAndValue),
  )
  refuseReadOnly(rows[0]?.isReadOnly)
}

/** A session that can't write: of a standby, or of a server that was demoted behind the same address. */
function refuseReadOnly(isIt: boolean | undefined): void {
  if (isIt !== true) return
  throw Object.assign(new Error("the database takes no writes"), { code: readOnlyCode })
}

function nameAndValue(setting: string): [string, string] {
  const equals = setting.indexOf("=")
  return [setting.slice(0, equals), setting.slice(equals + 1)]
}
