import { generateKeyPairSync, sign } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { receiptKeyId, signedReceipt, unsignedReceipt } from "@tilinta/contract/proofs/receipt-text"
import { afterAll, expect, test } from "vitest"
import { runProgram } from "../../test-support/run-program.ts"

const command = new URL("verify-receipt.ts", import.meta.url)

const folder = await mkdtemp(join(tmpdir(), "tilinta-receipt-"))
const { privateKey, publicKey } = generateKeyPairSync("ed25519")
const { x = "" } = publicKey.export({ format: "jwk" })
const jwk: object = { kty: "OKP", crv: "Ed25519", x }
const unsigned = unsignedReceipt(await receiptKeyId(Uint8Array.from(Buffer.from(x, "base64url"))), {
  ...{ amountCents: 123_456, receiver: "Ana Souza", paidAt: new Date("2026-11-21T12:00:00Z") },
  ...{ endToEndId: "E0000000020261121140000000000001", payerDigits: null, receiverDocument: null },
})
const receipt = signedReceipt(unsigned, sign(null, Buffer.from(unsigned), privateKey))

afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(text: string, keys: object): Promise<{ code: number; told: string }> {
  const [receiptFile, keyFile] = [join(folder, "recibo.txt"), join(folder, "receipts.json")]
  await Promise.all([writeFile(receiptFile, text), writeFile(keyFile, JSON.stringify(keys))])
  const { code, stdout, stderr } = await runProgram(command, [receiptFile, "--key", keyFile])
  return { code, told: stdout + stderr }
}

test("the command believes the public key alone: exit 0 for a genuine receipt, 1 for any other", async () => {
  const [whole, single] = [await run(`${receipt}\n`, { keys: [jwk] }), await run(receipt, jwk)]
  expect([whole.code, single.code]).toEqual([0, 0])
  expect(whole.told).toContain("Valor: R$ 1.234,56")
  const changed = await run(receipt.replace("TLR1.", "TLR1. "), { keys: [jwk] })
  const unknown = await run(receipt, { keys: [] })
  const noKey = await run(receipt, { keys: ["x"] })
  expect([changed.code, unknown.code, noKey.code]).toEqual([1, 1, 1])
  expect(unknown.told).toContain("chave que não está")
})
