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
const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)(.*)$/i
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
