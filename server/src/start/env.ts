import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { isEmail } from "@tilinta/contract/vocabulary/typed-data"
import * as z from "zod"
import { addressesOf } from "#db/route"
import { StartError } from "#kit/errors"
import type { OtlpTarget } from "#kit/otlp-tracer"
import { isLoopback } from "#kit/outside"
import type { Protection } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { connectByName, isTestBank, requireOwnHosts } from "#psp/connect-psp"
import { namingFormer, type PixSettings, pixEnvironments } from "#psp/pix-settings"
import {
  accountNumber,
  address,
  bankAddress,
  databaseAddress,
  debitAccount,
  drainSeconds,
  expectedHeader,
  explained,
  headerList,
  networkList,
  pixKey,
  port,
  proxyList,
  secretKeyList,
  share,
  siteAddress,
  workerCount,
} from "./env-fields.ts"

export type Env = {
  port: number
  host: string
  publicUrl: string
  /** Null where payers' pages share `publicUrl`. */
  payersUrl: string | null
  dataDir: string
  /** PostgreSQL's own address, of the tables' owner; null for the embedded one. */
  databaseUrl: string | null
  adminEmail: string | null
  adminPassword: string | null
  smtpUrl: string | null
  protection: Protection
  /** Null to keep a key of our own in `dataDir`. */
  secretsKey: ReturnType<SecretKeys> | null
  /** The keys of backups; null to write them in clear text. */
  backupKeys: ReturnType<SecretKeys> | null
  /** The folder of the server's own daily backups; null for none. */
  backupDir: string | null
  /** Another program makes the backups, so none of ours is missed. */
  backupElsewhere: boolean
  /** The second place of checkpoints. */
  checkpoint: { file: string | null; url: string | null }
  /** Proxies whose forwarded client address is trusted. */
  trustedProxies: readonly string[]
  metricsToken: string | null
  /** The collector of traces; null for none. */
  otlp: OtlpTarget | null
  /** False when TRUSTED_PROXIES is unset and only this machine is trusted. */
  namesProxies: boolean
  /** `simulator`, or the name of a provider with real money, configured in `pix`. */
  pixProvider: string
  pix: PixSettings
  /** The bank before this one, still asked about its own payments, refunds and codes; null without one. */
  formerBank: FormerBank | null
  /** The operator's word that codes at this former bank may be left where nobody looks. */
  leavesBank: string | null
  /** `receiverKey` is our account's Pix key there; a simulator that the server starts generates one. */
  simulator: {
    url: string | null
    clientId: string
    clientSecret: string
    receiverKey: string | null
    /** Networks that may read the sandbox's mails and use the bank's faults, in addition to this machine. */
    openTo: readonly string[]
    /** False: administrators pay withdrawals by hand, as at most banks. */
    sendsPayouts: boolean
  }
  /** How long a server that stops says that it is not ready, and still serves. */
  drainSeconds: number
  /** Server processes on this port. */
  workers: number
  logLevel: LogLevel
}

interface FormerBank {
  provider: string
  pix: PixSettings
}

type LogLevel = (typeof logLevels)[number]

export class EnvError extends StartError {
  override name = "EnvError"
}

const pixProviders = ["simulator", ...Object.keys(connectByName)]
const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const

