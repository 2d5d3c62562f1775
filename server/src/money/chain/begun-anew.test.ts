import { generateKeyPairSync, sign } from "node:crypto"
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkpointText, signedNote } from "@tilinta/contract/proofs/checkpoint"
import { afterEach, beforeEach, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { recordAudit } from "#platform/audit/record"
import { ensureMoneyKind } from "#platform/system/node"
import { tamper } from "../../../test-support/as-owner.ts"
import { createAdmin, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { sealAll } from "../../../test-support/seal-all.ts"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { sizeOf } from "./block.ts"
import { createCheckpointCopy } from "./copy.ts"
import { ensureSigningKeys, openSigningKeys, rotateSigningKey } from "./keys.ts"
import { readSigned } from "./prove.ts"
import { readHead } from "./reads.ts"
import { publishCheckpoint, readCheckpoint } from "./seal.ts"
import { verifyChain } from "./verify.ts"

let sandbox: Sandbox
let adminId: string
let folder: string
let file: string
let alarms: string[]

beforeEach(async () => {
  sandbox = await openSandbox()
  adminId = await createAdmin(sandbox)
  folder = await mkdtemp(join(tmpdir(), "tilinta-anew-"))
  file = join(folder, "checkpoint.txt")
  alarms = []
})

afterEach(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

const log = createLog("error", { write: (line) => void alarms.push(JSON.parse(line).alarm) })

interface NodeOptions {
  file?: string | null
  now?: () => Date
}

/** A server as it starts: it remembers nothing yet. */
function startNode({ file: own = file, now = () => new Date() }: NodeOptions = {}) {
  const clock = { now }
  const keys = { db: sandbox.db, clock, secretKeys }
  const checkpointCopy = createCheckpointCopy({ file: own, url: null, log })
  const deps = {
    ...keys,
    log,
    checkpointCopy,
    publicUrl: "https://pix.example.com",
    signingKeys: openSigningKeys(keys),
  }
  return {
    start: () => ensureSigningKeys(keys),
    publish: () => publishCheckpoint(deps),
    round: () => checkpointCopy.bring(() => publishCheckpoint(deps)),
  }
}

/** Writes a row and seals it, so that the chain is a block longer. */
async function trade(happenedAt = new Date()): Promise<void> {
  const entry = { actor: { id: adminId, address: null }, happenedAt, before: null, after: null } as const
  await sandbox.db
    .transaction()
    .execute((tx) => recordAudit(tx, { ...entry, action: "session.ended", entity: "user", entityId: adminId }))
  await sealAll(sandbox.db)
}

const wipe = [
  "update audit_records set actor_id = null",
  "delete from chain_blocks",
  "delete from chain_checkpoints",
  "update chain_head set block_count = 0, until = '0', note = null",
]

async function rewrite(...more: string[]): Promise<void> {
  await tamper(sandbox, ...wipe, ...more)
  await trade()
}

async function expectRefused(node: ReturnType<typeof startNode>): Promise<void> {
  alarms.length = 0
  await expect(node.round()).rejects.toThrow(/doesn't begin with/)
  expect(alarms).toEqual(["chain_rewritten"])
}

async function warnings(): Promise<string[]> {
  const mails = sandbox.db.selectFrom("mails").select("dedupe_key").where("dedupe_key", "like", "chain-rewritten:%")
  return (await mails.execute()).map((mail) => mail.dedupe_key)
}

test("a chain that was wiped is never signed again, the copy outside stays, and administrators hear of it once a day", async () => {
  const node = startNode()
  await node.start()
  await trade()
  await node.round()
  const kept = await readFile(file, "utf8")
  await rewrite()
  await expectRefused(node)
  await expectRefused(node)
  expect(await readCheckpoint(sandbox.db)).toBeNull()
  expect(await readFile(file, "utf8")).toBe(kept)
  expect(await warnings()).toEqual([expect.stringContaining(adminId)])
  const { differences } = await readSigned(sandbox.db, startNodeKeys())
  expect(differences).toEqual([{ what: "ponto de controle da corrente", expected: "assinado", found: "ausente" }])
})

const startNodeKeys = () => openSigningKeys({ ...sandbox, secretKeys })

test("nor by a server that starts after it: the note that is gone shows it, also without a file", async () => {
  await startNode().start()
  await trade()
  await startNode().round()
  await rewrite()
  await expectRefused(startNode())
  await expectRefused(startNode({ file: null }))
})

test("nor where the signing keys were removed, too: those of an installation in use are not made like the first", async () => {
  await ensureMoneyKind({ db: sandbox.db, clock: { now: () => secondsAfter(new Date(), -9_000) } }, "sandbox")
  await startNode().start()
  await startNode({ file: null }).round()
  await trade(secondsAfter(new Date(), -5_000))
  await startNode({ file: null }).round()
  await rewrite("delete from signing_keys")
  await startNode().start()
  await expectRefused(startNode({ file: null }))
})

test("nor with the first checkpoint put back beside rows of the days since", async () => {
  await ensureMoneyKind({ db: sandbox.db, clock: { now: () => secondsAfter(new Date(), -172_800) } }, "sandbox")
  await startNode().start()
  const first = await readCheckpoint(sandbox.db)
  await trade(secondsAfter(new Date(), -18_000))
  // Nobody kept anything: the first start ended before it signed, or whoever did this had the process end, too.
  await tamper(
    sandbox,
    "delete from chain_blocks",
    `update chain_head set block_count = 0, until = '0', note = '${first}'`,
  )
  await sealAll(sandbox.db)
  await expectRefused(startNode({ file: null }))
})

test("a first start that ended at once, and goes on days later, is honest", async () => {
  await ensureMoneyKind({ db: sandbox.db, clock: { now: () => secondsAfter(new Date(), -172_800) } }, "sandbox")
  await startNode().start()
  await trade(secondsAfter(new Date(), -172_790))
  await startNode().round()
  expect(alarms).toEqual([])
})

test("nor with a note that another key signed, of the same size or of none", async () => {
  const node = startNode({ file: null })
  await node.start()
  await trade()
  await rewrite()
  const { privateKey, publicKey: own } = generateKeyPairSync("ed25519")
  const publicKey = Buffer.from(own.export({ format: "jwk" }).x ?? "", "base64url")
  const { blockCount } = await readHead(sandbox.db)
  for (const size of [0, blockCount]) {
    const text = checkpointText({ origin: "pix.example.com/tilinta", size, root: new Uint8Array(32) })
    const signature = sign(null, Buffer.from(text), privateKey)
    const note = await signedNote(text, { name: "pix.example.com/tilinta", publicKey, signature })
    await tamper(sandbox, `update chain_head set note = '${note}'`)
    await expectRefused(startNode({ file: null }))
  }
})

test("an older head that is put back is refused by what the process, the file or a day's checkpoint knows", async () => {
  const node = startNode()
  await node.start()
  await trade()
  const old = await node.publish()
  const { until, blockCount } = await readHead(sandbox.db)
  await trade()
  await node.round()
  const kept = await readFile(file, "utf8")
  const back = [
    `delete from chain_blocks where number >= ${blockCount}`,
    `update chain_head set block_count = ${blockCount}, until = '${until}', note = '${old}'`,
  ]
  await tamper(sandbox, "update audit_records set actor_id = null", ...back)
  await sealAll(sandbox.db)
  for (const each of [node, startNode()]) await expectRefused(each)
  expect(await readFile(file, "utf8")).toBe(kept)
  // Only a day's checkpoint is left: that of tomorrow, signed at the larger size.
  await tamper(sandbox, `update chain_checkpoints set note = '${kept}'`)
  await expectRefused(startNode({ file: null }))
})

test("a restored backup is refused beside a newer file, and signed once an operator has moved it away", async () => {
  const node = startNode()
  await node.start()
  await trade()
  await node.round()
  const copies = ["chain_blocks", "chain_head", "chain_checkpoints", "audit_records"]
  await tamper(sandbox, ...copies.map((table) => `create table copy_of_${table} as table ${table}`))
  await trade()
  await node.round()
  const restored = copies.flatMap((table) => [`delete from ${table}`, `insert into ${table} table copy_of_${table}`])
  await tamper(sandbox, ...restored)
  await trade()
  await expectRefused(startNode())
  await rename(file, `${file}.before`)
  await startNode().round()
  expect(sizeOf(await readFile(file, "utf8"))).toBe((await readHead(sandbox.db)).blockCount)
})

test("an operator who rotates the key with that wish has an empty chain signed again, and no other way", async () => {
  const node = startNode({ file: null })
  await node.start()
  await trade()
  await node.round()
  await rewrite()
  await rotateSigningKey({ ...sandbox, secretKeys }, "checkpoint")
  await expectRefused(startNode({ file: null }))
  await rotateSigningKey({ ...sandbox, secretKeys }, "checkpoint", { beginsChain: true })
  await startNode({ file: null }).round()
  expect(sizeOf((await readCheckpoint(sandbox.db)) ?? "")).toBe((await readHead(sandbox.db)).blockCount)
})

test("honest servers go on: a new installation, many at once, a rotation, ends between any two lines, no place to copy to", async () => {
  const [one, other] = [startNode(), startNode()]
  await Promise.all([one.start(), other.start()])
  // Ended before anything was sealed, and before what was sealed was signed.
  await startNode().round()
  await trade()
  await startNode().start()
  await Promise.all([one.round(), other.round(), startNode().round()])
  await trade()
  // Ended after it was signed and before it was copied.
  await startNode({ file: null }).publish()
  await Promise.all([one.round(), other.round()])
  await rotateSigningKey({ ...sandbox, secretKeys }, "checkpoint")
  await trade()
  for (const node of [startNode({ file: join(folder, "none", "x") }), startNode(), one, other]) await node.round()
  await writeFile(file, "")
  await trade()
  await Promise.all([one.round(), other.round(), one.publish(), one.publish()])
  expect(await readFile(file, "utf8")).toBe(await readCheckpoint(sandbox.db))
  const signed = await readSigned(sandbox.db, startNodeKeys())
  expect(signed.differences).toEqual([])
  await sealAll(sandbox.db)
  expect((await verifyChain(sandbox.db, signed)).differences).toEqual([])
  expect(new Set(alarms)).toEqual(new Set(["checkpoint_not_copied"]))
  expect(await warnings()).toEqual([])
})

test("a day's checkpoint is mailed from an installation's second day on, also where the table of days is empty", async () => {
  const days = (count: number) => () => secondsAfter(new Date("2026-11-23T15:00:00Z"), count * 86_400)
  await ensureMoneyKind({ db: sandbox.db, clock: { now: days(0) } }, "sandbox")
  await startNode().start()
  const mailed = async () => {
    const mails = sandbox.db.selectFrom("mails").select("dedupe_key").where("dedupe_key", "like", "checkpoint:%")
    return (await mails.execute()).map((mail) => mail.dedupe_key.slice(11, 21)).toSorted()
  }
  await startNode({ now: days(0) }).round()
  expect(await mailed()).toEqual([])
  await tamper(sandbox, "delete from chain_checkpoints")
  await startNode({ now: days(1) }).round()
  expect(await mailed()).toEqual(["2026-11-24"])
})
