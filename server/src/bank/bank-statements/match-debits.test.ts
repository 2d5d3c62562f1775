import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import type { Day } from "#kit/clock"
import { newId } from "#kit/ids"
import { txidOf } from "#money/hand-payouts/rules"
import { parseStatement } from "./parse.ts"
import { type Debit, matchDebits, nobodysDebits, type Payable } from "./rules.ts"

const sgml = (transactions: string, header = "CHARSET:1252") =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n${header}\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKACCTFROM><BANKID>001\n<ACCTID>123456\n</BANKACCTFROM><BANKTRANLIST>${transactions}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

/** The same two entries as six banks write them. */
const dialects: Record<string, Buffer> = {
  "OFX 1 without end tags, Windows-1252": Buffer.from(
    sgml(`<STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>20261121120000[-3:BRT]\n<TRNAMT>-1234.56\n<FITID>1\n<MEMO>Pix enviado Jo\u00e3o\n</STMTTRN>
<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>20261122\n<TRNAMT>10.00\n<FITID>2\n<MEMO>Pix recebido\n</STMTTRN>`),
    "latin1",
  ),
  "OFX 1 with comma amounts and one line": Buffer.from(
    sgml(
      `<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>20261121</DTPOSTED><TRNAMT>-1.234,56</TRNAMT><FITID></FITID><NAME>Pix enviado João</NAME></STMTTRN><STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>20261122</DTPOSTED><TRNAMT>10,00</TRNAMT><NAME>Pix recebido</NAME></STMTTRN>`,
      "CHARSET:UTF-8",
    ),
  ),
  "OFX 2": Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><STMTTRN><DTPOSTED>20261121000000.000[-3:GMT]</DTPOSTED><TRNAMT>-1234.56</TRNAMT><FITID>a1</FITID><MEMO>Pix enviado Jo&#227;o</MEMO></STMTTRN><STMTTRN><DTPOSTED>20261122</DTPOSTED><TRNAMT>10</TRNAMT><MEMO>Pix recebido</MEMO></STMTTRN></OFX>`,
  ),
  "CSV with sign": Buffer.from(
    "\uFEFFData;Histórico;Valor\r\n21/11/2026;Pix enviado João;-1.234,56\r\n22/11/2026;Pix recebido;10,00\r\n;Saldo;99,00\r\n",
  ),
  "CSV with a preamble and two columns of amounts": Buffer.from(
    "Extrato;Agência 1\n\nData Lançamento;Descrição;Débito;Crédito;Saldo\n21/11/2026;Pix enviado João;1.234,56;;1,00\n22/11/2026;Pix recebido;;10,00;11,00\n",
  ),
  "CSV with commas and a column of D and C": Buffer.from(
    'date,Data,Descrição,Valor,Tipo\nx,2026-11-21,"Pix enviado João",1234.56,D\nx,2026-11-22,Pix recebido,10.00,C\n',
  ),
}

test.each(Object.entries(dialects))("%s is read", (_, file) => {
  const entries = parseStatement(file)
  expect(entries.map(({ day, isDebit, amountCents }) => [day, isDebit, amountCents])).toEqual([
    ["2026-11-21", true, 123_456],
    ["2026-11-22", false, 1_000],
  ])
  expect(entries[0]?.text).toContain("Pix enviado João")
  expect(parseStatement(file)).toEqual(entries)
})

test("equal entries are told apart, and no statement is refused in words", () => {
  const line = "21/11/2026;Pix enviado;-10,00\n"
  const keys = parseStatement(Buffer.from(`Data;Histórico;Valor\n${line}${line}`)).map(({ key }) => key)
  expect(new Set(keys).size).toBe(2)
  for (const text of ["", "nome;idade\nAna;3", "%PDF-1.7 …"]) {
    expect(() => parseStatement(Buffer.from(text))).toThrow(expect.objectContaining({ code: "validation_failed" }))
  }
})

const day = "2026-11-21"

function payable(sellerName: string, reais: number, over: Partial<Payable> = {}): Payable {
  const amountCents = Math.round(reais * 100) as Cents
  const known = {
    id: newId(),
    amountCents,
    sellerName,
    pixKey: null,
    day,
    isPaid: false,
    isGivenBack: false,
    bankIds: [],
  }
  return { ...known, since: over.day ?? day, ...over }
}

