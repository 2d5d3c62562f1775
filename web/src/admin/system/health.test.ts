import type { SystemStatusView } from "@tilinta/contract/system"
import { expect, test } from "vitest"
import {
  backupHealth,
  certificateHealth,
  guardHealth,
  inboxHealth,
  installationHealth,
  jobHealth,
  ledgerHealth,
  mailsHealth,
  providerHealth,
} from "./health.ts"

const now = new Date("2026-11-21T12:00:00Z")
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
const provider = {
  name: "simulator",
  label: "Simulador (testes)",
  receiptsSeenUntil: ago(0),
  lastContactAt: ago(0),
  lastFailure: null,
  lastWebhookAt: null,
  webhookRegisteredAt: ago(60),
  certificateEndsAt: null,
}
const statusOf = (parts: object) => ({ ...parts }) as SystemStatusView
const failedAt = (minutes: number) => ({ at: ago(minutes), call: "findReceipt", message: "503" })

test.for([
  ["all is well", {}, "success"],
  ["a failure that an answer followed is past", { lastFailure: failedAt(3), lastContactAt: ago(1) }, "success"],
  ["some calls fail now", { lastFailure: failedAt(0), lastContactAt: ago(2) }, "warning"],
  ["nobody answers", { lastFailure: failedAt(0), lastContactAt: ago(6) }, "danger"],
  ["nobody ever answered", { lastFailure: failedAt(0), lastContactAt: null }, "danger"],
  ["reconciliation is late", { receiptsSeenUntil: ago(5) }, "warning"],
  ["reconciliation stands still", { receiptsSeenUntil: ago(30) }, "danger"],
  ["reconciliation has seen the future", { receiptsSeenUntil: ago(-5) }, "danger"],
  ["no webhook yet", { webhookRegisteredAt: null }, "warning"],
  ["the worst counts", { webhookRegisteredAt: null, receiptsSeenUntil: ago(30) }, "danger"],
] as const)("the provider: %s", ([, changes, tone]) => {
  expect(providerHealth(statusOf({ provider: { ...provider, ...changes } }), now).tone).toBe(tone)
})

test.for([
  [null, "success"],
  [31, "success"],
  [29, "warning"],
  [8, "warning"],
  [6, "danger"],
  [0.5, "danger"],
  [-1, "danger"],
] as const)("a certificate with %s days left", ([days, tone]) => {
  const endsAt = days === null ? null : new Date(now.getTime() + days * 86_400_000).toISOString()
  expect(certificateHealth(endsAt, now).tone).toBe(tone)
})

test("queues are well while they move", () => {
  const inbox = { waiting: 3, oldestAt: ago(1), failing: [] }
  expect(inboxHealth(statusOf({ inbox }), now)).toEqual({ tone: "success", says: "Os avisos andam" })
  expect(inboxHealth(statusOf({ inbox: { ...inbox, oldestAt: ago(3) } }), now).says).toBe(
    "Há avisos esperando há 3 min",
  )
  const mails = { waiting: 0, oldestAt: null, givenUp: 1, problems: [] }
  expect(mailsHealth(statusOf({ mails }), now).says).toBe("1 e-mail não entregue nos últimos 7 dias")
  expect(mailsHealth(statusOf({ mails: { ...mails, givenUp: 0 } }), now).tone).toBe("success")
})

test("a job is well unless it fails or no longer comes", () => {
  const job = {
    name: "send-mails",
    everySeconds: 1,
    lastStartedAt: ago(0),
    lastDurationMs: 3,
    lastSucceededAt: ago(0),
    lastFailedAt: null,
    lastError: null,
    failuresInRow: 0,
  } as const
  const toneOf = (changes: object) => jobHealth({ ...job, ...changes }, now).tone
  expect([toneOf({}), toneOf({ failuresInRow: 1 }), toneOf({ failuresInRow: 3 })]).toEqual([
    "success",
    "warning",
    "danger",
  ])
  expect([toneOf({ lastStartedAt: ago(3) }), toneOf({ lastStartedAt: ago(20), everySeconds: 600 })]).toEqual([
    "warning",
    "success",
  ])
})

test("a difference in the books is the worst there is, and an old proof is none", () => {
  const result = { startedAt: ago(1), finishedAt: ago(0), postings: 7, differenceCount: 0, differences: [] }
  const check = { isRunning: false, startedAt: ago(1), requestedBy: null, failure: null, result }
  const of = (changes: object) => ledgerHealth(statusOf({ ledgerCheck: { ...check, ...changes } }), now).tone
  expect(of({})).toBe("success")
  expect(of({ result: { ...result, differenceCount: 2 }, failure: "x" })).toBe("danger")
  expect(of({ failure: "x" })).toBe("warning")
  expect(of({ result: { ...result, finishedAt: ago(3 * 1440) } })).toBe("warning")
  expect(of({ result: null })).toBe("success")
  const unchecked = statusOf({ ledgerCheck: { ...check, result: null } })
  expect(ledgerHealth(unchecked, now).waits).toBe("Aguardando a primeira verificação")
})

