import { StartError } from "#kit/errors"
import { isLoopback } from "#kit/outside"
import type { BackupPlan } from "#platform/backups/make"
import { moneyKindOf } from "#psp/pix-settings"
import type { Env } from "./env.ts"

/** Settings that work, but hardly as meant: no reason not to start, so they go to the log. */
export function startWarnings(env: Env): string[] {
  const isSandbox = env.pixProvider === "simulator"
  const warnings: string[] = []
  if (!isSandbox && env.smtpUrl === null) warnings.push("without SMTP_URL no mail leaves, and none is shown either")
  const { folder, isElsewhere, isExposed } = backupPlanOf(env)
  if (!isSandbox && folder === null && !isElsewhere) {
    warnings.push("without BACKUP_DIR or BACKUP_ELSEWHERE nobody is known to make backups")
  }
  if (isExposed) {
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

export function backupPlanOf({ backupDir, backupElsewhere, backupKeys, pixProvider, pix }: Env): BackupPlan {
  const isRealMoney = moneyKindOf(pixProvider, pix) === "real"
  const isEncrypted = backupKeys !== null
  return {
    folder: backupDir,
    isElsewhere: backupElsewhere,
    isEncrypted,
    // Real people's data lie in clear text in every backup, wherever it is copied.
    isExposed: isRealMoney && !isEncrypted,
    isRealMoney,
  }
}

/** Strict protection rests on mails: without them no seller confirms an address, and no owner hears of a theft. */
export function requireMail({ pixProvider, protection, smtpUrl }: Env): void {
  if (pixProvider === "simulator" || protection === "relaxed" || smtpUrl !== null) return
  throw new StartError(
    `Variável de ambiente SMTP_URL ausente: com PIX_PROVIDER=${pixProvider} e PROTECTION=strict os e-mails precisam sair.`,
  )
}
