import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { createLog } from "#kit/log"

/** A server that is nothing but its database, in a process that a test may kill. */
const [, , dataDir = ""] = process.argv
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog("silent"), isDurable: false })
  process.stdout.write(`${postgres.url}\n`)
  process.once("SIGTERM", () => void postgres.stop().then(() => process.exit(0)))
  setInterval(() => undefined, 60_000)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`)
  process.exitCode = 1
}
