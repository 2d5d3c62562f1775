import { readFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { checkStatement } from "@tilinta/contract/proofs/check-statement"
import { readVerifierKeys } from "@tilinta/contract/proofs/verifier-key"
import { StartError } from "#kit/start-error"
import { runCommand } from "./run-command.ts"

const usage = "Uso: npm run statement:verify -- EXTRATO.csv --checkpoint ARQUIVO --key ARQUIVO [--consistency ARQUIVO]"

/** `npm run statement:verify`: without server or database. Exit 0 where each line is proved, 1 for any other file. */
async function run(): Promise<number> {
  const options = { checkpoint: { type: "string" }, key: { type: "string" }, consistency: { type: "string" } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [file] = positionals
  if (file === undefined || values.checkpoint === undefined || values.key === undefined) throw new StartError(usage)
  const hashes = values.consistency === undefined ? null : await readFile(values.consistency, "utf8")
  const { lines, problems, isLinked } = await checkStatement({
    csv: await readFile(file, "utf8"),
    note: await readFile(values.checkpoint, "utf8"),
    keys: await readVerifierKeys(await readFile(values.key, "utf8")),
    consistency: hashes === null ? null : hashes.split(/\r?\n/).filter((line) => line !== ""),
  })
  for (const problem of problems) process.stdout.write(`NÃO CONFERE: ${problem}\n`)
  if (problems.length > 0) return 1
  process.stdout.write(`Extrato confirmado: ${lines} linhas, cada uma selada como está.\n`)
  if (!isLinked) process.stdout.write(`${onlySigned}\n`)
  return 0
}

const onlySigned =
  "As provas levam a outro ponto de controle, assinado com a mesma chave. Para ligar os dois, dê a prova de consistência (--consistency)."

await runCommand({ usage, failure: "O extrato não pôde ser conferido", run })
