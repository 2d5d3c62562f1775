import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { chmod, link, mkdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { closeFolder } from "#kit/private-folder"
import { newSecretKeyText, parseSecretKeys, type SecretKeys } from "#kit/secret-box"
import { StartError } from "#kit/start-error"

const onlyOwner = 0o600

function secretsFile(dataDir: string): string {
  return join(dataDir, "secrets.key")
}

/** The keys of SECRETS_KEY, or those of the file in DATA_DIR, which the first start makes. */
export async function openSecretKeys(env: {
  dataDir: string
  secretsKey: ReturnType<SecretKeys> | null
}): Promise<SecretKeys> {
  const { secretsKey } = env
  if (secretsKey !== null) return () => secretsKey
  const file = secretsFile(env.dataDir)
  try {
    await ensureFile(file)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code
    throw new StartError(`SECRETS_KEY ausente, e não foi possível guardar uma chave em ${file} (${reason}).`)
  }
  // Read at each use, so that a rotation needs no restart.
  const keys: SecretKeys = () => readKeys(file)
  keys()
  return keys
}

function readKeys(file: string): ReturnType<SecretKeys> {
  const keys = parseSecretKeys(readFileSync(file, "utf8"))
  if (keys === null) throw new StartError(`O arquivo ${file} está danificado: traga-o de volta da cópia de segurança.`)
  return keys
}

/** A link never replaces a file: the first key stays when two processes start at once. */
async function ensureFile(file: string): Promise<void> {
  const known = await stat(file).catch(() => null)
  if (known !== null) {
    if ((known.mode & 0o077) !== 0) await chmod(file, onlyOwner)
    return
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await closeFolder(dirname(file))
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${newSecretKeyText()}\n`, { mode: onlyOwner, flag: "wx" })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    await rm(draft)
  }
}

/** Puts a new key before those of the file, which still open what they sealed. */
export async function addKeyToFile(dataDir: string): Promise<void> {
  const file = secretsFile(dataDir)
  await replaceFile(file, `${newSecretKeyText()}\n${readFileSync(file, "utf8")}`)
}

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, text, { mode: onlyOwner, flag: "wx" })
  await rename(draft, file)
}
