import { checkStatement } from "@tilinta/contract/proofs/check-statement"
import { readVerifierKeys } from "@tilinta/contract/proofs/checkpoint"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { feeRevenue, pspClearing, sellerAvailable, sellerHeld, suspense } from "#ledger/accounts"
import { type LedgerTransaction, postTransactions } from "#ledger/post-transactions"
import { enterAllMovements } from "../../../test-support/enter-all-movements.ts"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { textOfPdf } from "../../../test-support/read-pdf.ts"
import { downloadXlsx } from "../../../test-support/read-xlsx.ts"
import { sealAll } from "../../../test-support/seal-all.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")
const sellerId: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
// Two months and their turn in São Paulo: 23:59 and 00:00.
await sell("2026-10-20T12:00:00-03:00", 10_000, 1_500)
await sell("2026-10-31T23:59:59-03:00", 1, 0)
await sell("2026-11-01T00:00:00-03:00", 2_000, 300)
await book("withdrawal", "2026-11-02T10:00:00-03:00", [sellerAvailable(sellerId), sellerHeld(sellerId), 5_000])
await book("withdrawal-returned", "2026-11-03T10:00:00-03:00", [sellerHeld(sellerId), sellerAvailable(sellerId), 5_000])

afterAll(() => site.close())

type Movement = [debit: LedgerTransaction["postings"][number]["debit"], credit: typeof feeRevenue, cents: number]

async function book(kind: LedgerTransaction["kind"], at: string, ...movements: Movement[]): Promise<void> {
  const postings = movements.map(([debit, credit, cents]) => ({ debit, credit, amountCents: cents as Cents }))
  const transaction = { kind, reference: newId(), sellerId, occurredAt: new Date(at), postings }
  const post = (tx: Tx) => postTransactions(tx, [transaction])
  await site.db.transaction().execute(post)
}

async function sell(at: string, grossCents: number, feeCents: number): Promise<void> {
  const available = sellerAvailable(sellerId)
  await book("payout-returned", at, [pspClearing("simulator"), suspense("simulator"), grossCents])
  const fee: Movement[] = feeCents === 0 ? [] : [[available, feeRevenue, feeCents]]
  await book("payment-accepted", at, [suspense("simulator"), available, grossCents], ...fee)
}

const url = "/api/v1/users/me/statement"
const read = async (query: string) => (await site.call("GET", `${url}?${query}`, { token })).json.data
const download = (query: string) =>
  site.app.inject({ url: `${url}/export?${query}`, headers: { authorization: `Bearer ${token}` } })

interface Row {
  kind: string
  amount: number
  balance: number
}

const shown = (rows: Row[]) => rows.map(({ kind, amount, balance }) => `${kind} ${amount} → ${balance}`)

test("months are São Paulo's, and go on where the one before ended", async () => {
  const october = await read("month=2026-10")
  expect(october).toMatchObject({ month: "2026-10", opening: 0, closing: 85.01, next: null })
  expect(shown(october.rows)).toEqual(["sale 100 → 100", "fee -15 → 85", "sale 0.01 → 85.01"])
  const november = await read("")
  expect(november).toMatchObject({ month: "2026-11", opening: 85.01, closing: 102.01, closed: false })
  expect(shown(november.rows)).toEqual([
    "sale 20 → 105.01",
    "fee -3 → 102.01",
    "withdrawal -50 → 52.01",
    "withdrawal_returned 50 → 102.01",
  ])
  const { data } = (await site.call("GET", "/api/v1/users/myBalance", { token })).json
  expect(data.balance).toBe(november.closing)
  expect(await read("month=2027-01")).toMatchObject({ opening: 102.01, closing: 102.01, rows: [] })
})

