import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkpointText, signedNote, verifierKey } from "@tilinta/contract/proofs/checkpoint"
import { type LineProof, writeLineProof } from "@tilinta/contract/proofs/line-proof"
import { blockHeader, leafHash, rootFromAuditPath, toBase64 } from "@tilinta/contract/proofs/tree"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, expect, test } from "vitest"
import { csvOf } from "#money/statements/export"
import { linesOf, type Movement } from "#money/statements/rules"
import type { TitledLine } from "#money/statements/statement"
import { runProgram } from "../../test-support/run-program.ts"

const command = new URL("verify-statement.ts", import.meta.url)
const origin = "pix.example.com/tilinta"
const sellerId = "0199a000-0000-7000-8000-000000000001"
const at = new Date("2026-11-20T15:00:00Z")
const sale: Movement = {
  ...{ at, position: "1.1", kind: "payment", reference: "E1", chargeId: "c" },
  ...{ amountCents: 10_000 as Cents, feeCents: 1_500 as Cents, balanceCents: 8_500 as Cents },
}

let folder: string
let privateKey: KeyObject
let publicKey: Uint8Array
let key: string
let csv: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilinta-statement-"))
  const pair = generateKeyPairSync("ed25519")
  privateKey = pair.privateKey
  publicKey = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url")
  key = await verifierKey(origin, publicKey)
  csv = await statementOf(await firstBlock())
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const micros = at.getTime() * 1000
const facts = ["payments", "E1", "simulator", "t", "c", sellerId, 10_000, 1_500, micros, micros, "credited"]
const text = JSON.stringify([...facts, null, null, null, null, "pending"])

async function headerOf(number: number, rowText: string): Promise<string> {
  const root = toBase64(await leafHash(rowText))
  const previous = toBase64(new Uint8Array(32))
  return blockHeader({ number, previous, rowCount: 1, root, sealedAtMs: at.getTime() })
}

const firstBlock = () => headerOf(0, text)

async function noteOf(size: number, root: Uint8Array<ArrayBuffer> | null): Promise<string> {
  if (root === null) throw new Error("no root")
  const unsigned = checkpointText({ origin, size, root })
  const signature = sign(null, Buffer.from(unsigned), privateKey)
  return signedNote(unsigned, { name: origin, publicKey, signature })
}

/** Signed after a second block, whose hash links both. */
async function laterNote(first: string, second: string): Promise<{ note: string; consistency: string }> {
  const neighbour = await leafHash(second)
  const root = await rootFromAuditPath(await leafHash(first), { index: 0, size: 2 }, [neighbour])
  return { note: await noteOf(2, root), consistency: `${toBase64(neighbour)}\n` }
}

/** By default at the checkpoint of one block. */
async function statementOf(header: string, more: Partial<LineProof> = {}): Promise<string> {
  const proof: LineProof = { text, index: 0, path: [], block: 0 }
  const whole = { ...proof, of: { header, path: [] }, note: await noteOf(1, await leafHash(header)), ...more }
  async function* lines(): AsyncGenerator<TitledLine[]> {
    yield linesOf(sale).map((line) => ({ ...line, pageTitle: "Curso" }))
  }
  let file = ""
  const prove = async () => [whole, proof].map(writeLineProof)
  for await (const part of csvOf(lines(), prove)) file += part
  return file
}

interface Given {
  csv?: string
  note: string
  key?: string
  consistency?: string
}

async function run(given: Given): Promise<{ code: number; told: string }> {
  const files = { csv, key, ...given }
  const pathOf = (name: string) => join(folder, name)
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(pathOf(name), content)))
  const more = given.consistency === undefined ? [] : ["--consistency", pathOf("consistency")]
  const args = [pathOf("csv"), "--checkpoint", pathOf("note"), "--key", pathOf("key"), ...more]
  return execute(args)
}

async function execute(args: readonly string[]): Promise<{ code: number; told: string }> {
  const { code, stdout, stderr } = await runProgram(command, args)
  return { code, told: stdout + stderr }
}

