import type { Cents } from "@tilinta/contract/vocabulary/money"
import { windowsBytes, windowsLetters } from "#kit/letters"
import { wallClock } from "#kit/spreadsheet"
import { type MonthFacts, type TitledLine, titleOf } from "./statement.ts"

/** OFX 1.0.2 in the letters of Windows-1252, which Brazilian accounting programs read; UTF-8 and the newer syntax are known to fewer. */
export async function* ofxOf(facts: MonthFacts, lines: AsyncIterable<TitledLine[]>): AsyncGenerator<Buffer> {
  const toWindows = await windowsLetters()
  for await (const text of textOf(facts, lines, toWindows)) yield windowsBytes(text)
}

type ToWindows = Awaited<ReturnType<typeof windowsLetters>>

async function* textOf(
  facts: MonthFacts,
  lines: AsyncIterable<TitledLine[]>,
  toWindows: ToWindows,
): AsyncGenerator<string> {
  yield `${heading}<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>${momentText(facts.now)}</DTSERVER><LANGUAGE>POR</LANGUAGE></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>
<STMTRS><CURDEF>BRL</CURDEF>
<BANKACCTFROM><BANKID>000</BANKID><ACCTID>${accountOf(facts.sellerId)}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>
<BANKTRANLIST><DTSTART>${momentText(facts.from)}</DTSTART><DTEND>${momentText(facts.until)}</DTEND>
`
  let balanceCents = facts.openingCents
  for await (const some of lines) {
    yield some.map((line) => transactionOf(line, toWindows)).join("")
    balanceCents = some.at(-1)?.balanceCents ?? balanceCents
  }
  yield `</BANKTRANLIST>
<LEDGERBAL><BALAMT>${amountText(balanceCents)}</BALAMT><DTASOF>${momentText(facts.until)}</DTASOF></LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
`
}

const heading = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

`

function transactionOf(line: TitledLine, toWindows: ToWindows): string {
  const type = line.kind === "fee" ? "FEE" : line.amountCents < 0 ? "DEBIT" : "CREDIT"
  return `<STMTTRN><TRNTYPE>${type}</TRNTYPE><DTPOSTED>${momentText(line.at)}</DTPOSTED><TRNAMT>${amountText(line.amountCents)}</TRNAMT><FITID>${escaped(line.name)}</FITID><NAME>${escaped(line.description.slice(0, 32))}</NAME><MEMO>${escaped(memoOf(line, toWindows))}</MEMO></STMTTRN>
`
}

/** At most 255 characters, and the reference whole. */
function memoOf(line: TitledLine, toWindows: ToWindows): string {
  const title = toWindows(titleOf(line)).slice(0, 120)
  return title === "" ? line.reference : `${title} · ${line.reference}`
}

/** At most 22 characters: the end of the id, where it is random. */
function accountOf(sellerId: string): string {
  return sellerId.replaceAll("-", "").slice(-22)
}

function amountText(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** In São Paulo's time, so that a program that reads only the day finds the right one. */
function momentText(moment: Date): string {
  const text = wallClock(moment)
  const hours = (Date.parse(`${text}Z`) - Math.floor(moment.getTime() / 1000) * 1000) / 3_600_000
  return `${text.replaceAll(/\D/g, "")}[${hours}:BRT]`
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