test("pages follow one another by a cursor, from which no figure can be forged", async () => {
  await enterAllMovements(site.db)
  const first = await read("month=2026-11&limit=2")
  expect(shown(first.rows)).toEqual(["sale 20 → 105.01", "fee -3 → 102.01"])
  const second = await read(`month=2026-11&limit=2&after=${first.next}`)
  expect(shown(second.rows)).toEqual(["withdrawal -50 → 52.01", "withdrawal_returned 50 → 102.01"])
  expect(second).toMatchObject({ opening: 85.01, closing: 102.01, next: null })
  const forged = await read("month=2026-11&after=0.0")
  expect(shown(forged.rows)).toEqual(shown((await read("month=2026-11")).rows))
  for (const after of ["x", "1", "1.2.3", "99999999999999999.1"]) {
    expect((await site.call("GET", `${url}?after=${after}`, { token })).status).toBe(400)
  }
  for (const month of ["2026-13", "2026", "1999-12"]) {
    expect((await site.call("GET", `${url}?month=${month}`, { token })).status).toBe(400)
  }
})

test("newest first, pages follow one another, too, and each line has the balance after it", async () => {
  await enterAllMovements(site.db)
  const whole = await read("month=2026-11&order=desc")
  const { rows, ...figures } = await read("month=2026-11")
  expect(whole).toEqual({ ...figures, rows: rows.toReversed() })
  const paged: Row[] = []
  let next: string | null = ""
  while (next !== null) {
    const page = await read(`month=2026-11&order=desc&limit=1${next === "" ? "" : `&after=${next}`}`)
    expect(page).toMatchObject({ opening: 85.01, closing: 102.01 })
    paged.push(...page.rows)
    next = page.next
  }
  expect(paged).toEqual(whole.rows)
  expect((await site.call("GET", `${url}?order=newest`, { token })).status).toBe(400)
})

test("CSV, OFX and the screen tell the same lines", async () => {
  const csv = await download("month=2026-11")
  expect(csv.body).not.toContain("Prova")
  expect(csv.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="extrato_2026-11.csv"',
  })
  const rows = parseCsv(csv.body)
  expect(rows.map((row) => [row["Data"], row["Lançamento"], row["Valor (R$)"], row["Saldo (R$)"]])).toEqual([
    ["01/11/2026 00:00", "Venda", "20,00", "105,01"],
    ["01/11/2026 00:00", "Taxa da venda", "-3,00", "102,01"],
    ["02/11/2026 10:00", "Saque", "-50,00", "52,01"],
    ["03/11/2026 10:00", "Saque devolvido", "50,00", "102,01"],
  ])

  const ofx = await download("month=2026-11&format=ofx")
  expect(ofx.headers).toMatchObject({ "content-disposition": 'attachment; filename="extrato_2026-11.ofx"' })
  const tags = (name: string) => [...ofx.body.matchAll(new RegExp(`<${name}>([^<]*)`, "g"))].map(([, value]) => value)
  expect(tags("TRNAMT")).toEqual(["20.00", "-3.00", "-50.00", "50.00"])
  expect(tags("BALAMT")).toEqual(["102.01"])
  expect(tags("DTPOSTED")[0]).toBe("20261101000000[-3:BRT]")
  expect(new Set(tags("FITID")).size).toBe(4)
})

test("the workbook has the lines of the CSV, with days, amounts and text", async () => {
  const { name, rows } = await downloadXlsx(site.app, `${url}/export?month=2026-11&format=xlsx`, token)
  expect(name).toBe('attachment; filename="extrato_2026-11.xlsx"')
  expect(rows.map((row) => [row["Data"], row["Lançamento"], row["Valor (R$)"], row["Saldo (R$)"]])).toEqual([
    ["2026-11-01 00:00:00", "Venda", 20, 105.01],
    ["2026-11-01 00:00:00", "Taxa da venda", -3, 102.01],
    ["2026-11-02 10:00:00", "Saque", -50, 52.01],
    ["2026-11-03 10:00:00", "Saque devolvido", 50, 102.01],
  ])
  const csv = parseCsv((await download("month=2026-11")).body)
  expect(rows.map((row) => row["Referência"])).toEqual(csv.map((row) => row["Referência"]))
})