function debit(text: string, reais: number, over: Partial<Debit> = {}): Debit {
  return { id: newId(), day, amountCents: Math.round(reais * 100) as Cents, text, withdrawalId: null, ...over }
}

const matchOf = (debits: Debit[], payables: Payable[]) =>
  matchDebits(debits, payables).map(({ match, withdrawalId }) => [match, withdrawalId])

test("our identifier is sure, whatever the name; with another amount, or twice, it is doubtful", () => {
  const ana = payable("Ana Souza", 10)
  const named = `PIX ENVIADO ${txidOf(ana.id).toLowerCase()}`
  expect(matchOf([debit(named, 10)], [ana])).toEqual([["sure", ana.id]])
  expect(matchOf([debit(named, 11)], [ana])).toEqual([["doubtful", null]])
  expect(matchOf([debit(named, 10), debit(named, 10)], [ana]).map(([match]) => match)).toEqual(["doubtful", "doubtful"])
})

test("amount, day and name that leave one candidate on both sides are likely", () => {
  const ana = payable("Ana Souza Lima", 10)
  expect(matchOf([debit("PIX ENVIADO ANA SOUZA LI", 10)], [ana])).toEqual([["likely", ana.id]])
  expect(matchOf([debit("Pix enviado Ana Souza", 10, { day: "2026-11-24" })], [ana])).toEqual([["doubtful", null]])
  expect(matchOf([debit("Pix enviado", 10)], [ana])).toEqual([["doubtful", null]])
  expect(matchOf([debit("Conta de luz", 99)], [ana])).toEqual([["none", null]])
  const twin = payable("Ana Souza", 10)
  expect(matchOf([debit("Pix Ana Souza Lima", 10)], [ana, twin])).toEqual([["doubtful", null]])
  expect(matchOf([debit("Pix Ana Souza Lima", 10), debit("Pix Ana Souza Lima", 10)], [ana])).toEqual([
    ["doubtful", null],
    ["doubtful", null],
  ])
})

test("what is paid already is known, and never lends its debit to another", () => {
  const paid = payable("Ana Souza", 10, { isPaid: true })
  const open = payable("Ana Souza", 10)
  expect(matchOf([debit("Pix Ana Souza", 10)], [paid])).toEqual([["known", paid.id]])
  expect(matchOf([debit("Pix Ana Souza", 10)], [paid, open])).toEqual([["doubtful", null]])
  const e2e = "E00038166202611211400abcdEFGH123"
  const named = payable("Ana Souza", 10, { isPaid: true, bankIds: [e2e] })
  expect(matchOf([debit(`Pix ${e2e}`, 10), debit("Pix Ana Souza", 10)], [named, open])).toEqual([
    ["known", named.id],
    ["likely", open.id],
  ])
})

test.each(["remessa 1/1", "TED 42", "E00038166202611211400abcdEFGH123"])(
  "what was paid as %s, which the statement leaves out, lends its debit to no other either",
  (bankId) => {
    const paid = payable("Ana Souza", 10, { isPaid: true, bankIds: [bankId] })
    const open = payable("Ana Souza", 10)
    expect(matchOf([debit("Pix Ana Souza", 10)], [paid])).toEqual([["known", paid.id]])
    expect(matchOf([debit("Pix Ana Souza", 10)], [paid, open])).toEqual([["doubtful", null]])
  },
)

test("the bank's words of a payment are found as whole words alone, our identifier anywhere", () => {
  const paid = payable("Ana Souza", 10, { isPaid: true, bankIds: ["TED 42"] })
  const open = payable("Bruno Dias", 10)
  expect(matchOf([debit("9 ted 421 · Ted 42/1", 10)], [paid, open])).toEqual([["known", paid.id]])
  expect(matchOf([debit("TED 421", 10)], [paid, open])).toEqual([["doubtful", null]])
  expect(matchOf([debit(`TED0${txidOf(open.id)}9`, 10)], [paid, open])).toEqual([["sure", open.id]])
})

