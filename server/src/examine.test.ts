import { afterAll, beforeAll, expect, test } from "vitest"
import { newestMigration } from "#db/migrate"
import { recordHeartbeat } from "#domain/platform/nodes/node-heartbeats"
import { createTestDatabase, type TestDatabase } from "../test-support/test-database.ts"
import { examine } from "./examine.ts"

let database: TestDatabase
const now = new Date("2026-11-21T12:00:00Z")
const facts = { disk: { freeBytes: 50e9, totalBytes: 100e9 }, certificateEndsAt: new Date("2027-01-21T12:00:00Z") }

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

async function look(changes: object = {}) {
  const usual = { db: database.db, provider: "simulator", bankCertificateEndsAt: null, facts, now, makesBackups: false }
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

  const bad = { disk: { freeBytes: 1e9, totalBytes: 100e9 }, certificateEndsAt: new Date("2026-11-22T12:00:00Z") }
  await beat(-75)
  const ill = await look({ facts: bad, newestMigration: 9_999, bankCertificateEndsAt: now })
  expect((await look({ makesBackups: true })).ill).toEqual(["Servidor caixa-1", "Último backup"])
  expect(ill.ill).toEqual(["Esquema", "Servidor caixa-1", "Certificado do banco", "Certificado do site", "Disco"])
  expect((await look({ now: new Date(now.getTime() + 120_000) })).ill).toEqual(["Servidores"])
})