test("each line of the CSV with proofs is proved against the checkpoint, and nothing that was changed", async () => {
  await sealAll(site.db)
  const proved = await download("month=2026-11&format=csv-proofs")
  expect(proved.headers["content-disposition"]).toBe('attachment; filename="extrato_2026-11_com_provas.csv"')
  const csv = proved.body
  const published = async (name: string) => (await site.call("GET", `/.well-known/tilinta/${name}`)).text
  const note = await published("checkpoint")
  const keys = await readVerifierKeys(await published("checkpoint.pub"))
  const check = (file: string, at = note, given = keys) =>
    checkStatement({ csv: file, note: at, keys: given, consistency: null })
  expect(await check(csv)).toMatchObject({ lines: 4, problems: [], isLinked: true })
  const plain = (await download("month=2026-11")).body
  expect(csv.split("\r\n").map((line) => line.replace(/;[^;]*$/, ""))).toEqual(plain.split("\r\n"))
  expect(await check(plain)).toMatchObject({ hasProofs: false, problems: [expect.stringContaining("CSV com provas")] })
  const titled = csv.replaceAll(/;;(?=[^;]*\r\n)/g, ';"Curso; ""vip""\n";')
  expect(titled).not.toBe(csv)
  expect(await check(titled)).toMatchObject({ lines: 4, problems: [], isLinked: true })
  expect((await check(csv.replace(";20,00;", ';20,00"";'))).problems).toEqual([
    "o arquivo não é um extrato em CSV com provas",
  ])

  const [head = "", ...lines] = csv.split("\r\n").filter((line) => line !== "")
  const file = (...kept: string[]) => `${[head, ...kept].join("\r\n")}\r\n`
  const [first = "", second = "", ...others] = lines
  const plus20 = (line: string) =>
    line.replace(
      /;(\d+),(\d\d);([^;]*;[^;]*)$/,
      (_all, reais: string, cents: string, proof: string) => `;${Number(reais) + 20},${cents};${proof}`,
    )
  const changed = [
    csv.replace(";20,00;", ";21,00;"),
    csv.replace("01/11/2026 00:00", "31/10/2026 23:59"),
    csv.replace(";102,01;", ";103,01;"),
    file(first, first, second, ...others),
    // With balances that follow from one another again.
    file(first, first.replace(";105,01;", ";125,01;"), second.replace(";102,01;", ";122,01;"), ...others.map(plus20)),
    file(second, ...others),
    file(first, ...others),
    file(first.replace(/;[^;]*$/, ";"), second, ...others),
    file(first.replace(/;([^;]*);([^;]*);([^;]*);([^;]*)$/, ";E1;$2;$3;$4"), second, ...others),
    csv.replace(/;[^;]*\r\n/, ";e30=\r\n"),
  ]
  for (const wrong of changed) expect((await check(wrong)).problems).not.toEqual([])
  const otherSize = note.replace(/\n(\d+)\n/, (_all, size: string) => `\n${Number(size) + 1}\n`)
  expect((await check(csv, otherSize)).problems).not.toEqual([])
  expect((await check(csv, note, [])).problems).not.toEqual([])

  // A later checkpoint is linked by the proof that its tree begins with the file's.
  await download("month=2026-10&format=csv-proofs")
  await sealAll(site.db)
  await download("month=2026-10&format=csv-proofs")
  const later = await published("checkpoint")
  const [from, to] = [note, later].map((text) => Number(text.split("\n")[1]))
  const consistency = (await published(`consistency?from=${from}&to=${to}`)).split("\n").filter((line) => line !== "")
  const linked = await checkStatement({ csv, note: later, keys, consistency })
  expect([linked.problems, linked.isLinked]).toEqual([[], true])
  expect(await check(csv, later)).toMatchObject({ problems: [], isLinked: false })
  // A file that was made later has the link to the checkpoint that was mailed.
  const laterCsv = (await download("month=2026-11&format=csv-proofs")).body
  const mailed = (await site.db.selectFrom("chain_checkpoints").select("note").executeTakeFirstOrThrow()).note
  expect(Number(mailed.split("\n")[1])).toBeLessThan(Number(to))
  expect(await check(laterCsv, mailed)).toMatchObject({ problems: [], isLinked: true })
  const twisted = csv.replaceAll(";Saque;", ";Estorno;")
  expect((await check(twisted)).problems).toEqual(["linha 4: não é o que foi selado"])
  const forged = await checkStatement({ csv, note: later, keys, consistency: consistency.slice(1) })
  expect(forged.problems).not.toEqual([])
})

