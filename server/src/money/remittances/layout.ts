import { addCents, type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"
import { type Day, saoPauloDay } from "#kit/clock"
import { invariant } from "#kit/errors"

/** The platform's account, from which the bank pays. */
interface Payer {
  bank: string
  bankName: string
  cnpj: string
  name: string
  agreement: string
  agency: AccountNumber
  account: AccountNumber
}

interface AccountNumber {
  number: string
  /** Blank where there is none. */
  check: string
}

export interface Line {
  /** Ours, which the bank writes into its return. */
  name: string
  amountCents: Cents
  holder: { name: string; document: string }
  to:
    | { method: "pix"; kind: PixKeyKind; key: string }
    | { method: "ted"; bank: string; agency: AccountNumber; account: AccountNumber; isSavings: boolean }
}

const LENGTHS = { agency: 5, account: 12 } as const

/**
 * A check digit follows the last dash; without a dash only an account has one, in its last place. Null where the layout
 * can't hold it: what is cut off would be another account.
 */
export function accountNumber(text: string, kind: keyof typeof LENGTHS): AccountNumber | null {
  const plain = text.toUpperCase().replace(/[^\dA-Z-]/g, "")
  const dash = plain.lastIndexOf("-")
  const end = dash >= 0 ? dash : kind === "account" ? plain.length - 1 : plain.length
  const number = plain.slice(0, Math.max(0, end)).replace(/\D/g, "")
  const check = plain.slice(end).replace("-", "")
  return number === "" || number.length > LENGTHS[kind] || check.length > 1 ? null : { number, check }
}

function digits(value: string | number, length: number): string {
  const text = String(value)
  invariant(/^\d*$/.test(text) && text.length <= length, `${text} is no number of ${length} digits`)
  return text.padStart(length, "0")
}

/** A CPF or a CNPJ, which may have letters. */
function inscriptionOf(document: string): string {
  invariant(/^[\dA-Z]{0,14}$/.test(document), "an inscription has at most 14 digits and capitals")
  return document.padStart(14, "0")
}

/** Capitals without accents, which every bank reads. */
function words(value: string, length: number): string {
  const plain = value
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7E]/g, " ")
  return plain.toUpperCase().slice(0, length).padEnd(length, " ")
}

const blank = (length: number) => " ".repeat(length)
const dayOf = (day: Day) => day.split("-").toReversed().join("")

function accountOf({ agency, account }: Pick<Payer, "agency" | "account">): string {
  const ends = [words(agency.check, 1), words(account.check, 1)]
  return `${digits(agency.number, 5)}${ends[0]}${digits(account.number, 12)}${ends[1]} `
}

function payerOf({ cnpj, agreement, ...payer }: Payer): string {
  return `2${inscriptionOf(cnpj)}${words(agreement, 20)}${accountOf(payer)}${words(payer.name, 30)}`
}

const FORM = { pix: "45", ted: "41" } as const
const CHAMBER = { pix: "009", ted: "018" } as const
const keyForms = { phone: "01", email: "02", cpf: "03", cnpj: "03", evp: "04" } as const satisfies Record<
  PixKeyKind,
  string
>

export interface Remittance {
  sequence: number
  madeAt: Date
  payer: Payer
  kind: "pix" | "ted"
  lines: readonly Line[]
}

/** FEBRABAN's layout of payments in 240 columns: a file with one lot, whose payments are segments A and B. */
export function writeRemittance({ sequence, madeAt, payer, kind, lines }: Remittance): string {
  const day = dayOf(saoPauloDay(madeAt))
  const time = timeFormat.format(madeAt).replaceAll(":", "")
  const { bank } = payer
  const sum = lines.reduce((cents, { amountCents }) => addCents(cents, amountCents), noMoney)
  const details = lines.flatMap((line, at) => [
    segmentA(line, 2 * at + 1, { bank, day }),
    segmentB(line, 2 * at + 2, bank),
  ])
  const records = [
    `${bank}00000${blank(9)}${payerOf(payer)}${words(payer.bankName, 30)}${blank(10)}1${day}${time}${digits(sequence, 6)}10300000${blank(69)}`,
    `${bank}00011C20${FORM[kind]}046 ${payerOf(payer)}${blank(40)}${blank(30)}${digits("", 5)}${blank(15)}${blank(20)}${digits("", 5)}${blank(3)}${blank(2)}01${blank(6)}${blank(10)}`,
    ...details,
    `${bank}00015${blank(9)}${digits(details.length + 2, 6)}${digits(sum, 18)}${digits("", 18)}${digits("", 6)}${blank(165)}${blank(10)}`,
    `${bank}99999${blank(9)}${digits(1, 6)}${digits(details.length + 4, 6)}${digits("", 6)}${blank(205)}`,
  ]
  for (const record of records) invariant(record.length === 240, `a record of ${record.length} columns: ${record}`)
  return `${records.join("\r\n")}\r\n`
}

const timeFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "America/Sao_Paulo" })

