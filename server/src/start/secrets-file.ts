import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Db } from "#db/transaction"
import { resealWebhookSecrets } from "#integrations/webhooks/secrets"
import type { Clock } from "#kit/clock"
import { StartError } from "#kit/errors"
import { closeFolder } from "#kit/folders"
import { newSecretKeyText, parseSecretKeys, type SecretKeys } from "#kit/secrets"
import { resealPrivateKeys } from "#money/chain/keys"
import { renewOwnerMacs } from "#money/destinations/owner"
import { renewProposalMacs } from "#money/manual-entries/entries"
import { renewRefundMacs } from "#money/refunds/settle"
import { renewRemittanceMacs } from "#money/remittances/make"
import { renewRuleMacs } from "#money/withdrawal-rules/manage"
import { renewSettlementMacs } from "#money/withdrawals/hand-settlements"
import { renewWithdrawalMacs } from "#money/withdrawals/pay"
import { renewApprovalMacs } from "#people/second-approvals/approve"
import { renewPasskeyMacs } from "#people/second-factors/prove-passkey"
import { resealTotps } from "#people/second-factors/totp"
import { renewSessionMacs } from "#people/sessions/sessions"
import { renewShopMacs } from "#people/shops/change"
import { resealPushKey } from "#platform/push/keys"
import { resealSecrets } from "#platform/system/sealing-key"
import { resealSigningKeys } from "#selling/return-origins/origins"

const onlyOwner = 0o600

interface FileEnv {
  dataDir: string
  secretsKey: ReturnType<SecretKeys> | null
}

function secretsFile(dataDir: string): string {
  return join(dataDir, "secrets.key")
}

/** The keys of SECRETS_KEY, or those of the file in DATA_DIR, which the first start makes. */
export async function openSecretKeys(env: FileEnv): Promise<SecretKeys> {
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

/** The same for a command that only reads: null where there is no file, as none is made. */
export function findSecretKeys(env: { dataDir: string; secretsKey: ReturnType<SecretKeys> | null }): SecretKeys | null {
  const { secretsKey } = env
  if (secretsKey !== null) return () => secretsKey
  const file = secretsFile(env.dataDir)
  return existsSync(file) ? () => readKeys(file) : null
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

/** The file as it is, for an encrypted backup; null where SECRETS_KEY holds the keys, or none has been needed yet. */
export async function readSecretsFile({ dataDir, secretsKey }: FileEnv): Promise<Buffer | null> {
  if (secretsKey !== null) return null
  return readFile(secretsFile(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw new StartError(`Sem acesso a ${secretsFile(dataDir)} (${error.code}).`, { cause: error })
  })
}

/** Puts the file of a backup into DATA_DIR, and never over another one. */
export async function restoreSecretsFile({ dataDir }: FileEnv, content: Buffer): Promise<"written" | "kept"> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await closeFolder(dataDir)
  try {
    await writeFile(secretsFile(dataDir), content, { mode: onlyOwner, flag: "wx" })
    return "written"
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    return "kept"
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

/** The number of secrets and MACs that another key than the first had made. */
export async function resealEverything(deps: { db: Db; clock: Clock; secretKeys: SecretKeys }): Promise<number> {
  const secrets = [resealTotps, resealPrivateKeys, resealSigningKeys, resealWebhookSecrets, resealPushKey]
  return resealSecrets(deps, [...secrets, ...macRenewals])
}

const macRenewals = [
  renewApprovalMacs,
  renewProposalMacs,
  renewRefundMacs,
  renewRemittanceMacs,
  renewRuleMacs,
  renewWithdrawalMacs,
  renewSettlementMacs,
  renewShopMacs,
  renewOwnerMacs,
  renewSessionMacs,
  renewPasskeyMacs,
]
