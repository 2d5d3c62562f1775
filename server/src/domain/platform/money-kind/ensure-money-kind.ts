import type { MoneyKind } from "@tilinta/contract/vocabulary/money-kind"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { invariant } from "#kit/invariant"
import { StartError } from "#kit/start-error"
import { findMoneyKind, insertMoneyKindOnce } from "./money-kind-repository.ts"

/**
 * Decides at the first start which kind of money this database holds, and refuses every later start with another kind:
 * balances don't say what filled them, so test money would be paid out as real.
 */
export async function ensureMoneyKind({ db, clock }: { db: Db; clock: Clock }, wanted: MoneyKind): Promise<void> {
  await db.transaction().execute((tx) => insertMoneyKindOnce(tx, wanted, clock.now()))
  const held = await findMoneyKind(db)
  invariant(held !== null, "the database has no kind of money")
  if (held !== wanted) throw new StartError(refusalOf(held, wanted))
}

const nameOf: Record<MoneyKind, string> = {
  sandbox: "dinheiro de teste do simulador",
  homologation: "dinheiro de teste do ambiente de homologação de um banco",
  real: "dinheiro real",
}

const settingsOf: Record<MoneyKind, string> = {
  sandbox: "PIX_PROVIDER=simulator",
  homologation: "o nome do banco em PIX_PROVIDER e PIX_ENVIRONMENT=homologacao",
  real: "o nome do banco em PIX_PROVIDER e PIX_ENVIRONMENT=producao",
}

function refusalOf(held: MoneyKind, wanted: MoneyKind): string {
  const variable = held === "sandbox" || wanted === "sandbox" ? "PIX_PROVIDER" : "PIX_ENVIRONMENT"
  return [
    `Variável de ambiente ${variable} inválida para este banco de dados:`,
    `desde o primeiro início ele guarda ${nameOf[held]}, que nunca se mistura com ${nameOf[wanted]}.`,
    `Use um banco de dados vazio (em DATABASE_URL, ou outra pasta em DATA_DIR), ou volte a ${settingsOf[held]}.`,
  ].join(" ")
}
