import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { StartError } from "#kit/errors"
import { closeFolder, syncFolder } from "#kit/folders"
import type { Logger } from "#kit/log"
import {
  choosePostgresIdentity,
  commandAs,
  findPostgresBinaries,
  giveFolder,
  nameOurUser,
  type PostgresBinaries,
  type PostgresIdentity,
  postgresEnvironment,
} from "./postgres-program.ts"

/** A complete PostgreSQL data folder, with everything needed to run it. */
export type PostgresCluster = {
  dataDir: string
  folder: string
  logFile: string
  password: string
  binaries: PostgresBinaries
  identity: PostgresIdentity
  isDurable: boolean
  /** The most connections at once. */
  connections: number
}

type ClusterOptions = {
  dataDir: string
  log: Logger
  isDurable: boolean
  connections: number
  signal?: AbortSignal | undefined
  userNamespaces?: boolean | undefined
}

const execute = promisify(execFile)
const majorVersion = "18"
const largestLogBytes = 10 * 1024 * 1024
const unfinishedPrefix = "postgres-unfinished-"

export async function openCluster({
  dataDir,
  log,
  signal,
  userNamespaces,
  ...settings
}: ClusterOptions): Promise<PostgresCluster> {
  await prepareDataDir(dataDir)
  const binaries = await findPostgresBinaries()
  const cluster: PostgresCluster = {
    dataDir,
    folder: join(dataDir, "postgres"),
    logFile: join(dataDir, "postgres.log"),
    password: await readOrCreatePassword(dataDir),
    binaries,
    identity: await choosePostgresIdentity(binaries, { userNamespaces }),
    ...settings,
  }
  await closeFolder(dataDir)
  await removeUnfinished(dataDir)
  if (!(await isInitialised(cluster))) {
    log.info({ folder: cluster.folder }, "creating the embedded database")
    await initialise(cluster)
    // The start may have been aborted meanwhile, and then nobody would stop the database.
    signal?.throwIfAborted()
  }
  await rotateLog(cluster.logFile)
  return cluster
}

async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolders(dataDir)
    await rmdir(await mkdtemp(join(dataDir, ".writable-")))
  } catch (cause) {
    throw new StartError(`DATA_DIR (${dataDir}) não pode ser usada: ${reasonOf(cause)}.`, { cause })
  }
}

/** Node's own recursive mkdir never returns on file systems like /proc. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST") return
    if (code !== "ENOENT" || folder === dirname(folder)) throw error
    await makeFolders(dirname(folder))
    await mkdir(folder).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== "EEXIST") throw again
    })
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ""
  const reasons: Record<string, string> = {
    EEXIST: "o caminho não é uma pasta",
    ENOTDIR: "o caminho não é uma pasta",
    EACCES: "sem permissão para gravar nela",
    EPERM: "sem permissão para gravar nela",
    EROFS: "o sistema de arquivos é somente leitura",
    ENOSPC: "o disco está cheio",
  }
  return reasons[code] ?? `não foi possível gravar nela (${code})`
}

/** Linked into place atomically, so that two servers that start at once read the same password. */
async function readOrCreatePassword(dataDir: string): Promise<string> {
  const path = join(dataDir, "postgres-password")
  const draft = join(dataDir, `.postgres-password-${process.pid}-${randomBytes(4).toString("hex")}`)
  const known = (await readFile(path, "utf8").catch(unreadable(path))).trim()
  if (known !== "") return known

  if (await exists(join(dataDir, "postgres", "PG_VERSION"))) {
    throw new StartError(`Falta o arquivo ${path}, com a senha do banco que está em DATA_DIR: recupere-o do backup.`)
  }
  await writeFile(draft, randomBytes(24).toString("hex"), { mode: 0o600, flush: true })
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") return rename(draft, path)
  })
  await rm(draft, { force: true })
  return (await readFile(path, "utf8")).trim()
}

async function isInitialised({ folder }: PostgresCluster): Promise<boolean> {
  const entries = await readdir(folder).catch(unreadable(folder))
  if (entries.length === 0) return false

  const version = (await readFile(join(folder, "PG_VERSION"), "utf8").catch(unreadable(folder))).trim()
  if (version === majorVersion) return true
  const found =
    version === ""
      ? "não contém um banco PostgreSQL"
      : `contém um banco do PostgreSQL ${version}, e este servidor usa o ${majorVersion}`
  throw new StartError(`A pasta ${folder} ${found}: escolha outra DATA_DIR ou defina DATABASE_URL.`)
}

/**
 * Initialised in a temporary folder and renamed when complete: a kill in the middle leaves nothing that looks finished.
 */
async function initialise(cluster: PostgresCluster): Promise<void> {
  const workshop = await mkdtemp(join(cluster.dataDir, unfinishedPrefix))
  const unfinished = join(workshop, "cluster")
  const passwordFile = join(workshop, "password")
  try {
    await mkdir(unfinished, { mode: 0o700 })
    await writeFile(passwordFile, cluster.password, { mode: 0o600 })
    await giveFolder(cluster.identity, workshop)
    await runInitdb(cluster, unfinished, { passwordFile, ourName: await nameOurUser(workshop) })
    await rename(unfinished, cluster.folder)
    await syncFolder(cluster.dataDir)
  } catch (error) {
    if (error instanceof StartError || !(await isInitialised(cluster))) throw error
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

async function runInitdb(
  cluster: PostgresCluster,
  folder: string,
  { passwordFile, ourName }: { passwordFile: string; ourName: Record<string, string> },
): Promise<void> {
  const { binaries, identity, isDurable } = cluster
  const [command, args] = commandAs(identity, binaries.initdb, [
    `--pgdata=${folder}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...(isDurable ? [] : ["--no-sync"]),
  ])
  try {
    await execute(command, args, { cwd: "/", env: { ...postgresEnvironment, ...ourName } })
  } catch (cause) {
    const lines = ((cause as { stderr?: string }).stderr ?? "").trim().split("\n")
    const reason = lines.findLast((line) => /error|fatal|could not/i.test(line)) ?? lines.at(-1)
    const message = `Não foi possível criar o banco de dados em DATA_DIR (${cluster.dataDir}): ${reason}`
    throw new StartError(message, { cause })
  }
}

/** Removes old leftovers only: another server may be at work in a recent one. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(unfinishedPrefix))
  for (const path of names.map((name) => join(dataDir, name))) {
    const ageMs = Date.now() - (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs
    if (ageMs > 60_000) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function rotateLog(logFile: string): Promise<void> {
  const { size } = await stat(logFile).catch(() => ({ size: 0 }))
  if (size > largestLogBytes) await rename(logFile, `${logFile}.1`)
  await writeFile(logFile, "", { flag: "a", mode: 0o600 })
  await chmod(logFile, 0o600)
}

/** Treats a missing file as empty; a file of another user ends the start. */
function unreadable(path: string): (error: NodeJS.ErrnoException) => "" {
  return (error) => {
    if (error.code === "ENOENT") return ""
    const message = `Sem acesso a ${path}: pertence a outro usuário. Inicie com o mesmo usuário de antes ou mude o dono da pasta DATA_DIR.`
    throw new StartError(message, { cause: error })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
