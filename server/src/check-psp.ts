import { StartError } from "#kit/start-error"
import { findingsAtBank, tellFindings } from "./bank-findings.ts"
import { readEnv } from "./env.ts"

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** `npm run psp:check`: tests the configured account at the provider. Exit 1 when something fails. */
async function main(): Promise<number> {
  const env = readEnv(process.env)
  say(`Verificando ${env.pixProvider} (${env.pixProvider === "simulator" ? "teste" : env.pix.environment})`)
  const failures = await tellFindings(findingsAtBank(env, process.argv.includes("--criar")), say)
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
