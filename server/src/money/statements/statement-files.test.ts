import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { csvOf } from "./export.ts"
import { ofxOf } from "./ofx-file.ts"
import { linesOf, type Movement } from "./rules.ts"
import type { TitledLine } from "./statement.ts"

const sale: Movement = {
  ...{ at: new Date("2026-10-10T12:00:00Z"), position: "1.1", kind: "payment", reference: "E1", chargeId: "c" },
  ...{ amountCents: 10_000 as Cents, feeCents: 1_500 as Cents, balanceCents: 8_500 as Cents },
}
// The second letter's code ends with that of "<", which Latin-1 would write.
const pageTitle = '=Curso; "vip" \u013c/STMTTRN> <b> 🎉'

async function* titledLines(): AsyncGenerator<TitledLine[]> {
  yield linesOf(sale).map((line) => ({ ...line, pageTitle }))
}

test("a sale names its page in the CSV, its fee doesn't, and no title is a formula", async () => {
  let csv = ""
  for await (const chunk of csvOf("s", titledLines(), async (_, bookings) => bookings.map(() => "proof"))) csv += chunk
  const rows = parseCsv(csv)
  expect(rows.map((row) => row["Página"])).toEqual([`'${pageTitle}`, ""])
  expect(rows.map((row) => row["Prova"])).toEqual(["proof", "proof"])
})

test("a sale names its page in the OFX, in letters that can't be a tag", async () => {
  const [from, to] = [new Date("2026-10-01T03:00:00Z"), new Date("2026-11-01T03:00:00Z")]
  const facts = { sellerId: "s", from, to, month: "2026-10", now: to, until: to, openingCents: 0 as Cents }
  const chunks: Buffer[] = []
  for await (const chunk of ofxOf(facts, titledLines())) chunks.push(chunk)
  const memos = [
    ...Buffer.concat(chunks)
      .toString("latin1")
      .matchAll(/<MEMO>(.*?)<\/MEMO>/g),
  ].map(([, memo]) => memo)
  expect(memos).toEqual(['=Curso; "vip" ?/STMTTRN&gt; &lt;b&gt; ? · E1', "E1"])
})
