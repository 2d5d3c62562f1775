import type { LoadedBackup } from "#db/backup/load-backup"
import type { Db, Tx } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { parseSecretKeys, type SecretKeys } from "#kit/secrets"
import { openSigningKeys } from "#money/chain/keys"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { suspendWithdrawals } from "#platform/settings/manage"
import type { Env } from "#start/env"
import { findSecretKeys } from "#start/secrets-file"
import { askProvider } from "./set-up.ts"

type RestoredEnv = Pick<Env, "dataDir" | "secretsKey" | "pixProvider" | "pix" | "simulator">

/** Checks a restored database like `npm run verify`, says how much newer the provider is, and returns how many differences there are. */
export async function checkRestored(
  env: RestoredEnv,
  db: Db,
  loaded: LoadedBackup,
  print: (line: string) => void,
): Promise<number> {
  const secretKeys = keysOf(loaded) ?? findSecretKeys(env)
  const signingKeys = secretKeys === null ? null : openSigningKeys({ db, clock: systemClock, secretKeys })
  const { postings, chain, differences } = await verifyBooks(db, { signingKeys })
  for (const { what, expected, found } of differences) {
    print(`DIFERENÇA: ${what}: esperado ${expected}, encontrado ${found}`)
  }
  if (differences.length === 0) {
    print(`Tudo confere: ${postings} lançamentos, saldos e totais sem nenhuma diferença.`)
    const signed = signingKeys === null ? "" : ", e cada ponto de controle tem a assinatura da plataforma"
    print(`Corrente: ${chain.rows} linhas seladas em ${chain.blocks} blocos, nenhuma alterada${signed}.`)
  }
  if (signingKeys === null) {
    print("SECRETS_KEY não está aqui nem no backup: as assinaturas dos pontos de controle não foram conferidas.")
  }
  await askProvider(env, db, new Date(loaded.about.takenAt), print)
  return differences.length
}

/**
 * A restored database holds back all money that leaves, until an administrator has compared it with the bank. In the
 * transaction that fills it, because a server may start as soon as that has ended.
 */
export function suspendAfterRestore(tx: Tx): Promise<void> {
  return suspendWithdrawals(tx, new Date())
}

/** Those of the backup are its own; another installation's may lie here. */
function keysOf({ secrets }: LoadedBackup): SecretKeys | null {
  const keys = secrets === null ? null : parseSecretKeys(secrets.toString())
  return keys === null ? null : () => keys
}