test("a month's PDF names the seller, both balances and each line", async () => {
  const pdf = await download("month=2026-11&format=pdf")
  expect(pdf.headers).toMatchObject({ "content-type": "application/pdf" })
  const text = textOfPdf(pdf.rawPayload)
  for (const chunk of [
    "Extrato de novembro de 2026",
    "Saldo no início do mês",
    "R$ 85,01",
    "-R$ 3,00",
    "Saque devolvido",
    "Este PDF não traz provas",
  ]) {
    expect(text).toContain(chunk)
  }
  expect(text).toContain("Saldo no fim do período")
})

test("nothing is told of another seller", async () => {
  const other = await site.signUp("bia@loja.example")
  const { json } = await site.call("GET", `${url}?month=2026-11`, { token: other })
  expect(json.data).toMatchObject({ opening: 0, closing: 0, rows: [], next: null })
})

test("the year's income is gross, fee and net by month, less what was given back", async () => {
  const seller = await site.signUp("clara@loja.example")
  const id: string = (await site.call("GET", "/api/v1/users/me", { token: seller })).json.data.user._id
  const page = { title: "Mentoria", slug: "mentoria", amount: 10 }
  const { json } = await site.call("POST", "/api/v1/checkout/pages", { token: seller, body: page })
  const pageId: string = json.data.checkoutPage._id
  await insertCharge(site.db, { sellerId: id, pageId, at: "2026-03-01T02:59:00Z", status: "paid", amountCents: 10_000 })
  await insertCharge(site.db, { sellerId: id, pageId, at: "2026-03-05T12:00:00Z", status: "paid", amountCents: 5_000 })
  const income = (await site.call("GET", "/api/v1/users/me/income?year=2026", { token: seller })).json.data
  expect(income.months).toHaveLength(12)
  expect(income.months[1]).toEqual({ month: "2026-02", count: 1, gross: 100, fee: 15, net: 85 })
  expect(income.months[2]).toEqual({ month: "2026-03", count: 1, gross: 50, fee: 7.5, net: 42.5 })
  expect(income.total).toEqual({ count: 2, gross: 150, fee: 22.5, net: 127.5 })

  const headers = { authorization: `Bearer ${seller}` }
  const file = await site.app.inject({ url: "/api/v1/users/me/income/export?year=2026", headers })
  expect(file.headers["content-disposition"]).toBe('attachment; filename="informe_2026.csv"')
  const rows = parseCsv(file.body)
  expect(rows).toHaveLength(12)
  expect(Object.values(rows[2] ?? {})).toEqual(["03/2026", "1", "50,00", "7,50", "42,50"])
  const book = await downloadXlsx(site.app, "/api/v1/users/me/income/export?year=2026&format=xlsx", seller)
  expect(book.name).toBe('attachment; filename="informe_2026.xlsx"')
  expect(Object.values(book.rows[2] ?? {})).toEqual(["03/2026", 1, 50, 7.5, 42.5])
  const audited = await site.db
    .selectFrom("audit_records")
    .select("after")
    .where("action", "=", "income.exported")
    .execute()
  expect(audited).toEqual([{ after: { year: 2026 } }, { after: { year: 2026 } }])
})
