import { crc16Digits, formatAmount, hasScheme, maxAmountCents, writeDataObject } from "./tlv.ts"

/** The input cannot be written as a BR Code. */
export class BrCodeError extends Error {
  override name = "BrCodeError"
}

type Merchant = {
  merchantName: string
  merchantCity: string
  amountCents?: number | undefined
  postalCode?: string | undefined
}

type StaticBrCode = Merchant & {
  key: string
  txid?: string | undefined
  additionalInfo?: string | undefined
}

type DynamicBrCode = Merchant & {
  url: string
  /** Authorises this recurrence, too. */
  urlRec?: string | undefined
  singleUse?: boolean | undefined
}

const gui = writeDataObject("00", "br.gov.bcb.pix")
const longestTemplate = 99
const longestInfo = 72

export function encodeStatic(code: StaticBrCode): string {
  const { txid = "***", additionalInfo = "" } = code
  const key = asRegistered(code.key)
  if (!isWritable(key)) throw new BrCodeError("A chave Pix deve ter de 1 a 77 caracteres, sem espaços nem acentos")
  if (txid !== "***" && !/^[A-Za-z0-9]{1,25}$/.test(txid)) {
    throw new BrCodeError("O identificador da transação deve ter de 1 a 25 letras sem acento ou números")
  }
  const account = gui + writeDataObject("01", key)
  return seal(writeDataObject("26", account + writeInfo(additionalInfo, account.length)), code, txid)
}

/** A key as the Pix directory keeps it: payers' banks find no other spelling. What is no key is written as it is. */
function asRegistered(key: string): string {
  const text = key.trim()
  const bare = text.replace(/[\s()./-]/g, "")
  if (/^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(text)) return text.toLowerCase()
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text.toLowerCase()
  if (/^\+55\d{10,11}$/.test(bare)) return bare
  if (/^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(text)) return bare
  const cnpj = /^[\dA-Z]{12}\d{2}$|^[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}$/i
  return cnpj.test(text) ? bare.toUpperCase() : text
}

/** The payer's bank reads amount and txid from the URL: field 54 is only informative, and 62-05 stays empty. */
export function encodeDynamic(code: DynamicBrCode): string {
  const initiation = code.singleUse === false ? "" : writeDataObject("01", "12")
  const recurrence = code.urlRec === undefined ? "" : writeRecurrence(code.urlRec)
  return seal(initiation + writeDataObject("26", gui + writeUrl(code.url)), code, "***", recurrence)
}

/** Pays nothing: it only authorises what comes later. */
export function encodeRecurrence(code: Omit<Merchant, "amountCents"> & { urlRec: string }): string {
  return seal(writeDataObject("26", gui), code, "***", writeRecurrence(code.urlRec))
}

function writeRecurrence(urlRec: string): string {
  return writeDataObject("80", gui + writeUrl(urlRec))
}

function writeUrl(text: string): string {
  const url = text.replace(/^https:\/\//i, "")
  if (!isWritable(url) || hasScheme(url)) {
    throw new BrCodeError("O endereço da cobrança deve ter de 1 a 77 caracteres, sem espaços nem acentos")
  }
  return writeDataObject("25", url)
}

/** The information is optional: text that does not fit after the key is cut, since longer templates break readers. */
function writeInfo(additionalInfo: string, accountLength: number): string {
  const space = Math.min(longestInfo, longestTemplate - accountLength - 4)
  const info = space > 0 ? foldText(additionalInfo, space) : ""
  return info === "" ? "" : writeDataObject("02", info)
}

function seal(account: string, merchant: Merchant, txid: string, recurrence = ""): string {
  const name = foldText(merchant.merchantName, 25)
  const city = foldText(merchant.merchantCity, 15)
  if (name === "") throw new BrCodeError("O nome do recebedor não tem letras nem números")
  if (city === "") throw new BrCodeError("A cidade do recebedor não tem letras nem números")
  const amount = writeAmount(merchant.amountCents)
  const postalCode = writePostalCode(merchant.postalCode)
  const names = writeDataObject("59", name) + writeDataObject("60", city)
  const additionalData = writeDataObject("62", writeDataObject("05", txid))
  const open = `000201${account}520400005303986${amount}5802BR${names}${postalCode}${additionalData}${recurrence}6304`
  return open + crc16Digits(open)
}

function writeAmount(amountCents: number | undefined): string {
  if (amountCents === undefined) return ""
  if (!Number.isInteger(amountCents) || amountCents < 1 || amountCents > maxAmountCents) {
    throw new BrCodeError("O valor deve ir de R$ 0,01 a R$ 9.999.999.999,99, em centavos inteiros")
  }
  return writeDataObject("54", formatAmount(amountCents))
}

function writePostalCode(postalCode: string | undefined): string {
  if (postalCode === undefined) return ""
  if (!/^\d{5}-?\d{3}$/.test(postalCode)) throw new BrCodeError("O CEP deve ter 8 números")
  return writeDataObject("61", postalCode.replace("-", ""))
}

function isWritable(text: string): boolean {
  return /^[!-~]{1,77}$/.test(text)
}

const undecomposed: Record<string, string> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ı: "i",
}
const undecomposedLetter = new RegExp(`[${Object.keys(undecomposed).join("")}]`, "g")

const foldedText = /^[A-Za-z0-9.,-]+(?: [A-Za-z0-9.,-]+)*$/

/**
 * Folds to plain ASCII, because the Central Bank's validator refuses accents and signs such as & and @. Cut after
 * folding: ß becomes two characters.
 */
export function foldText(text: string, maxLength: number): string {
  if (text.length <= maxLength && foldedText.test(text)) return text
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(undecomposedLetter, (letter) => undecomposed[letter] ?? "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[^A-Za-z0-9.,-]+/g, " ")
    .trim()
    .slice(0, maxLength)
    .trimEnd()
}
