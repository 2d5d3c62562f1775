import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { createLog } from "#kit/log"

/** A process with nothing but the embedded database, which a test may kill; it ends with the test at the latest. */
const [, , dataDir = ""] = process.argv
process.stdin.resume().once("end", () => process.exit())
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog("silent"), isDurable: false })
  process.stdout.write(`${postgres.url}\n`)
  process.once("SIGTERM", () => void postgres.stop().then(() => process.exit(0)))
} catch (error) {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`)
  process.exit(1)
}
