import type { Cents } from "@tilinta/contract/vocabulary/money"
import { inLatinLetters, type MonthFacts, type TitledLine, titleOf } from "./statement.ts"

/** OFX 1.0.2 in Windows' Latin letters, which Brazilian accounting programs read; UTF-8 and the newer syntax are known to fewer. */
export async function* ofxOf(facts: MonthFacts, lines: AsyncIterable<TitledLine[]>): AsyncGenerator<Buffer> {
  for await (const text of textOf(facts, lines)) yield Buffer.from(text, "latin1")
}

async function* textOf(facts: MonthFacts, lines: AsyncIterable<TitledLine[]>): AsyncGenerator<string> {
  yield `${heading}<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>${momentText(facts.now)}</DTSERVER><LANGUAGE>POR</LANGUAGE></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>
<STMTRS><CURDEF>BRL</CURDEF>
<BANKACCTFROM><BANKID>000</BANKID><ACCTID>${accountOf(facts.sellerId)}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>
<BANKTRANLIST><DTSTART>${momentText(facts.from)}</DTSTART><DTEND>${momentText(facts.until)}</DTEND>
`
  let balanceCents = facts.openingCents
  for await (const some of lines) {
    yield some.map(transactionOf).join("")
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

function transactionOf(line: TitledLine): string {
  const type = line.kind === "fee" ? "FEE" : line.amountCents < 0 ? "DEBIT" : "CREDIT"
  return `<STMTTRN><TRNTYPE>${type}</TRNTYPE><DTPOSTED>${momentText(line.at)}</DTPOSTED><TRNAMT>${amountText(line.amountCents)}</TRNAMT><FITID>${escaped(line.name)}</FITID><NAME>${escaped(line.description.slice(0, 32))}</NAME><MEMO>${escaped(memoOf(line))}</MEMO></STMTTRN>
`
}

/** At most 255 characters, and the reference whole. */
function memoOf(line: TitledLine): string {
  const title = inLatinLetters(titleOf(line)).slice(0, 120)
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

const clockOfSaoPaulo = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
})

/** In São Paulo's time, so that a program that reads only the day finds the right one. */
function momentText(moment: Date): string {
  const text = clockOfSaoPaulo.format(moment)
  const hours = (Date.parse(`${text.replace(" ", "T")}Z`) - Math.floor(moment.getTime() / 1000) * 1000) / 3_600_000
  return `${text.replaceAll(/\D/g, "")}[${hours}:BRT]`
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
