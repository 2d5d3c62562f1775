import { buffer } from "node:stream/consumers"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { textOfPdf } from "../../../test-support/read-pdf.ts"
import { csvOf } from "./export.ts"
import { ofxOf } from "./ofx-file.ts"
import { pdfOf } from "./pdf-file.ts"
import { linesOf, type Movement } from "./rules.ts"
import type { TitledLine } from "./statement.ts"

const sale: Movement = {
  ...{ at: new Date("2026-10-10T12:00:00Z"), position: "1.1", kind: "payment", reference: "E1", chargeId: "c" },
  ...{ amountCents: 10_000 as Cents, feeCents: 1_500 as Cents, balanceCents: 8_500 as Cents },
}
// The second letter's code ends with that of "<", which Latin-1 would write.
const pageTitle = '=Curso; "vip" \u013c/STMTTRN> <b> 🎉'

async function* titledLines(title = pageTitle): AsyncGenerator<TitledLine[]> {
  yield linesOf(sale).map((line) => ({ ...line, pageTitle: title }))
}

const [from, to] = [new Date("2026-10-01T03:00:00Z"), new Date("2026-11-01T03:00:00Z")]
const facts = { sellerId: "s", from, to, month: "2026-10", now: to, until: to, openingCents: 0 as Cents }

async function ofxText(title?: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of ofxOf(facts, titledLines(title))) chunks.push(chunk)
  return new TextDecoder("windows-1252").decode(Buffer.concat(chunks))
}

test("a sale names its page in the CSV, its fee doesn't, and no title is a formula", async () => {
  let csv = ""
  for await (const chunk of csvOf(titledLines(), null)) csv += chunk
  const rows = parseCsv(csv)
  expect(rows.map((row) => row["Página"])).toEqual([`'${pageTitle}`, ""])
  expect(csv).not.toContain("Prova")
})

test("a sale names its page in the OFX, in letters that can't be a tag", async () => {
  const memos = [...(await ofxText()).matchAll(/<MEMO>(.*?)<\/MEMO>/g)].map(([, memo]) => memo)
  expect(memos).toEqual(['=Curso; "vip" l/STMTTRN&gt; &lt;b&gt; · E1', "E1"])
})

test.each([
  ["Plano Pró – “Família” d’Ouro €", "Plano Pró – “Família” d’Ouro €"],
  ["Łódź e București", "Lódz e Bucuresti"],
  ["Bolo 🎂 de Ação…", "Bolo de Ação…"],
  ["Привет", "Privet"],
])("the title %s is in the OFX as %s, in the letters that its head declares", async (title, written) => {
  const text = await ofxText(title)
  expect(text).toContain("CHARSET:1252\n")
  expect(text).toContain(`<MEMO>${written} · E1</MEMO>`)
})

const printed = async (title: string, sellerName = "Ana") => {
  const own = { sellerName, sellerCpf: "", shop: null }
  const names = { platformName: `Loja ${title}`, ...own, publicUrl: "https://x.example" }
  return buffer(await pdfOf({ ...facts, ...names }, titledLines(title)))
}

test.each(["Plano Pró – “Família” d’Ouro €", "Łódź e București", "Привет", "ğ ő ș 2 ≤ 3 ★"])(
  "the PDF has the title %s as typed, and the names with it",
  async (title) => {
    const text = textOfPdf(await printed(title, `Ana ${title}`))
    for (const shown of [`E1 · ${title}`, `Loja ${title}`, `Vendedor: Ana ${title}`]) expect(text).toContain(shown)
  },
)

test("the PDF takes along only the letters in use, and none where every reader has them", async () => {
  const [plain, more] = [await printed("Pró – “x” €"), await printed("Łódź 漢字 🎂")]
  expect(plain.includes("/FontFile2")).toBe(false)
  expect(more.includes("/FontFile2")).toBe(true)
  expect(more.length - plain.length).toBeLessThan(30_000)
  expect(textOfPdf(more)).toContain("E1 · Łódź HanZi")
})