const variables = z.object({
  PORT: explained(port, "use um número de 0 a 65535 (0 escolhe uma porta livre)").default(3000),
  HOST: explained(z.string().regex(/^\S+$/), "use um nome ou endereço sem espaços, como 127.0.0.1").default(
    "127.0.0.1",
  ),
  PUBLIC_URL: siteAddress(
    "use um endereço http:// ou https:// sem parâmetros, como https://pix.exemplo.com.br",
  ).nullable(),
  PAYERS_URL: siteAddress(
    "use um endereço http:// ou https:// sem caminho nem parâmetros, como https://pagar.exemplo.com.br",
  ).nullable(),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: databaseAddress("use postgres://usuario:senha@servidor:5432/banco").nullable(),
  ADMIN_EMAIL: explained(z.string().refine(isEmail), "use um endereço de e-mail").nullable(),
  ADMIN_PASSWORD: explained(z.string().min(8), "a senha deve ter pelo menos 8 caracteres").nullable(),
  SMTP_URL: address(["smtp:", "smtps:"], "use smtp://usuario:senha@servidor:587 ou smtps://…").nullable(),
  TRUSTED_PROXIES: explained(
    proxyList,
    "use endereços ou redes de um dono só, separados por vírgula, como 10.0.0.5,192.168.0.0/16",
  ).nullable(),
  PROTECTION: explained(z.enum(["strict", "relaxed"]), "valores aceitos: strict, relaxed").nullable(),
  SECRETS_KEY: secretKeyList(
    "use 32 bytes em base64 (openssl rand -base64 32); várias chaves, a nova primeiro, separadas por vírgula",
  ).nullable(),
  BACKUP_KEY: secretKeyList(
    "use 32 bytes em base64 (openssl rand -base64 32); várias chaves, a nova primeiro, separadas por vírgula",
  ).nullable(),
  BACKUP_DIR: z.string().nullable(),
  BACKUP_ELSEWHERE: explained(z.literal("sim"), "use sim, ou deixe sem valor").nullable(),
  OTEL_EXPORTER_OTLP_ENDPOINT: siteAddress(
    "use um endereço http:// ou https://, como http://127.0.0.1:4318",
  ).nullable(),
  OTEL_EXPORTER_OTLP_HEADERS: explained(headerList, "use nome=valor, separados por vírgula").nullable(),
  OTEL_SERVICE_NAME: z.string().default("tilinta"),
  OTEL_TRACES_SAMPLER_ARG: explained(share, "use um número de 0 a 1").default(1),
  METRICS_TOKEN: explained(z.string().regex(/^[!-~]{16,}$/), "use pelo menos 16 caracteres, sem espaços").nullable(),
  CHECKPOINT_FILE: z.string().nullable(),
  CHECKPOINT_URL: address(["http:", "https:"], "use um endereço http:// ou https:// que aceite PUT").nullable(),
  PIX_PROVIDER: explained(z.enum(pixProviders), `valores aceitos: ${pixProviders.join(", ")}`).default("simulator"),
  SIMULATOR_URL: siteAddress("use um endereço http:// ou https://, como http://127.0.0.1:4000").nullable(),
  SIMULATOR_CLIENT_ID: z.string().default("tilinta"),
  SIMULATOR_CLIENT_SECRET: z.string().default("tilinta-sandbox"),
  SIMULATOR_OPEN_TO: explained(
    networkList,
    "use endereços ou redes de um dono só, separados por vírgula, como 172.17.0.1,10.89.7.0/24",
  ).default([]),
  SIMULATOR_RECEIVER_KEY: pixKey("use uma chave Pix: CPF, CNPJ, e-mail, telefone ou chave aleatória").nullable(),
  SIMULATOR_PAYOUTS: explained(z.enum(["api", "by-hand"]), "use api ou by-hand").default("api"),
  PIX_ENVIRONMENT: explained(z.enum(pixEnvironments), `valores aceitos: ${pixEnvironments.join(", ")}`).default(
    "producao",
  ),
  PIX_CLIENT_ID: z.string().nullable(),
  PIX_CLIENT_SECRET: z.string().nullable(),
  PIX_KEY: pixKey(
    "use a chave Pix da conta que recebe: CPF, CNPJ, e-mail, telefone com DDD ou chave aleatória",
  ).nullable(),
  PIX_RECEIVER_NAME: explained(z.string().regex(/[A-Za-z]/), "use o nome de quem recebe").nullable(),
  PIX_RECEIVER_CITY: explained(z.string().regex(/[A-Za-z]/), "use a cidade de quem recebe").default("SAO PAULO"),
  PIX_CERT_FILE: z.string().nullable(),
  PIX_CERT_KEY_FILE: z.string().nullable(),
  PIX_CERT_PASSWORD: z.string().nullable(),
  PIX_CA_FILE: z.string().nullable(),
  PIX_APP_KEY: z.string().nullable(),
  PIX_ACCOUNT: explained(accountNumber, "use o número da conta corrente, só com dígitos").nullable(),
  PIX_BASE_URL: bankAddress("use um endereço https://").nullable(),
  PIX_TOKEN_URL: bankAddress("use um endereço https://").nullable(),
  PIX_WEBHOOK_KEY_FILE: z.string().nullable(),
  PIX_LEAVE_BANK: z.string().nullable(),
  PIX_DUE_CHARGES: explained(z.literal("sim"), "use sim, ou deixe sem valor").nullable(),
  PIX_AUTOMATIC_ACCOUNT: explained(
    debitAccount,
    "use agência/conta/tipo (corrente, poupanca ou pagamento), como 0001/1234567/corrente",
  ).nullable(),
  PIX_WEBHOOK_REPLACE: explained(z.literal("sim"), "use sim, ou deixe sem valor").nullable(),
  PIX_WEBHOOK_CERT_HEADER: expectedHeader("use nome:valor, como x-client-verify:SUCCESS").nullable(),
  DRAIN_SECONDS: explained(drainSeconds, "use um número de 0 a 60").default(0),
  WORKERS: explained(workerCount, "use um número de 1 a 64, ou auto (um por núcleo da máquina)").default(1),
  LOG_LEVEL: explained(z.enum(logLevels), `valores aceitos: ${logLevels.join(", ")}`).default("info"),
})