test("what was marked as paid days later lends its debit to no other, whichever day the bank paid it", () => {
  const late = payable("Ana Souza", 10, { isPaid: true, since: "2026-11-20", day: "2026-11-24" })
  const open = payable("Ana Souza", 10)
  expect(matchOf([debit("Pix Ana Souza", 10)], [late])).toEqual([["known", late.id]])
  expect(matchOf([debit("Pix Ana Souza", 10)], [late, open])).toEqual([["doubtful", null]])
  expect(matchOf([debit("Pix enviado", 10), debit("Pix Ana Souza", 10)], [late])).toEqual([
    ["none", null],
    ["doubtful", null],
  ])
})

test("what was given back as unpaid explains no debit, and lends it to no other", () => {
  const back = payable("Ana Souza", 10, { isPaid: true, isGivenBack: true })
  const open = payable("Ana Souza", 10)
  for (const text of ["Pix Ana Souza", `Pix Ana Souza ${txidOf(back.id)}`]) {
    expect(matchOf([debit(text, 10)], [back])).toEqual([["none", null]])
    expect(matchOf([debit(text, 10)], [back, open])).toEqual([["doubtful", null]])
    const paying = debit(text, 10)
    expect(nobodysDebits([paying], [back], [])).toEqual([paying])
  }
})

test("what is still to be paid is likely around the day on which somebody began alone", () => {
  const open = payable("Ana Souza", 10, { since: "2026-11-18" })
  const on = (at: Day) => matchOf([debit("Pix Ana Souza", 10, { day: at })], [open])
  expect(on("2026-11-20")).toEqual([["likely", open.id]])
  expect(on("2026-11-18")).toEqual([["doubtful", null]])
  const twin = payable("Ana Souza", 10, { since: "2026-11-18", day: "2026-11-18" })
  expect(matchOf([debit("Pix Ana Souza", 10, { day: "2026-11-18" })], [open, twin])).toEqual([["doubtful", null]])
})

test("a debit like one that another file told is not likely: it may be the same", () => {
  const paid = payable("Ana Souza", 10, { isPaid: true })
  const open = payable("Ana Souza", 10)
  const ofx = debit("PIX ANA SOUZA 4711", 10, { withdrawalId: paid.id })
  const csv = debit("Pix Ana Souza", 10)
  const matchIn = (file: Debit[]) =>
    matchDebits([ofx, csv], [paid, open], new Set(file.map(({ id }) => id))).find(({ debit: { id } }) => id === csv.id)
  expect(matchIn([csv])).toMatchObject({ match: "doubtful", withdrawalId: null, candidateIds: [open.id] })
  expect(matchIn([ofx, csv])).toMatchObject({ match: "likely", withdrawalId: open.id })
})

test("of 500 debits none is matched with a withdrawal that it did not pay", () => {
  const names = ["Ana Souza", "Ana Souza Lima", "Bruno Dias", "Carla Prado", "Davi Reis", "Ana Lima", "João da Silva"]
  const truth = new Map<string, string>()
  const payables: Payable[] = []
  const debits: Debit[] = []
  for (let at = 0; at < 500; at += 1) {
    const name = names[at % names.length] ?? ""
    // Few amounts, so that many are alike.
    const one = payable(name, 10 + (at % 61), { day: `2026-11-${10 + (at % 15)}` })
    const words = at % 3 === 0 ? txidOf(one.id) : at % 3 === 1 ? name.toUpperCase() : "PIX ENVIADO"
    const paying = debit(`PIX ${words}`, one.amountCents / 100, { day: one.day })
    if (at % 5 !== 0) payables.push(one)
    truth.set(paying.id, one.id)
    debits.push(paying)
  }
  const matched = matchDebits(debits, payables)
  const wrong = matched.filter(
    ({ debit: { id }, withdrawalId }) => withdrawalId !== null && truth.get(id) !== withdrawalId,
  )
  const found = matched.filter(({ match }) => match === "sure" || match === "likely")
  expect(wrong).toEqual([])
  expect(found.length).toBeGreaterThan(100)
  expect(new Set(found.map(({ withdrawalId }) => withdrawalId)).size).toBe(found.length)
})
