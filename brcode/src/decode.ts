import { type Accounts, type AdditionalData, readAccounts, readAdditionalData } from "./read-accounts.ts"
import { isRefusal, type Refusal, refuse } from "./refusal.ts"
import {
  crc16Digits,
  type DataObject,
  findValue,
  hasScheme,
  hasTwoDecimals,
  parseAmountCents,
  printableAscii,
  readDataObjects,
  type Unit,
} from "./tlv.ts"

type ChargeKind = "static" | "dynamic-cob" | "dynamic-cobv"

type BrCodeKind = ChargeKind | `composite:${ChargeKind}` | "rec-only"

/** Deviations that are tolerated when reading, but should not have been written. */
type BrCodeLint =
  | "url-with-scheme"
  | "no-62-05"
  | "txid-chars"
  | "txid-in-dynamic"
  | "amount-in-dynamic"
  | "amount-not-2dp"
  | "crc-lowercase"
  | "name-chars"
  | "name-length"
  | "city-chars"
  | "city-length"
  | "text-chars"
  | "byte-lengths"

type BrCode = {
  kind: BrCodeKind
  key?: string | undefined
  url?: string | undefined
  urlRec?: string | undefined
  /** As written in the code, which may be ".10"; absent when the payer types it. */
  amount?: string | undefined
  amountCents?: number | undefined
  merchantName: string
  merchantCity: string
  txid?: string | undefined
  infoAdicional?: string | undefined
  postalCode?: string | undefined
  payloadFormatIndicator: string
  pointOfInitiation?: string | undefined
  merchantAccountTag: string
  gui: string
  unreservedTag?: string | undefined
  otherArrangements?: { tag: string; gui: string }[] | undefined
  mcc: string
  currency: string
  country: string
  brcodeVersion?: string | undefined
  crc: string
  lint: BrCodeLint[]
}

type DecodeResult = { valid: true; code: BrCode } | Refusal

type Fields = Omit<BrCode, keyof Accounts | keyof AdditionalData | "kind" | "crc" | "lint">

const longestCode = 512

