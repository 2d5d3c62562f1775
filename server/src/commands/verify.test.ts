import { generateKeyPairSync, sign } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkpointText, signedNote, verifierKey } from "@tilinta/contract/proofs/checkpoint"
import { afterAll, expect, test } from "vitest"
import { sizeOf } from "#money/chain/block"
import { createCheckpointCopy } from "#money/chain/copy"
import { ensureSigningKeys, openSigningKeys } from "#money/chain/keys"
import { readHead } from "#money/chain/reads"
import { publishCheckpoint, readCheckpoint } from "#money/chain/seal"
import { tamper } from "../../test-support/as-owner.ts"
import { openPaidCharge } from "../../test-support/paid-charges.ts"
import { runProgram } from "../../test-support/run-program.ts"
import { openSandbox } from "../../test-support/sandbox.ts"
import { sealAll } from "../../test-support/seal-all.ts"
import { secretKeys } from "../../test-support/secret-keys.ts"

const command = new URL("verify.ts", import.meta.url)
const origin = "pix.example.com/tilinta"

const folder = await mkdtemp(join(tmpdir(), "tilinta-verify-"))
const sandbox = await openSandbox()
await openPaidCharge(sandbox)
const signing = { ...sandbox, secretKeys }
await ensureSigningKeys(signing)
await sealAll(sandbox.db)
const signingKeys = openSigningKeys(signing)
const firstNote = await readCheckpoint(sandbox.db)
const checkpointCopy = createCheckpointCopy({ file: null, url: null, log: sandbox.log })
const publicUrl = "https://pix.example.com"
const note = await publishCheckpoint({ ...sandbox, signingKeys, checkpointCopy, publicUrl })
const keys = await signingKeys.listPublicKeys("checkpoint")
const lines = await Promise.all(keys.map(({ publicKey }) => verifierKey(origin, publicKey)))
const noteFile = await written("checkpoint", note)
const keyFile = await written("checkpoint.pub", lines.join("\n"))

afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

async function written(name: string, content: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, content)
  return file
}

/** A checkpoint that the chain never had, signed with a key of its own. */
async function strangeCheckpoint(size: number): Promise<{ note: string; key: string }> {
  const { privateKey, publicKey: own } = generateKeyPairSync("ed25519")
  const publicKey = Buffer.from(own.export({ format: "jwk" }).x ?? "", "base64url")
  const text = checkpointText({ origin, size, root: new Uint8Array(32) })
  const signature = sign(null, Buffer.from(text), privateKey)
  const strange = await signedNote(text, { name: origin, publicKey, signature })
  return { note: strange, key: await verifierKey(origin, publicKey) }
}

const verify = (...args: string[]) => verifyWith({}, ...args)
const verifyWith = (more: Record<string, string>, ...args: string[]) =>
  runProgram(command, args, { DATA_DIR: folder, DATABASE_URL: sandbox.url, ...more })

test("exit 0 with the checkpoint that the chain had, each check told on stderr", async () => {
  const { code, stdout, stderr } = await verify("--checkpoint", noteFile, "--key", keyFile)
  expect(stdout).toContain("Tudo confere: 2 lançamentos")
  expect(stdout).not.toContain("Conferido")
  expect(code).toBe(0)
  expect(stderr).toContain("Corrente: 100 %\n")
  const told = [...stderr.matchAll(/^Conferido em \d+,\d s: (.*), sem diferenças\.$/gm)].map(([, check]) => check)
  expect(told.toSorted()).toEqual(
    [
      ...["contestações", "corrente", "estado e auditoria", "estornos", "eventos numerados", "extratos"],
      ...[
        "assinaturas",
        "cobranças com vencimento",
        "gatilhos e funções",
        "lançamentos manuais",
        "pagamentos e cobranças",
        "reservas",
        "saldos e lançamentos",
        "saques",
        "totais da plataforma",
        "usuários",
      ],
    ].toSorted(),
  )
})

test("exit 1 with a checkpoint that the chain never had: of another root, or of more blocks", async () => {
  for (const size of [1, 1_000]) {
    const strange = await strangeCheckpoint(size)
    const [at, key] = [await written("strange", strange.note), await written("strange.pub", strange.key)]
    const { code, stdout } = await verify("--checkpoint", at, "--key", key)
    expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`^DIFERENÇA: ${at}: .*corrente`, "m"))])
  }
})

test("exit 2 with a key that didn't sign the checkpoint, and without the file", async () => {
  const { key } = await strangeCheckpoint(1)
  const refused = await verify("--checkpoint", noteFile, "--key", await written("other.pub", key))
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("não é um ponto de controle assinado") })
  const missing = join(folder, "nenhum")
  expect(await verify("--checkpoint", missing, "--key", keyFile)).toMatchObject({
    code: 2,
    stderr: `O arquivo ${missing} não existe.\n`,
  })
})

const advice = "Confira com um ponto de controle de um e-mail"

test("CHECKPOINT_FILE is read by itself; without one the command says so, and a strange one is a difference", async () => {
  const known = await verifyWith({ CHECKPOINT_FILE: noteFile })
  expect([known.code, known.stdout]).toEqual([0, expect.not.stringContaining(advice)])
  for (const more of [{}, { CHECKPOINT_FILE: join(folder, "nenhum") }]) {
    expect(await verifyWith(more as Record<string, string>)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(advice),
    })
  }
  const strange = await written("strange-copy", (await strangeCheckpoint(1)).note)
  expect(await verifyWith({ CHECKPOINT_FILE: strange })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("DIFERENÇA: ponto de controle do segundo lugar"),
  })
})

test("exit 1 where the chain was rewritten as a whole, which the kept checkpoint alone shows", async () => {
  const forget = ["delete from chain_blocks", "delete from chain_checkpoints"]
  // The note of the empty chain, which somebody kept from the installation's first seconds.
  const head = `update chain_head set until = '0', block_count = 0, note = '${firstNote}'`
  await tamper(sandbox, "update payments set txid = txid || 'x'", ...forget, head)
  await sealAll(sandbox.db)
  // Transactions of other tests may have parted the same rows into more blocks the first time.
  while ((await readHead(sandbox.db)).blockCount < sizeOf(note)) {
    await openPaidCharge(sandbox)
    await sealAll(sandbox.db)
  }
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining(advice) })
  const { code, stdout } = await verify("--checkpoint", noteFile, "--key", keyFile)
  expect([code, stdout]).toEqual([1, expect.stringContaining(`DIFERENÇA: ${noteFile}: raiz da corrente`)])
  const byItself = await verifyWith({ CHECKPOINT_FILE: noteFile })
  expect(byItself).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("ponto de controle do segundo lugar: raiz"),
  })
})
