const networkCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "ENOTFOUND", "EAI_AGAIN"],
])

/** Starting up or shutting down, out of connections, and timeouts of an overloaded database. */
const postgresCodes = new Set(["57P01", "57P02", "57P03", "53300", "57014", "55P03"])

/** Errors of the driver that have no code. */
const driverMessages = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "timeout expired",
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
    if (networkCodes.has(code) || postgresCodes.has(code) || /^08[0-9A-Z]{3}$/.test(code)) return true
  }
  return driverMessages.some((message) => error.message.startsWith(message)) || isDatabaseDown(error.cause)
}
