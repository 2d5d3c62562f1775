import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { webhookPath } from "#bank/psp-inbox/routes"
import type { Db } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { type MachineFacts, version } from "#kit/machine"
import { readSystemStatus, type SystemStatus } from "#overviews/system-status/status"
import { type ApiPixOptions, bankOptions } from "#psp/api-pix/api-pix-psp"
import { checkAccount, type Finding } from "#psp/api-pix/check-account"
import { bankProfiles } from "#psp/api-pix/profiles"
import { connectByName, simulatorOptions } from "#psp/connect-psp"
import type { Env } from "#start/env"

interface Examined {
  db: Db
  /** Its name in the books. */
  provider: string
  bankCertificateEndsAt: Date | null
  facts: MachineFacts
  /** The newest migration that this version knows. */
  newestMigration: number
  /** BACKUP_DIR is set. */
  makesBackups: boolean
  /** Real money without BACKUP_KEY. */
  exposesBackups: boolean
  now: Date
}

const daySeconds = 86_400
const limits = {
  skewSeconds: 60,
  silentSeconds: 600,
  lagSeconds: 60,
  backupHours: 36,
  restoreDays: 90,
  bankCertificateDays: 7,
  siteCertificateDays: 3,
  diskShare: 0.03,
}
const dayFormat = new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Sao_Paulo" })

/** The state of an installation, a line each: what the screen Sistema shows, for a terminal and for scripts. */
export async function* examine(examined: Examined): AsyncGenerator<Finding> {
  yield { works: true, what: "Versão", found: `${version}.` }
  const status = await readSystemStatus(examined.db, examined.provider, examined.now)
  yield* databaseFindings(status, examined.newestMigration)
  yield* nodeFindings(status)
  yield providerFinding(status, examined.now)
  yield queueFinding(status)
  yield booksFinding(status)
  yield backupFinding(status, examined)
  yield encryptionFinding(examined)
  yield restoreFinding(status, examined)
  yield certificateFinding(
    "Certificado do banco",
    examined.bankCertificateEndsAt,
    limits.bankCertificateDays,
    examined.now,
  )
  yield certificateFinding(
    "Certificado do site",
    examined.facts.certificateEndsAt,
    limits.siteCertificateDays,
    examined.now,
  )
  yield diskFinding(examined.facts)
}

function* databaseFindings({ database }: SystemStatus, newest: number): Generator<Finding> {
  const { sizeBytes, version: postgres, migration, replicas } = database
  yield { works: true, what: "Banco de dados", found: `PostgreSQL ${postgres}, ${megabytes(sizeBytes)}.` }
  const isPresent = Number(migration) === newest
  const schema = { what: "Esquema", found: `migração ${migration}, e esta versão conhece até a ${newest}.` }
  yield isPresent ? { works: true, ...schema } : { works: false, ...schema, advice: "Inicie o servidor desta versão." }
  if (replicas.length === 0) yield { works: true, what: "Réplicas", found: "nenhuma." }
  for (const { name, state, lagSeconds, behindBytes } of replicas) {
    const what = `Réplica ${name}`
    const isWell = (state ?? "streaming") === "streaming" && (lagSeconds ?? 0) <= limits.lagSeconds
    const lag = behindBytes === null ? "" : `, ${megabytes(behindBytes)} e ${Math.round(lagSeconds ?? 0)} s atrás`
    const found = `${state ?? "conectada"}${lag}.`
    yield isWell
      ? { works: true, what, found }
      : { works: false, what, found, advice: "Confira a réplica e a rede até ela." }
  }
}

function* nodeFindings({ nodes }: SystemStatus): Generator<Finding> {
  const what = "Servidores"
  if (nodes.length === 0) yield { works: false, what, found: "nenhum no ar.", advice: "Inicie-o com npm start." }
  for (const { host, version: theirs, clockSkewSeconds: skew } of nodes) {
    const isRight = Math.abs(skew ?? 0) <= limits.skewSeconds
    const found = `versão ${theirs}, relógio ${skew === null ? "ainda sem comparação com o" : `a ${skew} s do`} banco.`
    const finding = { what: `Servidor ${host}`, found }
    yield isRight ? { works: true, ...finding } : { works: false, ...finding, advice: "Acerte a hora (NTP)." }
  }
}

function providerFinding({ connection }: SystemStatus, now: Date): Finding {
  const what = "Provedor"
  const at = connection?.lastContactAt ?? null
  if (at === null) return { works: true, what, found: "ainda sem contato." }
  const seconds = Math.round((now.getTime() - at.getTime()) / 1000)
  const found = `respondeu há ${seconds} s.`
  if (seconds <= limits.silentSeconds) return { works: true, what, found }
  return { works: false, what, found, advice: "npm run psp:check diz mais." }
}

function queueFinding({ inbox, mails }: SystemStatus): Finding {
  const found = `${inbox.waiting} avisos do banco e ${mails.waiting} e-mails esperam; ${mails.givenUp} e-mails não saíram.`
  if (inbox.failing.length === 0 && mails.givenUp === 0) return { works: true, what: "Filas", found }
  return { works: false, what: "Filas", found, advice: "A tela Sistema mostra quais." }
}

function booksFinding({ ledgerCheck: { result } }: SystemStatus): Finding {
  const what = "Contabilidade"
  if (result === null) return { works: true, what, found: "ainda não verificada." }
  const count = result.differenceCount ?? 0
  if (count === 0) return { works: true, what, found: "tudo confere." }
  return { works: false, what, found: `${count} diferença(s).`, advice: "Pare os saques e leia docs/operations.md." }
}

