import { join } from "node:path"
import { query } from "../crash-tests/embedded-books.ts"
import { eventually } from "../crash-tests/eventually.ts"
import type { Cluster } from "./cluster.ts"
import type { DatabaseNode } from "./database-node.ts"
import { defineProgram, runAsPostgres } from "./programs.ts"

const scratchPort = 5_999
const promotedWithinMs = 180_000

/** The books at one moment, to be found again. */
const sums = `select clock_timestamp()::text as moment, (
    select json_build_array(
      (select count(*) from charges), (select count(*) from payments), (select sum(amount_cents) from payments),
      (select count(*) from ledger_postings), (select sum(amount_cents) from ledger_postings),
      (select count(*) from withdrawals), (select sum(abs(balance_cents)) from ledger_accounts)
    )
  )::text as books`

interface Sums {
  moment: string
  books: string
}

/** The restored database, running beside the cluster. */
interface Restored {
  url: string
  tookMs: number
  /** One sentence where the books are not those of the moment. */
  differences: string[]
  stop(): Promise<void>
}

/** The first full backup, on which every moment after it rests. */
export async function beginArchive(cluster: Cluster): Promise<void> {
  const primary = await primaryOf(cluster)
  await backrest(primary, ["stanza-create"])
  await backrest(primary, ["--type=full", "backup"])
}

/** Loses the charges by a mistake, and goes back to the moment before it in a folder of its own. */
export async function restoreToBeforeMistake(cluster: Cluster): Promise<Restored> {
  const [before] = await query<Sums>(cluster.databaseUrl, sums)
  if (before === undefined) throw new Error("the books could not be read")
  await query(cluster.databaseUrl, "drop table charges cascade")
  const primary = await primaryOf(cluster)
  // It switches to a new segment, and ends when the former one is in the repository.
  await backrest(primary, ["check"])
  const begin = performance.now()
  const target = ["--type=time", `--target=${before.moment}`, "--target-action=promote"]
  await backrest(primary, [`--pg1-path=${join(cluster.scratch, "data")}`, ...target, "restore"])
  const postgres = startScratch(cluster)
  const url = cluster.databaseUrl.replace(":5000/", `:${scratchPort}/`)
  await eventually(
    () => query<{ waits: boolean }>(url, "select pg_is_in_recovery() as waits").catch(() => []),
    ([row]) => row?.waits === false,
    promotedWithinMs,
  )
  const tookMs = Math.round(performance.now() - begin)
  const [after] = await query<Sums>(url, sums)
  const isEqual = after?.books === before.books
  const differences = isEqual ? [] : [`restored to ${before.moment}: ${after?.books}, expected ${before.books}`]
  return { url, tookMs, differences, stop: () => postgres.kill() }
}

/** On the host, by the primary's settings but for those that make it a member of the cluster. */
function startScratch({ network, binaries, folder, scratch }: Cluster) {
  const settings = {
    listen_addresses: network.address,
    port: scratchPort,
    unix_socket_directories: scratch,
    archive_mode: "off",
    synchronous_standby_names: "",
    primary_conninfo: "",
    primary_slot_name: "",
  }
  const postgres = defineProgram({
    command: join(binaries, "postgres"),
    args: ["-D", join(scratch, "data"), ...Object.entries(settings).flatMap(([name, to]) => ["-c", `${name}=${to}`])],
    logFile: join(folder, "scratch.log"),
    asPostgres: true,
  })
  postgres.start()
  return postgres
}

async function primaryOf(cluster: Cluster): Promise<DatabaseNode> {
  const primary = await cluster.findPrimary()
  if (primary === null) throw new Error("the cluster has no primary")
  return primary
}

function backrest({ machine, backrest: config }: DatabaseNode, words: readonly string[]): Promise<string> {
  return runAsPostgres(machine, "pgbackrest", [`--config=${config}`, "--stanza=tilinta", ...words])
}
