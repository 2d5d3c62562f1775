import { readEnv } from "#start/env"
import { findingsAtBank, printFindings } from "./examine.ts"
import { runCommand } from "./run-command.ts"

const usage = "Uso: npm run psp:check [-- --criar --automatico]"

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** `npm run psp:check`: tests the configured account at the provider. Exit 1 when something fails. */
async function run(): Promise<number> {
  const env = readEnv(process.env)
  say(`Verificando ${env.pixProvider} (${env.pixProvider === "simulator" ? "teste" : env.pix.environment})`)
  const trials = {
    createsCharge: process.argv.includes("--criar"),
    createsRecurrence: process.argv.includes("--automatico"),
  }
  const failures = await printFindings(findingsAtBank(env, trials), say)
  return failures === 0 ? 0 : 1
}

await runCommand({ usage, failure: "A verificação falhou", failureCode: 2, run })
