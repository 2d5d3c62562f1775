import { setTimeout as sleep } from "node:timers/promises"
import { callbackify } from "node:util"
import pg from "pg"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { isDatabaseDown, isLoginRefused, readOnlyCode } from "./database-down.ts"
/** The way of all connections of a process to its database: what one of its pools learns holds for all. */
export interface DatabaseRoute {
  /** The number of hosts. */
  hosts: number
  /** The address to connect to now, of a single host. */
  address(): string
  /** The host did not answer or takes no writes: the next connection goes to the next one, where there are several. */
  leave(address: string): void
  /** The server behind the open connections may have changed: nobody uses them again. */
  renew(): void
  /** Calls the listener with each renewal. Returns the unsubscribe function. */
  onRenew(listener: () => void): () => void
}

export function openRoute(url: string): DatabaseRoute {
  const addresses = addressesOf(url)
  let current = 0
  const address = () => addresses[current] ?? url
  return {
    ...openRenewals(),
    hosts: addresses.length,
    address,
    leave(left) {
      // Several connections may fail at once, and the route advances once.
      if (left === address()) current = (current + 1) % addresses.length
    },
  }
}

function openRenewals(): Pick<DatabaseRoute, "renew" | "onRenew"> {
  const listeners = new Set<() => void>()
  return {
    renew() {
      for (const listener of [...listeners]) listener()
    },
    onRenew(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** `postgres://user@`, hosts separated by commas, `/database?…` */
const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#,]*,[^@/?#]*)((?:[@/?#].*)?)$/i
const hostParameter = /([?&]host=)([^&#]*(?:,|%2C)[^&#]*)/i
const portParameter = /([?&]port=)([^&#]*)/i
const ofSeveralHosts = ["target_session_attrs", "load_balance_hosts"]

/**
 * One address for each host that the URL names, in libpq's two spellings: `h1:5432,h2` and `?host=h1,h2&port=5432,5433`.
 * The driver knows neither. Only a server that takes writes is used, whatever `target_session_attrs` says.
 */
export function addressesOf(url: string): readonly string[] {
  const [, before = "", hosts, after = ""] = severalHosts.exec(url) ?? []
  if (hosts !== undefined)
    return hosts.split(",").map((host) => withoutParameters(ofSeveralHosts, `${before}${host}${after}`))
  const [, , named] = hostParameter.exec(url) ?? []
  if (named === undefined) return [withoutParameters(ofSeveralHosts, url)]
  const ports = list(portParameter.exec(url)?.[2] ?? "")
  return list(named).map((host, at) =>
    withoutParameters(
      ofSeveralHosts,
      url
        .replace(hostParameter, (_all, key: string) => `${key}${host}`)
        .replace(portParameter, (_all, key: string) => `${key}${ports[at] ?? ports[0] ?? ""}`),
    ),
  )
}

function list(value: string): string[] {
  return value.split(/,|%2C/i)
}

function withoutParameters(names: readonly string[], url: string): string {
  const [base = "", parameters] = url.split("?", 2)
  const kept = (parameters ?? "").split("&").filter((each) => !names.includes(each.split("=", 1)[0] ?? ""))
  return kept.join("") === "" ? base : `${base}?${kept.join("&")}`
}

/** The same address for another user: what the URL says of the user goes, also in its parameters. */
export function addressFor(url: string, login: { user: string; password: string }): string {
  const named = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`
  const nameless = withoutParameters(["user", "password"], url)
  return nameless.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/?#]*@)?/i, (_all, scheme: string) => `${scheme}${named}@`)
}

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
