import { isIP } from "node:net"
import { resolve } from "node:path"
import * as z from "zod"
import { StartError } from "#kit/start-error"

export type Env = {
  port: number
  host: string
  publicUrl: string
  dataDir: string
  databaseUrl: string | null
  adminEmail: string | null
  adminPassword: string | null
  smtpUrl: string | null
  /** Whom we believe when they say for whom they ask. */
  trustedProxies: readonly string[]
  pixProvider: PixProvider
  /** `receiverKey`: our account's Pix key there; a simulator that we start ourselves makes one. */
  simulator: { url: string | null; clientId: string; clientSecret: string; receiverKey: string | null }
  logLevel: LogLevel
}

export type PixProvider = (typeof pixProviders)[number]
export type LogLevel = (typeof logLevels)[number]

export class EnvError extends StartError {
  override name = "EnvError"
}

const pixProviders = ["simulator"] as const
const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((number) => number <= 65_535)

/** We speak no TLS, so with an https address a proxy stands before us: in a private network, unless it is named. */
const namedNetworks = ["loopback", "linklocal", "uniquelocal"]

const proxyList = z
  .string()
  .transform((list) => list.split(",").map((item) => item.trim()))
  .refine((items) => items.every((item) => namedNetworks.includes(item) || isNetwork(item)))

const variables = z.object({
  PORT: explained(port, "use um número de 0 a 65535 (0 escolhe uma porta livre)").default(3000),
  HOST: explained(z.string().regex(/^\S+$/), "use um nome ou endereço sem espaços, como 127.0.0.1").default(
    "127.0.0.1",
  ),
  PUBLIC_URL: siteAddress(
    "use um endereço http:// ou https:// sem parâmetros, como https://pix.exemplo.com.br",
  ).nullable(),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: address(["postgres:", "postgresql:"], "use postgres://usuario:senha@servidor:5432/banco").nullable(),
  ADMIN_EMAIL: explained(z.string().regex(/^[^\s@]+@[^\s@]+$/), "use um endereço de e-mail").nullable(),
  ADMIN_PASSWORD: explained(z.string().min(8), "a senha deve ter pelo menos 8 caracteres").nullable(),
  SMTP_URL: address(["smtp:", "smtps:"], "use smtp://usuario:senha@servidor:587 ou smtps://…").nullable(),
  TRUSTED_PROXIES: explained(
    proxyList,
    "use endereços ou redes separados por vírgula, como 10.0.0.5,192.168.0.0/16",
  ).nullable(),
  PIX_PROVIDER: explained(z.enum(pixProviders), `valores aceitos: ${pixProviders.join(", ")}`).default("simulator"),
  SIMULATOR_URL: siteAddress("use um endereço http:// ou https://, como http://127.0.0.1:4000").nullable(),
  SIMULATOR_CLIENT_ID: z.string().default("tilinta"),
  SIMULATOR_CLIENT_SECRET: z.string().default("tilinta-sandbox"),
  SIMULATOR_RECEIVER_KEY: explained(
    z.string().regex(/^[!-~]{1,77}$/),
    "use uma chave Pix, de 1 a 77 caracteres",
  ).nullable(),
  LOG_LEVEL: explained(z.enum(logLevels), `valores aceitos: ${logLevels.join(", ")}`).default("info"),
})

type VariableName = keyof typeof variables.shape

/** The messages name the variable and never repeat its value: it may be a secret. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const read = parseVariables(source)
  return {
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    dataDir: resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    adminEmail: read.ADMIN_EMAIL ?? (read.ADMIN_PASSWORD === null ? null : "admin@localhost"),
    adminPassword: read.ADMIN_PASSWORD,
    smtpUrl: read.SMTP_URL,
    trustedProxies: read.TRUSTED_PROXIES ?? (read.PUBLIC_URL?.startsWith("https:") ? namedNetworks : []),
    pixProvider: read.PIX_PROVIDER,
    simulator: {
      url: read.SIMULATOR_URL,
      clientId: read.SIMULATOR_CLIENT_ID,
      clientSecret: read.SIMULATOR_CLIENT_SECRET,
      receiverKey: receiverKeyOf(read),
    },
    logLevel: read.LOG_LEVEL,
  }
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

function given(source: Record<string, string | undefined>, name: VariableName): string | null | undefined {
  const isSecret = name === "ADMIN_PASSWORD" || name === "SIMULATOR_CLIENT_SECRET"
  const value = isSecret ? source[name] : source[name]?.trim()
  if (value !== undefined && value !== "") return value
  return variables.shape[name] instanceof z.ZodNullable ? null : undefined
}

function isNetwork(item: string): boolean {
  const [address = "", length, ...rest] = item.split("/")
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && bits > 0 && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits))
}

function explained<Schema extends z.ZodType>(schema: Schema, message: string) {
  return z.unknown().transform((value, context): z.output<Schema> => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    context.addIssue({ code: "custom", message })
    return z.NEVER
  })
}

function address(protocols: readonly string[], message: string) {
  return explained(
    z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)),
    message,
  )
}

function siteAddress(message: string) {
  return explained(
    z
      .string()
      .refine((value) => /^https?:\/\/[^\s?#@]+$/i.test(value) && URL.canParse(value))
      .transform((value) => value.replace(/\/+$/, "")),
    message,
  )
}
