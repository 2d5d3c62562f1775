import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { pixKeyLabels } from "#format/bank-labels.ts"

export const unknownPixKey = "Chave PIX inválida. Telefones começam com +55."

/** The kind of Pix key being typed; undefined while the field is empty. */
export function pixKeyHint(typed: string): string | undefined {
  if (typed.trim() === "") return undefined
  const key = parsePixKey(typed)
  return key === null ? unknownPixKey : `Tipo da chave: ${pixKeyLabels[key.kind]}`
}