function backupFinding({ backup: { done } }: SystemStatus, { makesBackups, now }: Examined): Finding {
  const what = "Último backup"
  const at = done?.finishedAt ?? null
  const hours = at === null ? Number.POSITIVE_INFINITY : Math.round((now.getTime() - at.getTime()) / 3_600_000)
  const found = at === null ? "nenhum feito pelo servidor." : `há ${hours} h, ${megabytes(done?.sizeBytes ?? 0)}.`
  if (!makesBackups || hours <= limits.backupHours) return { works: true, what, found }
  return { works: false, what, found, advice: "A tela Sistema diz por quê." }
}

function encryptionFinding({ exposesBackups }: Examined): Finding {
  const what = "Cifra dos backups"
  if (!exposesBackups) return { works: true, what, found: "nenhum dado de pessoas reais em texto claro." }
  const found = "BACKUP_KEY não está definida: nomes, CPFs e hashes de senhas saem em texto claro."
  return { works: false, what, found, advice: "Gere uma com openssl rand -base64 32 e guarde-a fora desta máquina." }
}

function restoreFinding({ backup: { done, restoreCheck } }: SystemStatus, { makesBackups, now }: Examined): Finding {
  const what = "Última restauração"
  const advice = "Experimente uma: npm run restore -- ARQUIVO --verify."
  if (restoreCheck === null) {
    const found = "nenhuma foi experimentada."
    return makesBackups && done !== null ? { works: false, what, found, advice } : { works: true, what, found }
  }
  const { file, checkedBy, finishedAt, differenceCount, error } = restoreCheck
  const days = Math.floor((now.getTime() - finishedAt.getTime()) / 1_000 / daySeconds)
  const who = `${file}, por ${checkedBy} em ${dayFormat.format(finishedAt)}`
  if (error !== null) return { works: false, what, found: `falhou (${who}): ${error}`, advice }
  if (differenceCount !== 0) {
    return {
      works: false,
      what,
      found: `${differenceCount} diferença(s) (${who}).`,
      advice: "Compare com outro backup.",
    }
  }
  const found = `tudo confere (${who}).`
  return days <= limits.restoreDays ? { works: true, what, found } : { works: false, what, found, advice }
}

function certificateFinding(what: string, endsAt: Date | null, leastDays: number, now: Date): Finding {
  if (endsAt === null) return { works: true, what, found: "nenhum." }
  const days = Math.floor((endsAt.getTime() - now.getTime()) / 1000 / daySeconds)
  const found = `vale até ${dayFormat.format(endsAt)} (${days} dias).`
  return days >= leastDays ? { works: true, what, found } : { works: false, what, found, advice: "Renove-o já." }
}

function diskFinding({ disk }: MachineFacts): Finding {
  const what = "Disco"
  if (disk === null) return { works: true, what, found: "não foi possível ler." }
  const found = `${megabytes(disk.freeBytes)} livres de ${megabytes(disk.totalBytes)}.`
  if (disk.freeBytes / disk.totalBytes >= limits.diskShare) return { works: true, what, found }
  return { works: false, what, found, advice: "Libere espaço: cheio, nada mais é gravado." }
}

function megabytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

const log = createLog("silent")

/** Tests the configured account at the provider. Only with `createsCharge` anything is made there, and removed again. */
export async function* findingsAtBank(env: Env, createsCharge: boolean): AsyncGenerator<Finding> {
  const profile = bankProfiles[env.pixProvider]
  if (profile !== undefined) yield* findingsOfAccount(env, bankOptions(profile, env.pix, log), createsCharge)
  else if (env.pixProvider !== "simulator") yield* findingsOfList(env)
  else yield* findingsAtSimulator(env, createsCharge)
}

function findingsOfAccount(env: Env, options: ApiPixOptions, createsCharge: boolean): AsyncGenerator<Finding> {
  const webhookPrefix = env.publicUrl + webhookPath(options.name, "")
  return checkAccount(options, { webhookPrefix, createsCharge })
}

/** Checks for a provider without API Pix, limited to what every provider supports. */
async function* findingsOfList(env: Env): AsyncGenerator<Finding> {
  const psp = connectByName[env.pixProvider]?.(env.pix, log)
  const what = "Pix recebidos"
  try {
    const hour = { from: secondsAfter(new Date(), -3600), to: new Date() }
    for await (const page of psp?.listReceipts(hour) ?? []) void page
    yield { works: true, what, found: "a lista responde." }
  } catch (error) {
    yield { works: false, what, found: `${(error as Error).message}.`, advice: "Confira as credenciais e a rede." }
  }
}

/** Uses the configured simulator, or starts a temporary one. */
async function* findingsAtSimulator(env: Env, createsCharge: boolean): AsyncGenerator<Finding> {
  const { url, receiverKey } = env.simulator
  if (url !== null && receiverKey !== null) {
    yield* findingsOfAccount(env, simulatorOptions({ ...env.simulator, url, receiverKey }, log), createsCharge)
    return
  }
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-check-"))
  const simulator = await startSimulator({ ...env.simulator, port: 0, dataDir, receiverKey: receiverKey ?? undefined })
  try {
    yield* findingsOfAccount(env, simulatorOptions({ ...env.simulator, ...simulator }, log), createsCharge)
  } finally {
    await simulator.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Says each finding in a line and returns how many don't work. */
export async function printFindings(findings: AsyncIterable<Finding>, say: (line: string) => void): Promise<number> {
  let failures = 0
  for await (const { works, what, found, advice } of findings) {
    if (!works) failures += 1
    say(`${works ? "✓" : "✗"} ${what}: ${found}${advice === undefined ? "" : ` ${advice}`}`)
  }
  say(failures === 0 ? "Tudo em ordem." : `Há ${failures} problema(s) a resolver.`)
  return failures
}
