import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { reportOf } from "#commands/examine"
import type { SystemFacts } from "./finding.ts"
import { findingsOf, jobCondition } from "./findings.ts"

const now = new Date("2026-11-21T12:00:00Z")
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const daysAgo = (days: number) => minutesAgo(days * 1_440)

const connection: NonNullable<SystemFacts["connection"]> = {
  receiptsSeenUntil: now,
  lastContactAt: now,
  lastFailure: null,
  lastWebhookAt: null,
  webhookRegisteredAt: minutesAgo(60),
}
const check = { id: "1", requestedBy: null, error: null, postingCount: 7, differenceCount: 0, differences: [] }
const checked = { ...check, startedAt: minutesAgo(1), finishedAt: now }
const backup = { id: "1", requestedBy: null, file: "a.backup", sizeBytes: 6, error: null }
const made = { ...backup, startedAt: minutesAgo(60), finishedAt: minutesAgo(60) }
const restored = {
  ...{ finishedAt: daysAgo(89), checkedBy: "ana@caixa-1", file: "a.backup", takenAt: daysAgo(90) },
  ...{ rowCount: 9, differenceCount: 0 as number | null, seconds: 3, error: null as string | null },
}
const backups = { folder: "/b", isElsewhere: false, isEncrypted: true, isExposed: false, isRealMoney: true }
const node = { id: "1", host: "caixa-1", version: "1", startedAt: minutesAgo(60), clockSkewSeconds: 0 }
const idle = { count: 0, oldestAt: null }

/** A real bank, with all that an operator can do done. */
const healthy: SystemFacts = {
  now,
  bank: { name: "efi", certificateEndsAt: null },
  connection,
  inbox: { waiting: 0, oldestAt: null, failing: [] },
  mails: { waiting: 0, oldestAt: null, givenUp: 0, problems: [] },
  ...{ payouts: idle, refunds: idle, removals: idle },
  jobs: [],
  ledgerCheck: { isRunning: false, last: checked, result: checked },
  backup: { isRunning: false, last: made, done: made, restoreCheck: restored },
  backups,
  nodes: [node],
  database: { sizeBytes: 1, migration: "1", version: "18.4", replicas: [] },
  newestMigration: 1,
  machine: { disk: { freeBytes: 50, totalBytes: 100 }, certificateEndsAt: null, isDatabaseEmbedded: false },
  protection: "strict",
  guard: { approvers: 2, secondApprovalAboveCents: 500_000 as Cents },
}

/** The findings that are not well, worded. */
function illOf(changes: Partial<SystemFacts>): string[] {
  const findings = findingsOf({ ...healthy, ...changes }).filter(({ tone }) => tone !== "success")
  return findings.map(({ tone, says }) => `${tone}: ${says}`)
}

test("an installation for which all was done is well, and the doctor ends with 0", () => {
  expect(illOf({})).toEqual([])
  const { lines, exitCode } = reportOf(healthy)
  expect([lines.at(-1), exitCode]).toEqual(["Tudo em ordem.", 0])
  expect(lines).toContain("✓ Contabilidade: Todos os saldos e totais conferem.")
})

test("what never happened is a warning on the screen and in the doctor, and a bank without a backup ends it with 1", () => {
  const never: Partial<SystemFacts> = {
    ledgerCheck: { isRunning: false, last: null, result: null },
    backup: { isRunning: false, last: null, done: null, restoreCheck: null },
  }
  const sandbox = { ...backups, isRealMoney: false }
  expect(illOf({ ...never, backups: sandbox })).toEqual([
    "warning: Ainda não foi verificada",
    "warning: Nenhum backup foi feito",
    "warning: Nenhuma restauração foi experimentada",
  ])
  const { lines, exitCode } = reportOf({ ...healthy, ...never, backups: sandbox })
  expect(lines.filter((line) => line.startsWith("!"))).toHaveLength(3)
  expect([lines.at(-1), exitCode]).toEqual(["Nenhum problema; 3 pontos pedem atenção.", 0])

  expect(illOf(never)).toContain("danger: Nenhum backup foi feito")
  expect(illOf({ backups: { ...backups, folder: null } })).toEqual(["danger: O servidor não faz backups"])
  const withoutAny = reportOf({ ...healthy, backups: { ...backups, folder: null } })
  expect([withoutAny.lines.at(-1), withoutAny.exitCode]).toEqual([
    "Um problema a resolver já; 0 pontos pedem atenção.",
    1,
  ])
  expect(illOf({ ...never, backups: { ...backups, folder: null, isElsewhere: true } })).toEqual([
    "warning: Ainda não foi verificada",
  ])
})