/** Each character is seen: nothing that controls, joins, turns or hides others. */
const readableText = /^[ -~\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u

/** Never throws: text that isn't a valid Pix code is refused with a message for people. */
export function decodeBrCode(text: string): DecodeResult {
  if (text.length === 0) return refuse("EMPTY")
  if (text.length > longestCode) return refuse("TOO_LONG")
  const result = readCode(text, "characters")
  if (result.valid || printableAscii.test(text)) return result
  const inCodePoints = readCode(text, "code points")
  if (inCodePoints.valid) return inCodePoints
  const inBytes = readCode(text, "bytes")
  return inBytes.valid ? inBytes : result
}

function readCode(text: string, unit: Unit): DecodeResult {
  const objects = readDataObjects(text, 0, text.length, unit)
  if (isRefusal(objects)) return objects
  const badFrame = refuseFrame(text, objects)
  if (badFrame !== undefined) return badFrame

  const accounts = readAccounts(text, objects, unit)
  if (isRefusal(accounts)) return accounts
  if (!printableAscii.test(text) && !isStrangeOnlyInTexts(text, accounts)) return refuse("BAD_CHARACTER")
  const fields = readFields(text, objects, accounts.key !== undefined)
  if (isRefusal(fields)) return fields
  const additional = readAdditionalData(text, objects, unit)
  if (isRefusal(additional)) return additional
  if (accounts.key !== undefined && isLongTxid(additional.txid)) return refuse("BAD_TXID")

  const code = toBrCode(accounts, fields, additional, text.slice(-4))
  if (!printableAscii.test(text)) code.lint.push(...lintOfTexts(text, objects, unit))
  return { valid: true, code }
}

/**
 * Beyond ASCII there may be only text that people read. The key and the address pay, and so do amount, currency and the
 * like, whose forms are checked anyway.
 */
function isStrangeOnlyInTexts(text: string, { key = "", url = "", urlRec = "" }: Accounts): boolean {
  return readableText.test(text) && printableAscii.test(key + url + urlRec)
}

function refuseFrame(text: string, objects: DataObject[]): Refusal | undefined {
  const last = objects.at(-1)
  if (last?.tag !== 63 || last.end - last.start !== 4) return refuse("CRC_NOT_LAST")
  if (!text.startsWith("000201")) return refuse("BAD_FORMAT")
  // Lower-case CRCs exist in the field, so one is accepted when wholly lower-case; a mixed one was altered. Therefore
  // the case of a CRC's only letter is the one change of a character that leaves a code valid.
  const expected = crc16Digits(text.slice(0, last.start))
  const written = text.slice(last.start)
  if (written !== expected && written !== expected.toLowerCase()) return refuse("CRC_MISMATCH")
  return undefined
}

function readFields(text: string, objects: DataObject[], isStatic: boolean): Fields | Refusal {
  const pointOfInitiation = findValue(text, objects, 1)
  if (pointOfInitiation !== undefined && pointOfInitiation !== "11" && pointOfInitiation !== "12") {
    return refuse("BAD_INITIATION")
  }
  const mcc = findValue(text, objects, 52)
  if (mcc === undefined || !/^\d{4}$/.test(mcc)) return refuse("BAD_MCC")
  const currency = findValue(text, objects, 53)
  if (currency !== "986") return refuse("BAD_CURRENCY")
  const amount = findValue(text, objects, 54)
  const amountCents = amount === undefined ? undefined : parseAmountCents(amount)
  if (amount !== undefined && amountCents === undefined) return refuse("BAD_AMOUNT")
  // Some PSPs write 0.00 in a dynamic code, whose amount is ignored; in a static one it would ask for nothing.
  if (isStatic && amountCents === 0) return refuse("BAD_AMOUNT")
  const country = findValue(text, objects, 58)
  if (country !== "BR") return refuse("BAD_COUNTRY")
  const merchantName = findValue(text, objects, 59)
  if (merchantName === undefined || merchantName.trim() === "") return refuse("MISSING_MERCHANTNAME")
  const merchantCity = findValue(text, objects, 60)
  if (merchantCity === undefined || merchantCity.trim() === "") return refuse("MISSING_MERCHANTCITY")
  return {
    payloadFormatIndicator: "01",
    pointOfInitiation,
    mcc,
    currency,
    amount,
    amountCents,
    country,
    merchantName,
    merchantCity,
    postalCode: findValue(text, objects, 61),
  }
}

/** Spelled out, because spreading three objects takes longer than all the rest of decoding. */
function toBrCode(accounts: Accounts, fields: Fields, additional: AdditionalData, crc: string): BrCode {
  return {
    kind: kindOf(accounts),
    key: accounts.key,
    url: accounts.url,
    urlRec: accounts.urlRec,
    amount: fields.amount,
    amountCents: fields.amountCents,
    merchantName: fields.merchantName,
    merchantCity: fields.merchantCity,
    txid: additional.txid,
    infoAdicional: accounts.infoAdicional,
    postalCode: fields.postalCode,
    payloadFormatIndicator: fields.payloadFormatIndicator,
    pointOfInitiation: fields.pointOfInitiation,
    merchantAccountTag: accounts.merchantAccountTag,
    gui: accounts.gui,
    unreservedTag: accounts.unreservedTag,
    otherArrangements: accounts.otherArrangements,
    mcc: fields.mcc,
    currency: fields.currency,
    country: fields.country,
    brcodeVersion: additional.brcodeVersion,
    crc,
    lint: [...lintOf(accounts, fields.amount, additional.txid, crc), ...lintOfNames(fields)],
  }
}

/** Field 01 is not reliable: PSPs write 11, 12 or nothing in dynamic codes. */
function kindOf({ key, url, urlRec }: Accounts): BrCodeKind {
  if (key === undefined && url === undefined) return "rec-only"
  const charge = url === undefined ? "static" : url.includes("/cobv/") ? "dynamic-cobv" : "dynamic-cob"
  return urlRec === undefined ? charge : `composite:${charge}`
}

function lintOf(
  { key, url, urlRec }: Accounts,
  amount: string | undefined,
  txid: string | undefined,
  crc: string,
): BrCodeLint[] {
  const lint: BrCodeLint[] = []
  const isDynamic = key === undefined
  if (hasScheme(url) || hasScheme(urlRec)) lint.push("url-with-scheme")
  if (txid === undefined) lint.push("no-62-05")
  else if (txid !== "***") {
    if (!/^[A-Za-z0-9]+$/.test(txid)) lint.push("txid-chars")
    if (isDynamic) lint.push("txid-in-dynamic")
  }
  if (amount !== undefined) {
    if (isDynamic) lint.push("amount-in-dynamic")
    if (!hasTwoDecimals(amount)) lint.push("amount-not-2dp")
  }
  if (crc !== crc.toUpperCase()) lint.push("crc-lowercase")
  return lint
}

function lintOfNames({ merchantName, merchantCity }: Fields): BrCodeLint[] {
  const lint: BrCodeLint[] = []
  if (!printableAscii.test(merchantName)) lint.push("name-chars")
  if (merchantName.length > 25) lint.push("name-length")
  if (!printableAscii.test(merchantCity)) lint.push("city-chars")
  if (merchantCity.length > 15) lint.push("city-length")
  return lint
}

function lintOfTexts(text: string, objects: DataObject[], unit: Unit): BrCodeLint[] {
  const isStrange = objects.some(
    ({ tag, start, end }) => tag !== 59 && tag !== 60 && !printableAscii.test(text.slice(start, end)),
  )
  return [...(isStrange ? (["text-chars"] as const) : []), ...(unit === "bytes" ? (["byte-lengths"] as const) : [])]
}

function isLongTxid(txid: string | undefined): boolean {
  return txid !== undefined && txid.length > 25
}
