import { type Logger, type LoggerOptions, pino, stdSerializers } from "pino"
import { Counter, metrics } from "./metrics.ts"
import { currentRequestId, currentTraceId } from "./request-scope.ts"

type LoggedRequest = { id?: unknown; method?: string; routeOptions?: { url?: string | undefined } }
type LoggedReply = { statusCode?: number; elapsedTime?: number }

const privateKeys = new Set(
  [
    "authorization",
    "cookie",
    "set-cookie",
    "password",
    "passwordConfirm",
    "passwordCurrent",
    "adminPassword",
    "token",
    "accessToken",
    "access_token",
    "secret",
    "clientSecret",
    "client_secret",
    "databaseUrl",
    "smtpUrl",
    "cpf",
    "cnpj",
    "email",
    "phone",
    "telefone",
    "customerInfo",
    "devedor",
    "pagador",
    "recebedor",
    "pixKey",
    "chave",
    "pixCode",
    "pixCopiaECola",
    "pixQrCodeBase64",
    "qrcode",
    "account",
    "agency",
  ].map((key) => key.toLowerCase()),
)

const deepestLevel = 6

/** JSON lines on stdout; personal data and secrets are removed wherever they are in the object. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    mixin() {
      const requestId = currentRequestId()
      const traceId = currentTraceId()
      return { ...(requestId !== null && { requestId }), ...(traceId !== null && { traceId }) }
    },
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => {
        if ("alarm" in fields) countAlarm(fields["alarm"])
        return withoutPrivateFields(fields, 0) as Record<string, unknown>
      },
    },
    serializers: { req: requestFields, res: replyFields, err: errorFields },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** The route's pattern and never the URL: links and query strings carry tokens. */
function requestFields(request: LoggedRequest): Record<string, unknown> {
  return { id: request.id, method: request.method, route: request.routeOptions?.url ?? "unknown" }
}

function replyFields(reply: LoggedReply): Record<string, unknown> {
  return { status: reply.statusCode, ms: reply.elapsedTime === undefined ? undefined : Math.round(reply.elapsedTime) }
}

/** PostgreSQL puts whole rows into `detail` and `where`, so only fields known to be harmless are copied. */
function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutPersonalData(String(error)) }

  const { type, message, stack } = stdSerializers.err(error)
  const { code, table, constraint, statusCode } = error as Error & Record<string, unknown>
  return {
    type,
    message: withoutPersonalData(message),
    stack: withoutPersonalData(stack),
    code,
    table,
    constraint,
    statusCode,
  }
}

function withoutPrivateFields(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || value instanceof Error || value instanceof Date) return value
  if (depth >= deepestLevel) return "[deep]"
  if (Array.isArray(value)) return value.map((item) => withoutPrivateFields(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      if (privateKeys.has(key.toLowerCase())) return [key, "[private]"]
      const hasSerializer = depth === 0 && (key === "req" || key === "res" || key === "err")
      return [key, hasSerializer ? field : withoutPrivateFields(field, depth + 1)]
    }),
  )
}

function withoutPersonalData(text: string): string {
  return text
    .replace(/(?<![\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)*/g, "[email]")
    .replace(/\b\d{3}\.?\d{3}\.?\d{3}-?\d{2}\b/g, "[cpf]")
    .replace(/\b000201\S{20,}/g, "[pix]")
    .replace(/\bBearer \S+/gi, "Bearer [private]")
}

export type { Logger }

/** Enough to tell two people apart, not enough to write to one. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@")
  return `${email.slice(0, Math.min(2, at))}•••${email.slice(at)}`
}

export const hiddenText = "•••"

export function lastOnes(text: string, count: number): string {
  return text.length > count ? hiddenText + text.slice(-count) : hiddenText
}

/** A Pix key may be an e-mail, phone or CPF: enough of it is shown to tell two apart. */
export function maskedPixKey(key: string): string {
  return key.includes("@") ? maskedEmail(key) : lastOnes(key, 4)
}

/**
 * Alarms need a person. A log line with one of these in its field `alarm` is counted in `/metrics`; docs/operations-reference.md says
 * how to answer, deploy/prometheus has a rule for each, and a test holds the three equal.
 */
export const alarms = [
  "bad_pix_code",
  "debit_failed_by_us",
  "debit_mismatch",
  "debit_refused",
  "debit_unanswered",
  "debit_unknown",
  "debit_window_missed",
  "debit_without_receipt",
  "mandate_refused",
  "mandate_twice",
  "mandate_unknown",
  "bank_clock_off",
  "charge_refused",
  "bank_balance_differs",
  "chain_rewritten",
  "checkpoint_not_copied",
  "clock_skew",
  "code_not_removed",
  "daily_close_differs",
  "daily_close_failed",
  "day_closed_early",
  "debts_uncovered",
  "dispute_not_recorded",
  "former_bank_unreachable",
  "ledger_check_failed",
  "ledger_differs",
  "backup_failed",
  "backup_too_old",
  "mail_given_up",
  "order_not_authentic",
  "payment_not_booked",
  "payout_differs",
  "payout_mismatch",
  "payout_return_mismatch",
  "payout_stuck",
  "provider_failing",
  "reconciliation_ahead",
  "refund_mismatch",
  "refund_not_booked",
  "refund_stuck",
  "refused_payout_paid",
  "refused_refund_paid",
  "unclear_refund",
  "unreadable_dispute",
  "unreadable_payout",
  "unreadable_receipt",
  "unreadable_refund",
  "webhook_not_confirmed",
  "webhook_taken",
  "work_put_off",
] as const

const known: ReadonlySet<unknown> = new Set(alarms)

const total = new Counter({
  name: "alarms_total",
  help: "Log lines that need a person, by their field alarm",
  labelNames: ["alarm"],
  registers: [metrics],
})

// All from the start: a series that begins with its first alarm has not risen yet.
for (const alarm of alarms) total.inc({ alarm }, 0)

function countAlarm(alarm: unknown): void {
  if (known.has(alarm)) total.inc({ alarm: String(alarm) })
}
