import type { LoadedBackup } from "#db/backup/load-backup"
import type { Db } from "#db/transaction"
import { verifyBooks } from "#domain/overviews/ledger-checks/verify-books"
import { openSigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import { systemClock } from "#kit/clock"
import { parseSecretKeys, type SecretKeys } from "#kit/secret-box"
import { askProvider } from "./ask-provider.ts"
import type { Env } from "./env.ts"
import { findSecretKeys } from "./secrets-file.ts"

type RestoredEnv = Pick<Env, "dataDir" | "secretsKey" | "pixProvider" | "pix" | "simulator">

/** Checks a restored database like `npm run verify`, says how much newer the provider is, and returns how many differences there are. */
export async function checkRestored(
  env: RestoredEnv,
  db: Db,
  loaded: LoadedBackup,
  tell: (line: string) => void,
): Promise<number> {
  const secretKeys = keysOf(loaded) ?? findSecretKeys(env)
  const signingKeys = secretKeys === null ? null : openSigningKeys({ db, clock: systemClock, secretKeys })
  const { postings, chain, differences } = await verifyBooks(db, { signingKeys })
  for (const { what, expected, found } of differences) {
    tell(`DIFERENÇA: ${what}: esperado ${expected}, encontrado ${found}`)
  }
  if (differences.length === 0) {
    tell(`Tudo confere: ${postings} lançamentos, saldos e totais sem nenhuma diferença.`)
    const signed = signingKeys === null ? "" : ", e cada ponto de controle tem a assinatura da plataforma"
    tell(`Corrente: ${chain.rows} linhas seladas em ${chain.blocks} blocos, nenhuma alterada${signed}.`)
  }
  if (signingKeys === null) {
    tell("SECRETS_KEY não está aqui nem no backup: as assinaturas dos pontos de controle não foram conferidas.")
  }
  await askProvider(env, db, new Date(loaded.about.takenAt), tell)
  return differences.length
}

/** Those of the backup are its own; another installation's may lie here. */
function keysOf({ secrets }: LoadedBackup): SecretKeys | null {
  const keys = secrets === null ? null : parseSecretKeys(secrets.toString())
  return keys === null ? null : () => keys
}
