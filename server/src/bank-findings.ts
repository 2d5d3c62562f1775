import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { webhookPath } from "#http/psp-webhooks/pix-webhook-routes"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import type { ApiPixOptions } from "#psp/api-pix/api-pix-psp"
import { bankProfiles } from "#psp/api-pix/bank-profiles"
import { checkAccount, type Finding } from "#psp/api-pix/check-account"
import { bankOptions } from "#psp/api-pix/connect-bank"
import { connectByName, simulatorOptions } from "#psp/connect-psp"
import type { Env } from "./env.ts"

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
export async function tellFindings(findings: AsyncIterable<Finding>, say: (line: string) => void): Promise<number> {
  let failures = 0
  for await (const { works, what, found, advice } of findings) {
    if (!works) failures += 1
    say(`${works ? "✓" : "✗"} ${what}: ${found}${advice === undefined ? "" : ` ${advice}`}`)
  }
  say(failures === 0 ? "Tudo em ordem." : `Há ${failures} problema(s) a resolver.`)
  return failures
}
