import { readFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { checkStatement } from "@tilinta/contract/proofs/check-statement"
import { readVerifierKeys } from "@tilinta/contract/proofs/checkpoint"
import { StartError } from "#kit/errors"
import { runCommand } from "./run-command.ts"

const usage = "Uso: npm run statement:verify -- EXTRATO.csv --checkpoint ARQUIVO --key ARQUIVO [--consistency ARQUIVO]"

/**
 * `npm run statement:verify`: without server or database. Exit 0 where each line is proved against the checkpoint, 1 where one
 * is refuted, and 2 where the lines were signed, but at another checkpoint that nothing links to the given one.
 */
async function run(): Promise<number> {
  const options = { checkpoint: { type: "string" }, key: { type: "string" }, consistency: { type: "string" } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [file] = positionals
  if (file === undefined || values.checkpoint === undefined || values.key === undefined) throw new StartError(usage)
  const hashes = values.consistency === undefined ? null : await readFile(values.consistency, "utf8")
  const { lines, problems, isLinked, sizes } = await checkStatement({
    csv: await readFile(file, "utf8"),
    note: await readFile(values.checkpoint, "utf8"),
    keys: await readVerifierKeys(await readFile(values.key, "utf8")),
    consistency: hashes === null ? null : hashes.split(/\r?\n/).filter((line) => line !== ""),
  })
  for (const problem of problems) process.stdout.write(`NÃO CONFERE: ${problem}\n`)
  if (problems.length > 0) return 1
  if (!isLinked) {
    process.stdout.write(onlySigned(sizes))
    return 2
  }
  process.stdout.write(`Extrato confirmado: ${lines} linhas, cada uma selada como está.\n`)
  return 0
}

function onlySigned({ own, given }: { own: number; given: number }): string {
  const [from, to] = [Math.min(own, given), Math.max(own, given)]
  return `NÃO PROVADO: as linhas levam a outro ponto de controle (${own} blocos), assinado com a mesma chave; o dado tem ${given}.
Nada prova que os dois são da mesma corrente: quem tem a chave pode ter assinado duas.
Para ligar os dois, guarde /.well-known/tilinta/consistency?from=${from}&to=${to} e dê esse arquivo em --consistency.
`
}

await runCommand({ usage, failure: "O extrato não pôde ser conferido", run })