type VariableName = keyof typeof variables.shape

/** Error messages name the variable and never repeat its value, which may be a secret. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const read = parseVariables(source)
  requireOwnHosts(accountOf(read))
  if (read.PIX_PROVIDER !== "simulator") requireSafeAddress(read)
  if (read.PIX_PROVIDER !== "simulator" && read.PIX_ENVIRONMENT === "producao") requireSafeDatabase(read)
  return {
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    payersUrl: payersUrlOf(read),
    dataDir: resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    adminEmail: read.ADMIN_EMAIL ?? (read.ADMIN_PASSWORD === null ? null : "admin@localhost"),
    adminPassword: read.ADMIN_PASSWORD,
    smtpUrl: read.SMTP_URL,
    protection: protectionOf(read),
    secretsKey: read.SECRETS_KEY,
    backupKeys: read.BACKUP_KEY,
    backupDir: read.BACKUP_DIR === null ? null : resolve(read.BACKUP_DIR),
    backupElsewhere: read.BACKUP_ELSEWHERE !== null,
    trustedProxies: read.TRUSTED_PROXIES ?? ["loopback"],
    metricsToken: read.METRICS_TOKEN,
    otlp: otlpOf(read),
    checkpoint: { file: read.CHECKPOINT_FILE, url: read.CHECKPOINT_URL },
    namesProxies: read.TRUSTED_PROXIES !== null,
    pixProvider: read.PIX_PROVIDER,
    pix: pixSettingsOf(read),
    formerBank: formerBankOf(source),
    leavesBank: read.PIX_LEAVE_BANK,
    simulator: {
      url: read.SIMULATOR_URL,
      clientId: read.SIMULATOR_CLIENT_ID,
      clientSecret: read.SIMULATOR_CLIENT_SECRET,
      receiverKey: receiverKeyOf(read),
      openTo: read.SIMULATOR_OPEN_TO,
      sendsPayouts: read.SIMULATOR_PAYOUTS === "api",
    },
    drainSeconds: read.DRAIN_SECONDS,
    workers: read.WORKERS,
    logLevel: read.LOG_LEVEL,
  }
}

/** OpenTelemetry's own names, as its collectors document them. */
function otlpOf(read: z.output<typeof variables>): OtlpTarget | null {
  if (read.OTEL_EXPORTER_OTLP_ENDPOINT === null) return null
  return {
    url: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: read.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    service: read.OTEL_SERVICE_NAME,
    share: read.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** The former bank has the variables of any bank, each with FORMER in its name. */
function formerBankOf(source: Record<string, string | undefined>): FormerBank | null {
  const given = Object.entries(source).filter(([name, value]) => name.startsWith("PIX_FORMER_") && value?.trim() !== "")
  if (given.length === 0) return null
  return namingFormer(() => {
    const read = parseVariables(Object.fromEntries(given.map(([name, value]) => [name.replace("_FORMER", ""), value])))
    if (read.PIX_PROVIDER === "simulator") {
      throw new EnvError("Variável de ambiente PIX_PROVIDER ausente: diga o nome do banco anterior, como efi.")
    }
    requireOwnHosts(accountOf(read))
    return accountOf(read)
  })
}

function accountOf(read: z.output<typeof variables>): FormerBank {
  return { provider: read.PIX_PROVIDER, pix: pixSettingsOf(read) }
}

function pixSettingsOf(read: z.output<typeof variables>): PixSettings {
  return {
    environment: read.PIX_ENVIRONMENT,
    clientId: read.PIX_CLIENT_ID,
    clientSecret: read.PIX_CLIENT_SECRET,
    key: read.PIX_KEY,
    receiverName: read.PIX_RECEIVER_NAME,
    receiverCity: read.PIX_RECEIVER_CITY,
    certFile: read.PIX_CERT_FILE,
    certKeyFile: read.PIX_CERT_KEY_FILE,
    certPassword: read.PIX_CERT_PASSWORD,
    caFile: read.PIX_CA_FILE,
    appKey: read.PIX_APP_KEY,
    account: read.PIX_ACCOUNT,
    baseUrl: read.PIX_BASE_URL,
    tokenUrl: read.PIX_TOKEN_URL,
    webhookCertHeader: read.PIX_WEBHOOK_CERT_HEADER,
    webhookKeyFile: read.PIX_WEBHOOK_KEY_FILE,
    dueCharges: read.PIX_DUE_CHARGES === "sim",
    debitAccount: read.PIX_AUTOMATIC_ACCOUNT,
    replacesWebhook: read.PIX_WEBHOOK_REPLACE === "sim",
  }
}

/** A sandbox is relaxed unless it says otherwise, everything else strict. */
function protectionOf(read: z.output<typeof variables>): Protection {
  const { PROTECTION, PIX_PROVIDER, PIX_ENVIRONMENT } = read
  if (PIX_PROVIDER === "simulator") return PROTECTION ?? "relaxed"
  if (PROTECTION === "relaxed" && PIX_ENVIRONMENT === "producao") {
    throw new EnvError(
      `Variável de ambiente PROTECTION inválida: com PIX_PROVIDER=${PIX_PROVIDER} e dinheiro real use strict, ou deixe sem valor.`,
    )
  }
  if (PROTECTION === "relaxed" && !isTestBank(accountOf(read))) {
    throw new EnvError(
      `Variável de ambiente PROTECTION inválida: relaxed vale só com os endereços de teste do próprio banco ` +
        "(PIX_BASE_URL, PIX_TOKEN_URL sem valor); use strict, ou deixe sem valor.",
    )
  }
  return PROTECTION ?? "strict"
}

/** Another host name, not another path: browsers keep apart what has another origin. */
function payersUrlOf({ PAYERS_URL, PIX_PROVIDER }: z.output<typeof variables>): string | null {
  if (PAYERS_URL === null) return null
  const { protocol, pathname } = new URL(PAYERS_URL)
  if (pathname === "/" && (protocol === "https:" || PIX_PROVIDER === "simulator")) return PAYERS_URL
  throw new EnvError(
    "Variável de ambiente PAYERS_URL inválida: use um endereço https:// sem caminho, como https://pagar.exemplo.com.br.",
  )
}

/** With real money, payers and the bank must reach the server by TLS. */
function requireSafeAddress({ PIX_PROVIDER, PUBLIC_URL }: z.output<typeof variables>): void {
  if (PUBLIC_URL?.startsWith("https:")) return
  const problem = PUBLIC_URL === null ? "ausente" : "inválida"
  throw new EnvError(`Variável de ambiente PUBLIC_URL ${problem}: com PIX_PROVIDER=${PIX_PROVIDER} use https://….`)
}

/** The driver defaults to clear text: with real money the address has to name one or the other. */
function requireSafeDatabase({ DATABASE_URL }: z.output<typeof variables>): void {
  if (addressesOf(DATABASE_URL ?? "postgres:///").every((one) => isOnThisMachine(one) || saysHow(one))) return
  throw new EnvError(
    "Variável de ambiente DATABASE_URL inválida: com dinheiro real use …?sslmode=verify-full, " +
      "ou sslmode=disable se só a sua rede leva ao banco de dados.",
  )
}

export function isOnThisMachine(address: string): boolean {
  const { hostname, searchParams } = new URL(address)
  const host = (searchParams.get("host") ?? hostname).replace(/^\[|\]$/g, "")
  return host === "" || host === "localhost" || host.startsWith("/") || isLoopback(host)
}

function saysHow(databaseAddress: string): boolean {
  const said = new URL(databaseAddress).searchParams.get("sslmode") ?? ""
  return ["disable", "require", "verify-ca", "verify-full"].includes(said)
}

function receiverKeyOf(read: z.output<typeof variables>): string | null {
  if (read.SIMULATOR_URL === null || read.SIMULATOR_RECEIVER_KEY !== null) return read.SIMULATOR_RECEIVER_KEY
  throw new EnvError("Variável de ambiente SIMULATOR_RECEIVER_KEY ausente: SIMULATOR_URL pede a chave Pix da conta lá.")
}

function parseVariables(source: Record<string, string | undefined>): z.output<typeof variables> {
  const names = Object.keys(variables.shape) as VariableName[]
  const result = variables.safeParse(Object.fromEntries(names.map((name) => [name, given(source, name)])))
  if (result.success) return result.data

  const [issue] = result.error.issues
  throw new EnvError(`Variável de ambiente ${String(issue?.path[0])} inválida: ${issue?.message}.`)
}

const secrets = new Set([
  "ADMIN_PASSWORD",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "SECRETS_KEY",
  "BACKUP_KEY",
  "SIMULATOR_CLIENT_SECRET",
  "PIX_CLIENT_SECRET",
  "PIX_CERT_PASSWORD",
])
/** Those too whose value only holds a secret. */
const alsoFromFiles = new Set([...secrets, "DATABASE_URL", "SMTP_URL", "PIX_APP_KEY"])

function given(source: Record<string, string | undefined>, name: VariableName): string | null | undefined {
  const raw = alsoFromFiles.has(name) ? ownOrFromFile(source, name) : source[name]
  const value = secrets.has(name) ? raw : raw?.trim()
  if (value !== undefined && value !== "") return value
  return variables.shape[name] instanceof z.ZodNullable ? null : undefined
}

/** A vault or a supervisor mounts a secret as a file, which no list of processes shows. */
function ownOrFromFile(source: Record<string, string | undefined>, name: VariableName): string | undefined {
  const file = source[`${name}_FILE`]?.trim() ?? ""
  if (file === "") return source[name]
  if ((source[name] ?? "") !== "")
    throw new EnvError(`Variável de ambiente ${name}_FILE inválida: ${name} já tem valor.`)
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "")
  } catch {
    throw new EnvError(`Variável de ambiente ${name}_FILE inválida: não foi possível ler o arquivo.`)
  }
}
