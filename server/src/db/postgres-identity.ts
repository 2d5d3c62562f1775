import { execFile } from "node:child_process"
import { chown, lchown, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { StartError } from "#kit/errors"
import type { PostgresBinaries } from "./postgres-binaries.ts"

/** How PostgreSQL is started, because it refuses to run as root, and who its files belong to (null: who we are). */
export type PostgresIdentity = { prefix: readonly string[]; owner: Account | null }

type Account = { uid: number; gid: number }

const execute = promisify(execFile)
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** A clean environment: PGDATA, PGPORT and secrets of the server's own are not for PostgreSQL. */
export const postgresEnvironment = { PATH: searchPath, LC_ALL: "C", TZ: "UTC" }

const asOurselves: PostgresIdentity = { prefix: [], owner: null }

/** In a user namespace the process isn't root, yet the files stay root's. */
const inUserNamespace: PostgresIdentity = {
  prefix: ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"],
  owner: { uid: 0, gid: 0 },
}

/** Containers have the second one by default, not the first. */
const capabilities = ["dac_read_search", "dac_override"]

/**
 * Under an account without rights, but with one capability: to pass through folders that are closed to it, such as /root
 * and DATA_DIR, which so stays closed to everybody, other processes of this account included. The secure bit lets
 * access(2), which PostgreSQL asks about its own program, take the capability into account.
 */
function asAccount({ uid, gid }: Account, capability: string): PostgresIdentity {
  const only = `-all,+${capability}`
  const user = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"]
  const rights = [`--inh-caps=${only}`, `--ambient-caps=${only}`, `--bounding-set=${only}`]
  return { prefix: ["setpriv", ...user, "--securebits=+no_setuid_fixup", ...rights, "--"], owner: { uid, gid } }
}

/** All of them work below folders that are closed to everybody but root. */
export async function choosePostgresIdentity(
  { postgres }: PostgresBinaries,
  { userNamespaces = true } = {},
): Promise<PostgresIdentity> {
  if (process.getuid?.() !== 0) return asOurselves
  const account = await findAccount(["postgres", "nobody"])
  const candidates = [
    ...(userNamespaces ? [inUserNamespace] : []),
    ...(account === null ? [] : capabilities.map((capability) => asAccount(account, capability))),
  ]
  for (const identity of candidates) if (await runs(identity, postgres)) return identity
  throw new StartError(
    "O PostgreSQL embutido não roda como root, e este sistema não deixa root iniciá-lo como outro usuário (com unshare, ou " +
      "com setpriv e um usuário postgres ou nobody): inicie com um usuário comum ou defina DATABASE_URL.",
  )
}

export function commandAs({ prefix }: PostgresIdentity, binary: string, args: readonly string[]): [string, string[]] {
  const [command = binary, ...rest] = [...prefix, binary, ...args]
  return [command, rest]
}

async function findAccount(names: readonly string[]): Promise<Account | null> {
  const lines = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n").map((line) => line.split(":"))
  for (const name of names) {
    const line = lines.find((fields) => fields[0] === name)
    if (line !== undefined) return { uid: Number(line[2]), gid: Number(line[3]) }
  }
  return null
}

async function runs(identity: PostgresIdentity, binary: string): Promise<boolean> {
  const [command, args] = commandAs(identity, binary, ["--version"])
  return execute(command, args, { cwd: "/", env: postgresEnvironment, timeout: 10_000 }).then(
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

async function giveContents(owner: Account, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveContents(owner, path)
    await lchown(path, owner.uid, owner.gid)
  }
}