test("one administrator alone, or no limit for one, is warned of where protection is strict", () => {
  const strict = { protection: "strict", approvers: 2, secondApprovalAbove: 5_000 }
  const of = (changes: object) => guardHealth(statusOf({ guard: { ...strict, ...changes } })).tone
  expect(of({})).toBe("success")
  expect(of({ approvers: 1 })).toBe("warning")
  expect(of({ secondApprovalAbove: null })).toBe("warning")
  expect(of({ protection: "relaxed", approvers: 1 })).toBe("success")
})

const facts = {
  ...{ databaseBytes: 1, migration: "1", databaseVersion: "18.4", replicas: [], databaseEmbedded: false },
  ...{ disk: { freeBytes: 50, totalBytes: 100 }, certificateEndsAt: null },
}

test("a full disk, a certificate near its end and a replica that lags are named", () => {
  const of = (changes: object) =>
    installationHealth(statusOf({ provider, installation: { version: "1", nodes: [], ...facts, ...changes } }), now)
  const replica = { name: "b", state: "streaming", synchronous: true, behindBytes: 0, lagSeconds: 0 }
  const tones = (all: object[]) => all.map((changes) => of(changes).tone)
  expect(tones([{}, { replicas: [replica] }, { replicas: [{ ...replica, state: null, lagSeconds: null }] }])).toEqual(
    Array.from({ length: 3 }, () => "success"),
  )
  expect(tones([{ disk: { freeBytes: 9, totalBytes: 100 } }, { disk: { freeBytes: 2, totalBytes: 100 } }])).toEqual([
    ...["warning", "danger"],
  ])
  expect(tones([{ certificateEndsAt: ago(-10 * 1440) }, { certificateEndsAt: ago(1) }])).toEqual(["warning", "danger"])
  expect(of({ replicas: [replica, { ...replica, lagSeconds: 600 }] }).says).toBe("A réplica b está atrasada 10 min")
  expect(of({ replicas: [{ ...replica, state: "catchup" }] }).tone).toBe("warning")
})

test("the embedded database is advised against where a real bank is connected", () => {
  const of = (name: string, databaseEmbedded: boolean) => {
    const installation = { version: "1", nodes: [], ...facts, databaseEmbedded }
    return installationHealth(statusOf({ provider: { ...provider, name }, installation }), now)
  }
  expect(of("efi", true)).toMatchObject({ tone: "warning", advice: expect.stringContaining("DATABASE_URL") })
  expect([of("simulator", true).tone, of("efi", false).tone]).toEqual(["success", "success"])
})

test("a server's clock that differs from the bank's by more than a minute is named", () => {
  const healthOf = (clockSkewSeconds: number | null) => {
    const node = { _id: "1", host: "caixa-1", version: "1", startedAt: ago(60), clockSkewSeconds }
    return installationHealth(statusOf({ provider, installation: { version: "1", nodes: [node], ...facts } }), now)
  }
  expect([null, 0, 60, -60].map((seconds) => healthOf(seconds).tone)).toEqual(
    Array.from({ length: 4 }, () => "success"),
  )
  expect(healthOf(172_794)).toMatchObject({
    tone: "danger",
    says: "O relógio de caixa-1 está 2 dias adiantado em relação ao do banco",
  })
  expect(healthOf(-1_201).says).toBe("O relógio de caixa-1 está 20 min atrasado em relação ao do banco")
})

const restored = {
  ...{ finishedAt: ago(60 * 24 * 89), checkedBy: "ana@caixa-1", file: "a.backup", takenAt: ago(60 * 24 * 90) },
  ...{ rows: 9, differenceCount: 0 as number | null, seconds: 3, failure: null as string | null },
}

test.for([
  ["off", { isOn: false }, "success"],
  ["off, and those made by hand in clear text", { isOn: false, isEncrypted: false, isExposed: true }, "warning"],
  ["in clear text", { result: { startedAt: ago(60 * 20) }, isEncrypted: false, isExposed: true }, "warning"],
  ["in clear text, of the sandbox", { result: { startedAt: ago(60 * 20) }, isEncrypted: false }, "success"],
  ["none yet", {}, "success"],
  ["none for two days", { startedAt: ago(60 * 48), failure: "ENOSPC" }, "danger"],
  ["today's", { result: { startedAt: ago(60 * 20) } }, "success"],
  ["of yesterday, and one failed since", { result: { startedAt: ago(60 * 30) }, failure: "ENOSPC" }, "warning"],
  ["an old one", { result: { startedAt: ago(60 * 37) } }, "danger"],
  ["never restored", { result: { startedAt: ago(60 * 20) }, restoreCheck: null }, "warning"],
  ["never restored, and the database's own count", { isOn: false, restoreCheck: null }, "success"],
  ["restored long ago", { restoreCheck: { ...restored, finishedAt: ago(60 * 24 * 91) } }, "warning"],
  ["restored with differences", { restoreCheck: { ...restored, differenceCount: 1 } }, "danger"],
  ["not restorable", { restoreCheck: { ...restored, differenceCount: null, failure: "danificado" } }, "danger"],
] as const)("the backup: %s", ([, changes, tone]) => {
  const usual = {
    isOn: true,
    isEncrypted: true,
    isExposed: false,
    isRunning: false,
    startedAt: null,
    failure: null,
    result: null,
  }
  const backup = { ...usual, restoreCheck: restored }
  expect(backupHealth(statusOf({ backup: { ...backup, ...changes } }), now).tone).toBe(tone)
})