test.for([
  ["in clear text", { backups: { ...backups, isExposed: true } }, ["warning"]],
  [
    "none for two days",
    { backup: { ...healthy.backup, last: { ...made, startedAt: daysAgo(2) }, done: null } },
    ["danger"],
  ],
  ["cut off", { backup: { ...healthy.backup, last: { ...made, finishedAt: null } } }, ["warning"]],
  ["one failed since", { backup: { ...healthy.backup, last: { ...made, error: "ENOSPC" } } }, ["warning"]],
  ["an old one", { backup: { ...healthy.backup, done: { ...made, startedAt: minutesAgo(37 * 60) } } }, ["danger"]],
  ["never restored", { backup: { ...healthy.backup, restoreCheck: null } }, ["warning"]],
  [
    "restored long ago",
    { backup: { ...healthy.backup, restoreCheck: { ...restored, finishedAt: daysAgo(91) } } },
    ["warning"],
  ],
  [
    "restored with differences",
    { backup: { ...healthy.backup, restoreCheck: { ...restored, differenceCount: 1 } } },
    ["danger"],
  ],
  ["not restorable", { backup: { ...healthy.backup, restoreCheck: { ...restored, error: "danificado" } } }, ["danger"]],
] satisfies [string, Partial<SystemFacts>, string[]][])("the backup: %s", ([, changes, tones]) => {
  expect(illOf(changes).map((line) => line.split(":")[0])).toEqual(tones)
})

const failedAt = (minutes: number) => ({ at: minutesAgo(minutes), call: "findReceipt", message: "503" })

test.for([
  ["a failure that an answer followed is past", { lastFailure: failedAt(3), lastContactAt: minutesAgo(1) }, []],
  ["some calls fail now", { lastFailure: failedAt(0), lastContactAt: minutesAgo(2) }, ["warning"]],
  ["nobody answers", { lastFailure: failedAt(0), lastContactAt: minutesAgo(6) }, ["danger"]],
  ["nobody ever answered", { lastFailure: failedAt(0), lastContactAt: null }, ["danger"]],
  ["reconciliation is late", { receiptsSeenUntil: minutesAgo(5) }, ["warning"]],
  ["reconciliation stands still", { receiptsSeenUntil: minutesAgo(30) }, ["danger"]],
  ["reconciliation has seen the future", { receiptsSeenUntil: minutesAgo(-5) }, ["danger"]],
  ["no webhook yet", { webhookRegisteredAt: null }, ["warning"]],
  ["two things at once", { webhookRegisteredAt: null, receiptsSeenUntil: minutesAgo(30) }, ["danger", "warning"]],
] satisfies [string, Partial<typeof connection>, string[]][])("the provider: %s", ([, changes, tones]) => {
  expect(illOf({ connection: { ...connection, ...changes } }).map((line) => line.split(":")[0])).toEqual(tones)
})

test.for([
  [31, []],
  [29, ["warning"]],
  [8, ["warning"]],
  [6, ["danger"]],
  [0.5, ["danger"]],
  [-1, ["danger"]],
] as const)("a bank's certificate with %s days left", ([days, tones]) => {
  const bank = { name: "efi", certificateEndsAt: daysAgo(-days) }
  expect(illOf({ bank }).map((line) => line.split(":")[0])).toEqual(tones)
})

test("queues are well while they move", () => {
  const inbox = { waiting: 3, oldestAt: minutesAgo(1), failing: [] }
  expect(illOf({ inbox })).toEqual([])
  expect(illOf({ inbox: { ...inbox, oldestAt: minutesAgo(3) } })).toEqual(["warning: Há avisos esperando há 3 min"])
  const mails = { waiting: 0, oldestAt: null, givenUp: 1, problems: [] }
  expect(illOf({ mails })).toEqual(["warning: 1 e-mail não entregue nos últimos 7 dias"])
  expect(illOf({ refunds: { count: 1, oldestAt: minutesAgo(16) } })).toEqual([
    "warning: Há dinheiro a caminho há mais de 15 minutos",
  ])
})

