import { readFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { checkReceipt, type PublicJwk, payerDocumentOf } from "@tilinta/contract/proofs/receipt-text"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import { StartError } from "#kit/errors"
import { momentText } from "#platform/mails/mail-content"
import { runCommand } from "./run-command.ts"

const usage = "Uso: npm run receipt:verify -- COMPROVANTE --key CHAVES (receipts.json, ou uma chave dele)"

/** `npm run receipt:verify -- FILE --key FILE`: without server or database. Exit 0 for a genuine receipt, 1 for any other. */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { key: { type: "string" } }, allowPositionals: true })
  const [receiptFile] = positionals
  if (receiptFile === undefined || values.key === undefined || positionals.length > 1) throw new StartError(usage)
  const keys = keysIn(await readFile(values.key, "utf8"))
  // A text file ends with a line end, which belongs to the file and not to the receipt.
  const receipt = (await readFile(receiptFile, "utf8")).replace(/\r?\n$/, "")
  const checked = await checkReceipt(receipt, keys)
  if (checked.verdict !== "genuine") {
    const why = checked.verdict === "unknown_key" ? "assinado com uma chave que não está no arquivo de chaves" : "falso"
    process.stdout.write(`Comprovante não confirmado: ${why}.\n`)
    return 1
  }
  const { amountCents, receiver, receiverDocument, paidAt, endToEndId, payerDigits } = checked.facts
  const { payerCpf, payerCnpj } = payerDocumentOf(payerDigits)
  const lines = [
    "Comprovante verdadeiro. Um estorno posterior não aparece aqui: confira em /verificar.",
    `Valor: ${reaisText(amountCents as Cents)}`,
    `Quem recebeu: ${receiver}`,
    ...(receiverDocument === null ? [] : [`CPF ou CNPJ de quem recebeu: ${documentText(receiverDocument)}`]),
    `Pago em: ${momentText(paidAt.toISOString())}`,
    `ID do Pix (endToEndId): ${endToEndId}`,
    ...(payerCpf === null ? [] : [`CPF de quem pagou: ${payerCpf}`]),
    ...(payerCnpj === null ? [] : [`CNPJ de quem pagou: ${payerCnpj}`]),
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
  return 0
}

function keysIn(text: string): PublicJwk[] {
  const listed = keysOf(text)
  if (!listed.every(isKey)) throw new StartError("O arquivo de chaves não tem nenhuma chave Ed25519.")
  return listed
}

function keysOf(text: string): unknown[] {
  try {
    const file = JSON.parse(text) as { keys?: unknown[] }
    return file.keys ?? [file]
  } catch {
    throw new StartError("O arquivo de chaves não é JSON.")
  }
}

function isKey(value: unknown): value is PublicJwk {
  const { kty, crv, x } = (value ?? {}) as Partial<Record<keyof PublicJwk, unknown>>
  return kty === "OKP" && crv === "Ed25519" && typeof x === "string"
}

await runCommand({ usage, failure: "O comprovante não pôde ser conferido", run })
