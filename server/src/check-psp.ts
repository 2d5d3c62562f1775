import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { webhookPath } from "#http/psp-webhooks/pix-webhook-routes"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import type { ApiPixOptions } from "#psp/api-pix/api-pix-psp"
import { bankProfiles } from "#psp/api-pix/bank-profiles"
import { checkAccount, type Finding } from "#psp/api-pix/check-account"
import { bankOptions } from "#psp/api-pix/connect-bank"
import { connectByName, simulatorOptions } from "#psp/connect-psp"
import { type Env, readEnv } from "./env.ts"

const log = createLog("silent")

/** `npm run psp:check`: tests the configured account at the provider. Exit 1 when something fails. */
async function main(): Promise<number> {
  const env = readEnv(process.env)
  const createsCharge = process.argv.includes("--criar")
  process.stdout.write(
    `Verificando ${env.pixProvider} (${env.pixProvider === "simulator" ? "teste" : env.pix.environment})\n`,
  )
  const profile = bankProfiles[env.pixProvider]
  if (profile !== undefined) return report(findingsAt(env, bankOptions(profile, env.pix, log), createsCharge))
  if (env.pixProvider !== "simulator") return report(findingsOfList(env))
  return withSimulator(env, (options) => report(findingsAt(env, options, createsCharge)))
}

function findingsAt(env: Env, options: ApiPixOptions, createsCharge: boolean): AsyncGenerator<Finding> {
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
async function withSimulator(env: Env, run: (options: ApiPixOptions) => Promise<number>): Promise<number> {
  const { url, receiverKey } = env.simulator
  if (url !== null && receiverKey !== null) return run(simulatorOptions({ ...env.simulator, url, receiverKey }, log))
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-check-"))
  const simulator = await startSimulator({ ...env.simulator, port: 0, dataDir, receiverKey: receiverKey ?? undefined })
  try {
    return await run(simulatorOptions({ ...env.simulator, ...simulator }, log))
  } finally {
    await simulator.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function report(findings: AsyncIterable<Finding>): Promise<number> {
  let failures = 0
  for await (const { works, what, found, advice } of findings) {
    if (!works) failures += 1
    process.stdout.write(`${works ? "✓" : "✗"} ${what}: ${found}${advice === undefined ? "" : ` ${advice}`}\n`)
  }
  process.stdout.write(failures === 0 ? "Tudo em ordem.\n" : `Há ${failures} problema(s) a resolver.\n`)
  return failures === 0 ? 0 : 1
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const line = error instanceof StartError ? error.message : `A verificação falhou: ${String(error)}`
    process.stderr.write(`${line}\n`)
    process.exit(2)
  },
)
