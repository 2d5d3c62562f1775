import { afterAll, expect, test } from "vitest"
import { newestMigration } from "#db/migrate"
import { newId } from "#kit/ids"
import { recordRestoreCheck } from "#platform/backups/request"
import { recordHeartbeat } from "#platform/system/node"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { examine } from "./examine.ts"

const now = new Date("2026-11-21T12:00:00Z")
const facts = {
  disk: { freeBytes: 50e9, totalBytes: 100e9 },
  certificateEndsAt: new Date("2027-01-21T12:00:00Z"),
  isDatabaseEmbedded: false,
}

const database = await createTestDatabase()

afterAll(() => database.drop())

async function look(changes: object = {}) {
  const usual = {
    db: database.db,
    provider: "simulator",
    bankCertificateEndsAt: null,
    facts,
    now,
    makesBackups: false,
    exposesBackups: false,
  }
  const findings = []
  for await (const finding of examine({ ...usual, newestMigration: await newestMigration(), ...changes })) {
    findings.push(finding)
  }
  return { ill: findings.filter(({ works }) => !works).map(({ what }) => what), lines: findings }
}

test("an installation with a server on the air is well; each thing that needs a person is named", async () => {
  expect((await look()).ill).toEqual(["Servidores"])
  const node = { id: "019a0000-0000-7000-8000-000000000001", host: "caixa-1", version: "0.1.0", startedAt: now }
  const beat = (clockSkewSeconds: number) =>
    database.db.transaction().execute((tx) => recordHeartbeat(tx, { ...node, clockSkewSeconds }, now))
  await beat(0)
  const well = await look()
  expect(well.ill).toEqual([])
  expect(well.lines.map(({ what }) => what)).toEqual(
    expect.arrayContaining(["Versão", "Esquema", "Réplicas", "Último backup", "Certificado do site", "Disco"]),
  )

  const bad = {
    ...facts,
    disk: { freeBytes: 1e9, totalBytes: 100e9 },
    certificateEndsAt: new Date("2026-11-22T12:00:00Z"),
  }
  await beat(-75)
  const ill = await look({ facts: bad, newestMigration: 9_999, bankCertificateEndsAt: now })
  expect((await look({ makesBackups: true })).ill).toEqual(["Servidor caixa-1", "Último backup"])
  expect((await look({ exposesBackups: true })).ill).toEqual(["Servidor caixa-1", "Cifra dos backups"])
  expect(ill.ill).toEqual(["Esquema", "Servidor caixa-1", "Certificado do banco", "Certificado do site", "Disco"])
  expect((await look({ now: new Date(now.getTime() + 120_000) })).ill).toEqual(["Servidores"])
})

test("a try of a restore that failed, differed or is old needs a person, and so does a backup that was never tried", async () => {
  const file = "tilinta-2026-11-20T05-00-12-084Z.backup"
  const started = {
    id: newId(),
    started_at: now,
    finished_at: now,
    requested_by: null,
    file,
    size_bytes: 6,
    error: null,
  }
  await database.db.insertInto("backups").values(started).execute()
  const lineOf = async (changes: object) => {
    const { lines } = await look({ makesBackups: true, ...changes })
    return lines.find(({ what }) => what === "Última restauração")
  }
  expect(await lineOf({})).toMatchObject({ works: false, found: "nenhuma foi experimentada." })
  expect(await lineOf({ makesBackups: false })).toMatchObject({ works: true })

  const check = { checkedBy: "ana@caixa-1", file, takenAt: now, rowCount: 9, seconds: 3, error: null }
  const record = (differenceCount: number | null, changes: object = {}) =>
    recordRestoreCheck(database.db, { ...check, finishedAt: now, differenceCount, ...changes })
  await record(null, { error: "O arquivo está danificado.", takenAt: null, rowCount: null })
  expect(await lineOf({})).toMatchObject({ works: false, found: expect.stringContaining("danificado") })
  await record(2)
  expect(await lineOf({})).toMatchObject({ works: false, found: expect.stringContaining("2 diferença(s)") })
  await record(0)
  const well = `tudo confere (${file}, por ana@caixa-1 em 21/11/2026).`
  expect(await lineOf({})).toMatchObject({ works: true, found: well })
  expect(await lineOf({ now: new Date(now.getTime() + 92 * 86_400_000) })).toMatchObject({ works: false, found: well })
})