function segmentA(
  { name, amountCents, holder, to }: Line,
  number: number,
  { bank, day }: { bank: string; day: string },
): string {
  const isTed = to.method === "ted"
  const place = isTed ? `${digits(to.bank, 3)}${accountOf(to)}` : `${digits("", 3)}${digits("", 5)} ${digits("", 12)}  `
  const value = `BRL${digits("", 15)}${digits(amountCents, 15)}`
  const purpose = isTed ? `  00005${to.isSavings ? "PP" : "CC"}` : blank(9)
  return `${bank}00013${digits(number, 5)}A000${CHAMBER[to.method]}${place}${words(holder.name, 30)}${words(name, 20)}${day}${value}${blank(20)}${digits("", 8)}${digits("", 15)}${blank(40)}${purpose}${blank(3)}0${blank(10)}`
}

function segmentB({ holder: { document }, to }: Line, number: number, bank: string): string {
  const inscription = `${document === "" ? "0" : document.length === 11 ? "1" : "2"}${inscriptionOf(document)}`
  const start = `${bank}00013${digits(number, 5)}B`
  if (to.method === "ted") {
    const address = `${blank(30)}${digits("", 5)}${blank(50)}${digits("", 5)}${blank(5)}`
    return `${start}   ${inscription}${address}${digits("", 83)}${blank(15)}0${digits("", 14)}`
  }
  // A key stays as its directory has it.
  return `${start}${keyForms[to.kind]} ${inscription}${blank(35)}${blank(60)}${to.key.padEnd(99, " ")}${digits("", 6)}${digits("", 8)}`
}

export interface ReturnedLine {
  name: string
  amountCents: Cents
  /** The bank's occurrence codes, the first one first. */
  codes: string[]
}

/** The payments of a return. Null where the text is none. */
export function readReturn(text: string): ReturnedLine[] | null {
  const records = text.split(/\r?\n/).filter((record) => record.trim() !== "" && record.charCodeAt(0) !== 26)
  if (records.length === 0 || records.some((record) => record.length !== 240) || records[0]?.[142] !== "2") return null
  return records
    .filter((record) => record[7] === "3" && record[13] === "A")
    .map((record) => ({
      name: record.slice(73, 93).trim(),
      amountCents: Number(record.slice(119, 134)) as Cents,
      codes: (record.slice(230, 240).match(/../g) ?? []).filter((code) => code.trim() !== ""),
    }))
}

/** The fate of a payment: nothing yet, where the bank has only taken it in. */
export type ReturnOutcome = "paid" | "accepted" | "refused" | "returned"

/** DV stands in no list of FEBRABAN's: some banks write it when a TED comes back. */
const outcomes: Readonly<Record<string, ReturnOutcome>> = {
  "00": "paid",
  "03": "paid",
  BD: "accepted",
  BE: "accepted",
  DV: "returned",
}

/** Refusals of a transfer in FEBRABAN's list of occurrences (G059). Any other code says nothing of the money. */
const reasons: Readonly<Record<string, string>> = {
  "01": "Saldo insuficiente na conta da plataforma",
  "02": "Pagamento cancelado",
  AG: "Agência ou conta da plataforma inválida",
  AL: "Banco do favorecido inválido",
  AM: "Agência do favorecido inválida",
  AN: "Conta do favorecido inválida",
  AO: "Nome do favorecido não informado",
  AP: "Data do pagamento inválida",
  AR: "Valor do pagamento inválido",
  BF: "Pagamento excluído",
  DV: "Devolvido pelo banco do favorecido",
  HA: "Lote não aceito",
  HB: "Inscrição da plataforma inválida para o contrato",
  HC: "Convênio inexistente ou inválido para o contrato",
  HD: "Agência ou conta da plataforma inexistente ou inválida",
  HE: "Tipo de serviço inválido para o contrato",
  HF: "Saldo insuficiente na conta da plataforma",
  PA: "Pix não efetivado",
  PB: "Transação interrompida por erro no banco do favorecido",
  PC: "Conta do favorecido encerrada",
  PD: "Tipo de conta do favorecido incorreto",
  PE: "Tipo de transação não aceito na conta do favorecido",
  PF: "CPF ou CNPJ não é do titular da conta do favorecido",
  PG: "CPF ou CNPJ do favorecido incorreto",
  PH: "Rejeitado pelo banco do favorecido",
  PI: "Banco do Pix inválido ou inexistente",
  PJ: "Chave Pix não cadastrada",
  PL: "Forma de iniciação do Pix inválida",
  PM: "Chave Pix inválida",
  PN: "Chave Pix não informada",
  ZI: "Favorecido divergente",
}

export function outcomeOf(codes: readonly string[]): { outcome: ReturnOutcome; reason: string } {
  const [code = ""] = codes
  const [known, why] = [outcomes[code], reasons[code]]
  if (why !== undefined) return { outcome: known ?? "refused", reason: `${why} (ocorrência ${code})` }
  if (known !== undefined || code === "") return { outcome: known ?? "accepted", reason: "" }
  return { outcome: "accepted", reason: `Ocorrência ${code}, que não conhecemos: veja no banco o que foi feito.` }
}
