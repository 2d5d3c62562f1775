import { StartError } from "#kit/errors"
import { isLoopback } from "#kit/outside"
import { moneyKindOf } from "#psp/pix-settings"
import type { Env } from "./env.ts"

/** Settings that work, but hardly as meant: no reason not to start, so they go to the log. */
export function startWarnings(env: Env): string[] {
  const isSandbox = env.pixProvider === "simulator"
  const warnings: string[] = []
  if (!isSandbox && env.smtpUrl === null) warnings.push("without SMTP_URL no mail leaves, and none is shown either")
  if (!isSandbox && env.databaseUrl === null && env.backupDir === null) {
    warnings.push("without BACKUP_DIR nobody makes backups of the embedded database")
  }
  if (exposesBackups(env)) {
    warnings.push("without BACKUP_KEY backups are in clear text: names, CPFs and password hashes of real people")
  }
  if (isSandbox && env.simulator.openTo.length > 0) {
    const networks = env.simulator.openTo.join(", ")
    warnings.push(`SIMULATOR_OPEN_TO shows the sandbox's mails, whose links set passwords, to ${networks}`)
  }
  if (env.host !== "localhost" && !isLoopback(env.host) && !env.namesProxies) {
    warnings.push(
      `HOST=${env.host} takes calls from other machines, and without TRUSTED_PROXIES the X-Forwarded-For of none is ` +
        "believed: behind a proxy on another machine all clients look like one; name the proxy in TRUSTED_PROXIES",
    )
  }
  return warnings
}

/** Real people's data lie in clear text in every backup, wherever it is copied. */
export function exposesBackups({ pixProvider, pix, backupKeys }: Env): boolean {
  return backupKeys === null && moneyKindOf(pixProvider, pix) === "real"
}

/** Strict protection rests on mails: without them no seller confirms an address, and no owner hears of a theft. */
export function requireMail({ pixProvider, protection, smtpUrl }: Env): void {
  if (pixProvider === "simulator" || protection === "relaxed" || smtpUrl !== null) return
  throw new StartError(
    `Variável de ambiente SMTP_URL ausente: com PIX_PROVIDER=${pixProvider} e PROTECTION=strict os e-mails precisam sair.`,
  )
}