test("a job is well unless it fails or no longer comes", () => {
  const job = {
    ...{ name: "send-mails", everySeconds: 1, lastStartedAt: now, lastDurationMs: 3, lastSucceededAt: now },
    ...{ lastFailedAt: null, lastError: null, failuresInRow: 0 },
  }
  const toneOf = (changes: object) => jobCondition({ ...job, ...changes }, now).tone
  expect([0, 1, 3].map((failuresInRow) => toneOf({ failuresInRow }))).toEqual(["success", "warning", "danger"])
  expect(toneOf({ lastStartedAt: minutesAgo(3) })).toBe("warning")
  expect(toneOf({ lastStartedAt: minutesAgo(20), everySeconds: 600 })).toBe("success")
  expect(illOf({ jobs: [job, { ...job, failuresInRow: 1 }] })).toEqual(["warning: 1 tarefa precisa de atenção"])
})

test("a difference in the books is the worst there is, and an old proof is none", () => {
  const of = (result: typeof checked, last = result) => illOf({ ledgerCheck: { isRunning: false, last, result } })
  expect(of({ ...checked, differenceCount: 2 })).toEqual(["danger: 2 diferenças encontradas"])
  expect(of(checked, { ...checked, error: "x" } as never)).toEqual(["warning: A última verificação não terminou"])
  expect(of({ ...checked, finishedAt: daysAgo(3) })).toEqual(["warning: Última verificação há 3 dias"])
})

test("one administrator alone, or no limit for one, is warned of where protection is strict", () => {
  const alone = { ...healthy.guard, approvers: 1 }
  expect(illOf({ guard: alone })).toHaveLength(1)
  expect(illOf({ guard: { ...healthy.guard, secondApprovalAboveCents: null } })).toHaveLength(1)
  expect(illOf({ protection: "relaxed", guard: alone })).toEqual([])
})

test("a full disk, a certificate near its end, a replica that lags and another schema are named", () => {
  const machine = (changes: object) => illOf({ machine: { ...healthy.machine, ...changes } })
  expect(machine({ disk: { freeBytes: 9, totalBytes: 100 } })).toEqual(["warning: Resta 9% do disco do servidor"])
  expect(machine({ disk: { freeBytes: 2, totalBytes: 100 } })).toEqual(["danger: Resta 2% do disco do servidor"])
  expect(machine({ certificateEndsAt: daysAgo(-10) })).toEqual(["warning: O certificado do site vence em 10 dias"])
  expect(machine({ certificateEndsAt: daysAgo(1) })).toEqual(["danger: O certificado do site venceu"])
  expect(machine({ isDatabaseEmbedded: true })).toEqual(["warning: O PostgreSQL embutido guarda dinheiro de verdade"])
  const replica = { name: "b", state: "streaming", isSynchronous: true, behindBytes: 0, lagSeconds: 0 }
  const replicas = (changes: object) =>
    illOf({ database: { ...healthy.database, replicas: [{ ...replica, ...changes }] } })
  expect(replicas({})).toEqual([])
  expect(replicas({ state: null, lagSeconds: null })).toEqual([])
  expect(replicas({ state: "catchup" })).toEqual(["warning: A réplica b não acompanha"])
  expect(replicas({ lagSeconds: 600 })).toEqual(["warning: A réplica b está atrasada 10 min"])
  expect(illOf({ newestMigration: 2 })).toEqual([
    "danger: O banco de dados está na migração 1, e esta versão conhece até a 2",
  ])
  expect(illOf({ nodes: [] })).toEqual(["danger: Nenhum servidor está no ar"])
})

test("a server's clock that differs from the bank's by more than a minute is named", () => {
  const of = (clockSkewSeconds: number | null) => illOf({ nodes: [{ ...node, clockSkewSeconds }] })
  expect([null, 0, 60, -60].flatMap(of)).toEqual([])
  expect(of(172_794)).toEqual(["danger: O relógio de caixa-1 está 2 dias adiantado em relação ao do banco"])
  expect(of(-1_201)).toEqual(["danger: O relógio de caixa-1 está 20 min atrasado em relação ao do banco"])
})
