import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { openCheckpoint, readVerifierKeys } from "@tilinta/contract/proofs/checkpoint"
import type { Db } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import type { LedgerDifference } from "#ledger/reads"
import type { SignedRoot } from "#money/chain/block"
import { createCheckpointCopy } from "#money/chain/copy"
import { openSigningKeys, type SigningKeys } from "#money/chain/keys"
import { readUnsigned } from "#money/chain/prove"
import { openOwnNote } from "#money/chain/seal"
import { verifyBooks, verifyingPool } from "#overviews/ledger-checks/check"
import { type Env, readEnv } from "#start/env"
import { findSecretKeys } from "#start/secrets-file"
import { withOwnDatabase } from "./own-database.ts"
import { runCommand } from "./run-command.ts"

const usage = "Uso: npm run verify [-- --checkpoint ARQUIVO [--key ARQUIVO]]"

/**
 * `npm run verify [-- --checkpoint FILE [--key FILE]]`: recomputes every balance and total from the postings and rows, and
 * compares the rows with the chain that sealed them, and this one with the checkpoints of CHECKPOINT_FILE and CHECKPOINT_URL. Exit
 * 1 on any difference.
 */
async function verify(db: Db, env: Env): Promise<number> {
  const secretKeys = findSecretKeys(env)
  const signingKeys = secretKeys === null ? null : openSigningKeys({ db, clock: systemClock, secretKeys })
  if (signingKeys === null) {
    process.stdout.write("SECRETS_KEY não está aqui: as assinaturas dos pontos de controle não são conferidas.\n")
  }
  const elsewhere = await readElsewhere(env, signingKeys)
  const kept = [...(await readKept(signingKeys)), ...elsewhere.kept]
  const shown = { onProgress: showProgress, onChecked: showChecked }
  const { postings, chain, differences: found } = await verifyBooks(db, { signingKeys, kept, ...shown })
  const differences = [...elsewhere.differences, ...found]
  for (const { what, expected, found } of differences) {
    process.stdout.write(`DIFERENÇA: ${what}: esperado ${expected}, encontrado ${found}\n`)
  }
  if (differences.length === 0) {
    process.stdout.write(`Tudo confere: ${postings} lançamentos, saldos e totais sem nenhuma diferença.\n`)
    process.stdout.write(`Corrente: ${chain.rows} linhas seladas em ${chain.blocks} blocos, nenhuma alterada.\n`)
  }
  if (kept.length === 0) process.stdout.write(unkept)
  process.stdout.write(unproven)
  return differences.length === 0 ? 0 : 1
}

const unproven =
  "Não prova: que o banco guarda este dinheiro (o fechamento diário compara), nem o que nunca foi registrado aqui.\n"

const unkept =
  "Sem ponto de controle de fora do banco de dados: quem o administra pode ter reescrito tudo. Confira com um ponto de controle de um e-mail: npm run verify -- --checkpoint ARQUIVO\n"

const secondPlace = "ponto de controle do segundo lugar"

/** Reads what the servers copy out of reach of the database's owner; one that no key of ours signed is a difference. */
async function readElsewhere({ checkpoint }: Env, signingKeys: SigningKeys | null) {
  const notes = await createCheckpointCopy({ ...checkpoint, log: createLog("silent") }).readKept()
  const kept: SignedRoot[] = []
  const differences: LedgerDifference[] = []
  for (const note of notes) {
    const opened = signingKeys === null ? readUnsigned(note) : await openOwnNote(signingKeys, note)
    if (opened !== null) kept.push({ name: secondPlace, size: opened.size, root: opened.root })
    else
      differences.push({ what: secondPlace, expected: "assinado com a chave da plataforma", found: "outra assinatura" })
  }
  return { kept, differences }
}

/** A checkpoint from a mail or the second place, which nobody who changes the database can change. */
async function readKept(signingKeys: SigningKeys | null): Promise<SignedRoot[]> {
  const { values } = parseArgs({ options: { checkpoint: { type: "string" }, key: { type: "string" } } })
  if (values.checkpoint === undefined) return []
  const note = readFileSync(values.checkpoint, "utf8")
  const opened =
    values.key === undefined
      ? signingKeys && (await openOwnNote(signingKeys, note))
      : await openCheckpoint(note, await readVerifierKeys(readFileSync(values.key, "utf8")))
  if (opened === null) throw new StartError(`${values.checkpoint}: não é um ponto de controle assinado com esta chave.`)
  return [{ name: values.checkpoint, size: opened.size, root: opened.root }]
}

const begunAt = performance.now()
let shownPercent = 0

/** A terminal sees one line move; a log gets a line for each tenth. */
function showProgress(done: number, all: number): void {
  const percent = Math.floor(done / (all * 0.01))
  const step = process.stderr.isTTY ? 1 : 10
  if (percent < shownPercent + step) return
  shownPercent = percent
  if (process.stderr.isTTY) process.stderr.write(`\rCorrente: ${percent} %${percent === 100 ? "\n" : ""}`)
  else process.stderr.write(`Corrente: ${percent} %\n`)
}

function showChecked(check: string, differences: number): void {
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(1).replace(".", ",")
  const outcome = differences === 0 ? "sem diferenças" : `diferenças: ${differences}`
  const line = `Conferido em ${seconds} s: ${check}, ${outcome}.\n`
  process.stderr.write(process.stderr.isTTY ? `\r${line}` : line)
}

async function run(): Promise<number> {
  const env = readEnv(process.env)
  return withOwnDatabase(env, verifyingPool, (db) => verify(db, env))
}

await runCommand({ usage, failure: "A verificação falhou", failureCode: 2, run })
