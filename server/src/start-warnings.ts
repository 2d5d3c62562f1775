import { isLoopback } from "#kit/client-network"
import { StartError } from "#kit/start-error"
import type { Env } from "./env.ts"

/** Settings that work, but hardly as meant: no reason not to start, so they go to the log. */
export function startWarnings({
  pixProvider,
  smtpUrl,
  host,
  namesProxies,
  databaseUrl,
  backupDir,
  simulator,
}: Env): string[] {
  return [
    ...(pixProvider !== "simulator" && smtpUrl === null
      ? ["without SMTP_URL no mail leaves, and none is shown either"]
      : []),
    ...(pixProvider !== "simulator" && databaseUrl === null && backupDir === null
      ? ["without BACKUP_DIR nobody makes backups of the embedded database"]
      : []),
    ...(pixProvider === "simulator" && simulator.openTo.length > 0
      ? [`SIMULATOR_OPEN_TO shows the sandbox's mails, whose links set passwords, to ${simulator.openTo.join(", ")}`]
      : []),
    ...(host !== "localhost" && !isLoopback(host) && !namesProxies
      ? [
          `HOST=${host} takes calls from other machines, and without TRUSTED_PROXIES the X-Forwarded-For of none is ` +
            "believed: behind a proxy on another machine all clients look like one; name the proxy in TRUSTED_PROXIES",
        ]
      : []),
  ]
}

/** Strict protection rests on mails: without them no seller confirms an address, and no owner hears of a theft. */
export function requireMail({ pixProvider, protection, smtpUrl }: Env): void {
  if (pixProvider === "simulator" || protection === "relaxed" || smtpUrl !== null) return
  throw new StartError(
    `Variável de ambiente SMTP_URL ausente: com PIX_PROVIDER=${pixProvider} e PROTECTION=strict os e-mails precisam sair.`,
  )
}