test("exit 0 where each line is proved against the checkpoint, 1 where one is not what was sealed", async () => {
  const note = await noteOf(1, await leafHash(await firstBlock()))
  expect(await run({ note })).toEqual({ code: 0, told: "Extrato confirmado: 2 linhas, cada uma selada como está.\n" })
  const changes = [
    [";100,00;", ";101,00;"],
    [";Venda;", ";Correção;"],
    [";Taxa da venda;", ";Saque;"],
    [";Taxa da venda;", ";Venda;"],
  ] as const
  for (const [from, to] of changes) {
    const { code, told } = await run({ note, csv: csv.replace(from, to) })
    expect([code, told]).toEqual([1, expect.stringContaining("não é o que foi selado")])
  }
  const strange = await verifierKey(origin, new Uint8Array(32).fill(1))
  expect(await run({ note, key: strange })).toMatchObject({
    code: 1,
    told: expect.stringContaining("não está assinado com esta chave"),
  })
})

test("exit 1 for a file without a line: it proves nothing, whatever stands around its header", async () => {
  const note = await noteOf(1, await leafHash(await firstBlock()))
  const [header = ""] = csv.split(/\r?\n/)
  for (const empty of [header, `${header}\r\n`, `${header}\n\n\n`, header.replace(/^\uFEFF/, "")]) {
    const { code, told } = await run({ note, csv: empty })
    expect([code, told]).toEqual([1, expect.stringContaining("não tem nenhuma linha")])
  }
})

test("exit 1 for the plain CSV, which has no proofs: it says which file has them", async () => {
  const note = await noteOf(1, await leafHash(await firstBlock()))
  const plain = csv.replaceAll(/;[^;\r]*\r\n/g, "\r\n")
  expect(plain).toMatch(/;Página\r\n/)
  const { code, told } = await run({ note, csv: plain })
  expect([code, told]).toEqual([1, expect.stringContaining("baixe o 'CSV com provas' do mesmo mês")])
})

test("exit 2 where the same key signed another checkpoint, which proves nothing until a file links both", async () => {
  const first = await firstBlock()
  const honest = await laterNote(first, await headerOf(1, "x"))
  const alone = await run({ note: honest.note })
  expect(alone).toMatchObject({ code: 2, told: expect.stringContaining("consistency?from=1&to=2") })
  expect(alone.told).not.toContain("confirmado")
  expect(await run(honest)).toMatchObject({ code: 0, told: expect.stringContaining("Extrato confirmado") })
  // A second history that whoever holds the key signed for somebody else's eyes.
  const forked = await laterNote(await headerOf(0, "y"), await headerOf(1, "x"))
  expect(await run({ note: forked.note })).toMatchObject({ code: 2 })
  for (const { consistency } of [honest, forked]) {
    expect(await run({ note: forked.note, consistency })).toMatchObject({
      code: 1,
      told: expect.stringContaining("correntes diferentes"),
    })
  }
})

test("a file proves itself against an earlier checkpoint to which it holds the link, and to no other history", async () => {
  const first = await firstBlock()
  const { note, consistency } = await laterNote(first, await headerOf(1, "x"))
  const path = [consistency.trim()]
  const linked = await statementOf(first, { of: { header: first, path }, note, links: [{ size: 1, path }] })
  const genuine = await noteOf(1, await leafHash(first))
  expect(await run({ csv: linked, note: genuine })).toMatchObject({ code: 0 })
  const other = await noteOf(1, await leafHash(await headerOf(0, "y")))
  expect(await run({ csv: linked, note: other })).toMatchObject({ code: 1 })
  const unlinked = await statementOf(first, { of: { header: first, path }, note })
  expect(await run({ csv: unlinked, note: genuine })).toMatchObject({ code: 2 })
})

test("exit 1 and one line where a file is missing or no checkpoint is given", async () => {
  expect(await execute([])).toMatchObject({ code: 1, told: expect.stringMatching(/^Uso: npm run statement/) })
  const missing = join(folder, "nenhum.csv")
  const args = [missing, "--checkpoint", join(folder, "note"), "--key", join(folder, "key")]
  expect(await execute(args)).toEqual({ code: 1, told: `O arquivo ${missing} não existe.\n` })
})
