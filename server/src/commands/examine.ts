import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FindingTone, systemPartLabels } from "@tilinta/contract/vocabulary/system"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { webhookPath } from "#bank/psp-inbox/routes"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { version } from "#kit/machine"
import type { SystemFacts } from "#overviews/system-status/finding"
import { findingsOf } from "#overviews/system-status/findings"
import { type ApiPixOptions, bankOptions } from "#psp/api-pix/api-pix-psp"
import { checkAccount, type Trials } from "#psp/api-pix/check-account"
import type { Finding } from "#psp/api-pix/findings"
import { bankProfiles } from "#psp/api-pix/profiles"
import { connectByName, simulatorOptions } from "#psp/connect-psp"
import type { Env } from "#start/env"

const log = createLog("silent")

const marks = { success: "✓", warning: "!", danger: "✗" } as const

/** The list of the screen Sistema for a terminal and for scripts. */
export function reportOf(facts: SystemFacts): { lines: string[]; exitCode: 0 | 1 } {
  const findings = findingsOf(facts)
  const count = (wanted: FindingTone) => findings.filter(({ tone }) => tone === wanted).length
  const [problems, warnings] = [count("danger"), count("warning")]
  const lines = findings.map(({ part, tone, says, advice }) => {
    const line = `${marks[tone]} ${systemPartLabels[part]}: ${says}.`
    return advice === null ? line : `${line} ${advice}`
  })
  return {
    lines: [`Tilinta ${version}, PostgreSQL ${facts.database.version}`, ...lines, closing(problems, warnings)],
    exitCode: problems > 0 ? 1 : 0,
  }
}

function closing(problems: number, warnings: number): string {
  if (problems + warnings === 0) return "Tudo em ordem."
  const attention = `${warnings} ${warnings === 1 ? "ponto pede" : "pontos pedem"} atenção`
  if (problems === 0) return `Nenhum problema; ${attention}.`
  return `${problems === 1 ? "Um problema" : `${problems} problemas`} a resolver já; ${attention}.`
}

/** Tests the configured account at the provider. Only the trials make anything there, and remove it again. */
export async function* findingsAtBank(env: Env, trials: Trials): AsyncGenerator<Finding> {
  const profile = bankProfiles[env.pixProvider]
  if (profile !== undefined) yield* findingsOfAccount(env, bankOptions(profile, env.pix, log), trials)
  else if (env.pixProvider !== "simulator") yield* findingsOfList(env)
  else yield* findingsAtSimulator(env, trials)
}

function findingsOfAccount(env: Env, options: ApiPixOptions, trials: Trials): AsyncGenerator<Finding> {
  const webhookPrefix = env.publicUrl + webhookPath(options.name, "")
  return checkAccount(options, { webhookPrefix, ...trials })
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
async function* findingsAtSimulator(env: Env, trials: Trials): AsyncGenerator<Finding> {
  const { url, receiverKey } = env.simulator
  if (url !== null && receiverKey !== null) {
    yield* findingsOfAccount(env, simulatorOptions({ ...env.simulator, url, receiverKey }, log), trials)
    return
  }
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-check-"))
  const simulator = await startSimulator({ ...env.simulator, port: 0, dataDir, receiverKey: receiverKey ?? undefined })
  try {
    yield* findingsOfAccount(env, simulatorOptions({ ...env.simulator, ...simulator }, log), trials)
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
