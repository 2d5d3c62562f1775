import { parseArgs } from "node:util"
import type { Db, SoleDb } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { DomainError, StartError } from "#kit/errors"
import { printAdminLink, printedLinkMinutes } from "#people/users/first-admin"
import { findActiveAdminEmails } from "#people/users/reads"
import { readEnv } from "#start/env"
import { withOwnDatabase } from "./own-database.ts"
import { runCommand } from "./run-command.ts"

const usage = "Uso: npm run admin:reset [-- E-MAIL] [--sem-fatores]"

/**
 * `npm run admin:reset [-- E-MAIL] [--sem-fatores]`: prints a link to a new password for an administrator, next to the
 * running server. Exit 1 when it can't.
 */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { "sem-fatores": { type: "boolean", default: false } },
    allowPositionals: true,
  })
  if (positionals.length > 1) throw new StartError(usage)
  const env = readEnv(process.env)
  const removesFactors = values["sem-fatores"]
  const { email, token } = await withOwnDatabase(env, { max: 1, applicationName: "admin" }, (db) =>
    makeLink(db, positionals[0] ?? null, removesFactors),
  )
  process.stdout.write(
    `${env.publicUrl}/reset-password/${token}\n` +
      `O link dá uma nova senha a ${email}, uma vez, durante ${printedLinkMinutes} minutos. As sessões foram encerradas` +
      `${removesFactors ? " e os segundos fatores removidos" : "; os segundos fatores continuam (--sem-fatores os remove)"}.\n`,
  )
  return 0
}

async function makeLink(db: SoleDb, wanted: string | null, removesFactors: boolean) {
  const email = await chooseAdmin(db, wanted)
  try {
    const { token } = await printAdminLink({ db, clock: systemClock }, { email, removesFactors })
    return { email, token }
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "user_not_found") throw error
    throw new StartError("Nenhum administrador ativo tem esse e-mail.")
  }
}

async function chooseAdmin(db: Db, wanted: string | null): Promise<string> {
  if (wanted !== null) return wanted
  const emails = await findActiveAdminEmails(db)
  const [only] = emails
  if (only !== undefined && emails.length === 1) return only
  if (only === undefined) throw new StartError("Não há administrador ativo: inicie o servidor com ADMIN_EMAIL.")
  throw new StartError(`Há ${emails.length} administradores; diga qual: npm run admin:reset -- ${emails.join(" | ")}`)
}

await runCommand({ usage, failure: "O link não pôde ser criado", run })
