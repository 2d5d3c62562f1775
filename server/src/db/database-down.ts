const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
])

/**
 * The classes of PostgreSQL's codes that blame the database, not the statement: connections lost or with an unknown
 * outcome (08), logins refused (28), a missing database (3D), resources used up (53), an operator's or a timeout's
 * intervention (57), failures of the system below (58).
 */
const postgresClasses = new Set(["08", "28", "3D", "53", "57", "58"])
/** Read-only after a failover, timeouts of an idle or long transaction, a lock that could not be had. */
const postgresCodes = new Set(["25006", "25P03", "25P04", "55P03"])

/** Errors of the driver that have no code. */
const driverMessages = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
  "Client has encountered a connection error",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
]

/** True for failures of the database, not of the request: worth a retry soon. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isDatabaseDown)) return true
  if (!(error instanceof Error)) return false

  const { code } = error as Error & { code?: unknown }
  if (typeof code === "string") {
    if (networkCodes.has(code) || isPostgresDown(code)) return true
  }
  return driverMessages.some((message) => error.message.startsWith(message)) || isDatabaseDown(error.cause)
}

function isPostgresDown(code: string): boolean {
  return postgresCodes.has(code) || (/^[0-9A-Z]{5}$/.test(code) && postgresClasses.has(code.slice(0, 2)))
}

/** With these PostgreSQL closes the connection, a moment after the statement has failed. */
const lastCodes = new Set(["57P01", "57P02", "57P04", "57P05", "25P03", "25P04"])

export function endsSession(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === "string" && lastCodes.has(code)
}

/** The address, the user or the password is wrong: waiting does not help a start. */
export function isLoginRefused(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === "string" && /^(28|3D)[0-9A-Z]{3}$/.test(code)
}

/** The server takes no writes: a standby, one that was demoted, or one that is read-only for want of space. */
export const readOnlyCode = "25006"

export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === readOnlyCode
}
