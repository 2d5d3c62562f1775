import { execFile } from "node:child_process"
import { chown, lchown, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { StartError } from "#kit/start-error"
import type { PostgresBinaries } from "./postgres-binaries.ts"

/** The user that PostgreSQL runs as, because it refuses to run as root. */
export type PostgresIdentity = {
  prefix: readonly string[]
  account: { uid: number; gid: number } | null
  owner: { uid: number; gid: number } | null
}

type Account = { name: string; uid: number; gid: number }

const execute = promisify(execFile)
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** A clean environment: PGDATA, PGPORT and secrets of the server's own are not for PostgreSQL. */
export const postgresEnvironment = { PATH: searchPath, LC_ALL: "C", TZ: "UTC" }

const asOurselves: PostgresIdentity = { prefix: [], account: null, owner: null }

/** In a user namespace the process isn't root, yet the files stay root's: it works below 0700 folders too. */
const inUserNamespace: PostgresIdentity = {
  prefix: ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"],
  account: null,
  owner: { uid: 0, gid: 0 },
}

export async function choosePostgresIdentity(
  binaries: PostgresBinaries,
  dataDir: string,
  { userNamespaces = true } = {},
): Promise<PostgresIdentity> {
  if (process.getuid?.() !== 0) return asOurselves
  if (userNamespaces && (await runs(inUserNamespace, binaries.postgres, "--version"))) return inUserNamespace
  return dropPrivileges(binaries, dataDir)
}

export function commandAs({ prefix }: PostgresIdentity, binary: string, args: readonly string[]): [string, string[]] {
  const [command = binary, ...rest] = [...prefix, binary, ...args]
  return [command, rest]
}

async function dropPrivileges(binaries: PostgresBinaries, dataDir: string): Promise<PostgresIdentity> {
  const accounts = await findAccounts(["postgres", "nobody"])
  for (const { uid, gid } of accounts) {
    const identity: PostgresIdentity = { prefix: [], account: { uid, gid }, owner: { uid, gid } }
    const reachesBoth =
      (await runs(identity, binaries.postgres, "--version")) && (await runs(identity, "test", "-x", dataDir))
    if (reachesBoth) return identity
  }
  const names = accounts.map(({ name }) => name).join(" ou ") || "postgres"
  throw new StartError(
    `O PostgreSQL embutido não roda como root, e o usuário ${names} não alcança o programa ou DATA_DIR (${dataDir}): ` +
      "use pastas abertas a todos (fora de /root), inicie com um usuário comum ou defina DATABASE_URL.",
  )
}

async function findAccounts(names: readonly string[]): Promise<Account[]> {
  const lines = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n").map((line) => line.split(":"))
  return names.flatMap((name) => {
    const line = lines.find((fields) => fields[0] === name)
    return line === undefined ? [] : [{ name, uid: Number(line[2]), gid: Number(line[3]) }]
  })
}

async function runs(identity: PostgresIdentity, binary: string, ...args: string[]): Promise<boolean> {
  const [command, rest] = commandAs(identity, binary, args)
  const options = { ...identity.account, cwd: "/", env: postgresEnvironment, timeout: 10_000 }
  return execute(command, rest, options).then(
    () => true,
    () => false,
  )
}

/** Changes the folder's own owner last, which then marks that everything below has already changed. */
export async function giveFolder({ owner }: PostgresIdentity, folder: string): Promise<void> {
  if (owner === null || (await stat(folder)).uid === owner.uid) return
  await giveContents(owner, folder)
  await chown(folder, owner.uid, owner.gid)
}

async function giveContents(owner: { uid: number; gid: number }, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveContents(owner, path)
    await lchown(path, owner.uid, owner.gid)
  }
}
