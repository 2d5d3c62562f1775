import { parseArgs } from "node:util"
import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pool"
import { createDb, type Db } from "#db/transaction"
import { listAdminEmails } from "#domain/people/users/list-active-admins"
import { printAdminLink, printedLinkMinutes } from "#domain/people/users/print-admin-link"
import { systemClock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { readEnv } from "./env.ts"

/**
 * `npm run admin:reset [-- E-MAIL] [--sem-fatores]`: prints a link to a new password for an administrator, beside the
 * running server. Exit 1 when it can't.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { "sem-fatores": { type: "boolean", default: false } },
    allowPositionals: true,
  })
  const env = readEnv(process.env)
  const log = createLog("silent")
  const embedded = env.databaseUrl === null ? await connectEmbedded({ dataDir: env.dataDir, log }) : null
  const pool = createPool({ url: env.databaseUrl ?? embedded?.url ?? "", max: 1, applicationName: "admin" })
  try {
    const db = createDb(pool)
    const email = await chooseAdmin(db, positionals[0] ?? null)
    const removesFactors = values["sem-fatores"]
    const { token } = await printAdminLink({ db, clock: systemClock }, { email, removesFactors })
    process.stdout.write(
      `${env.publicUrl}/reset-password/${token}\n` +
        `O link dá uma nova senha a ${email}, uma vez, durante ${printedLinkMinutes} minutos. As sessões foram encerradas` +
        `${removesFactors ? " e os segundos fatores removidos" : "; os segundos fatores continuam (--sem-fatores os remove)"}.\n`,
    )
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

async function chooseAdmin(db: Db, wanted: string | null): Promise<string> {
  if (wanted !== null) return wanted
  const emails = await listAdminEmails(db)
  const [only] = emails
  if (only !== undefined && emails.length === 1) return only
  if (only === undefined) throw new StartError("Não há administrador ativo: inicie o servidor com ADMIN_EMAIL.")
  throw new StartError(`Há ${emails.length} administradores; diga qual: npm run admin:reset -- ${emails.join(" | ")}`)
}

main().catch((error: unknown) => {
  const line =
    error instanceof DomainError && error.code === "user_not_found"
      ? "Nenhum administrador ativo tem esse e-mail."
      : error instanceof StartError
        ? error.message
        : `O link não pôde ser criado: ${String(error)}`
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
})
