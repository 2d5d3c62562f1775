import type { Socket } from "node:net"
import type { ErrorReply } from "@tilinta/contract/fields"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { isDatabaseDown } from "#db/database-down"
import { DomainError } from "#kit/errors"
import { PspError } from "#psp/psp"
import { newRequestId } from "./request-metrics.ts"

declare module "fastify" {
  interface FastifyReply {
    /** The code of a refusal (403). */
    refusal?: ErrorCode
  }
}

export const statusOf = {
  malformed_request: 400,
  validation_failed: 422,
  unauthenticated: 401,
  wrong_credentials: 401,
  api_key_frozen: 403,
  api_key_invalid: 401,
  api_key_not_accepted: 403,
  api_key_scope_missing: 403,
  api_key_not_found: 404,
  too_many_api_keys: 409,
  second_factor_required: 401,
  second_factor_invalid: 401,
  second_factor_enrolment_required: 403,
  new_password_required: 403,
  password_reset_required: 403,
  second_factor_missing: 409,
  totp_already_enrolled: 409,
  totp_not_begun: 409,
  passkey_not_found: 404,
  passkey_already_enrolled: 409,
  too_many_passkeys: 409,
  passkeys_unavailable: 409,
  step_up_required: 403,
  order_not_authentic: 409,
  no_third_administrator: 409,
  second_approver_needed: 409,
  own_payout_above_fees: 409,
  manual_entry_booked: 409,
  manual_entry_refused: 409,
  event_corrected: 409,
  manual_entry_orphaned: 409,
  own_correction: 403,
  view_only: 403,
  admin_rights_pending: 403,
  account_frozen: 403,
  approval_not_found: 404,
  email_link_invalid: 400,
  webhook_not_found: 404,
  webhook_delivery_not_found: 404,
  too_many_webhooks: 409,
  reset_token_invalid: 400,
  account_disabled: 403,
  legal_text_changed: 409,
  account_not_deletable: 409,
  account_erased: 409,
  webhook_not_genuine: 401,
  role_forbidden: 403,
  own_role: 403,
  last_owner: 409,
  screen_not_found: 404,
  screen_code_wrong: 404,
  too_many_screens: 409,
  member_not_found: 404,
  already_member: 409,
  too_many_members: 409,
  team_invitation_not_found: 404,
  team_invitation_of_another: 403,
  administrator_in_no_team: 403,
  forbidden: 403,
  not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  session_not_found: 404,
  user_not_found: 404,
  user_not_viewable: 409,
  user_not_invitable: 409,
  user_in_team: 409,
  own_account: 403,
  email_not_confirmed: 403,
  email_already_confirmed: 409,
  last_admin: 409,
  admin_not_inactivated: 409,
  receipt_not_ready: 409,
  charge_page_not_found: 404,
  charge_page_forbidden: 403,
  public_charge_page_not_found: 404,
  charge_page_not_open: 404,
  charge_page_suspended: 404,
  page_report_not_found: 404,
  page_report_decided: 409,
  page_not_suspended: 409,
  own_charge_page: 403,
  charge_page_already_paid: 409,
  charge_page_changed: 409,
  charge_page_not_editable: 409,
  customer_not_found: 404,
  push_subscription_not_found: 404,
  push_subscriptions_full: 409,
  customer_document_taken: 409,
  external_reference_taken: 409,
  automatic_pix_unavailable: 409,
  mandate_not_found: 404,
  mandate_waiting: 409,
  mandate_ended: 409,
  debit_not_found: 404,
  debit_ended: 409,
  debit_too_late: 409,
  debit_not_retryable: 422,
  debit_under_way: 409,
  subscription_not_found: 404,
  subscription_ended: 409,
  plan_not_found: 404,
  plan_slug_taken: 409,
  invoice_not_found: 404,
  invoice_not_open: 409,
  customer_without_email: 409,
  reminders_unwanted: 409,
  reminder_sent_today: 409,
  due_charges_unsupported: 409,
  charge_page_not_active: 409,
  transaction_not_found: 404,
  payment_not_found: 404,
  transaction_forbidden: 403,
  transaction_not_refundable: 409,
  refund_at_former_bank: 409,
  refund_too_late: 409,
  refund_not_covered: 409,
  refund_request_not_found: 404,
  refund_request_decided: 409,
  payment_disputed: 409,
  dispute_not_found: 404,
  dispute_closed: 409,
  dispute_defended: 409,
  dispute_overdue: 409,
  dispute_told_by_bank: 409,
  own_dispute: 403,
  unmatched_payment_not_found: 404,
  unmatched_payment_resolved: 409,
  own_unmatched_payment: 403,
  daily_close_not_found: 404,
  daily_close_too_early: 409,
  setting_not_found: 404,
  setting_exists: 409,
  insufficient_balance: 422,
  withdrawals_disabled: 409,
  withdrawal_held: 409,
  pix_key_not_yours: 422,
  destination_not_proven: 409,
  payout_account_missing: 409,
  destination_not_own: 409,
  withdrawals_frozen: 409,
  account_not_frozen: 409,
  withdrawal_destination_unproven: 403,
  withdrawal_not_found: 404,
  withdrawal_forbidden: 403,
  inbox_message_not_found: 404,
  mail_not_found: 404,
  mail_not_repeatable: 409,
  backup_running: 409,
  backups_off: 409,
  job_not_found: 404,
  job_running: 409,
  ledger_check_running: 409,
  withdrawal_not_pending: 409,
  withdrawal_not_paid: 409,
  withdrawal_not_completable: 409,
  withdrawal_claimed: 409,
  entry_not_matched: 409,
  bank_id_used: 409,
  withdrawal_not_returnable: 409,
  unreadable_entry_not_found: 404,
  not_settleable_by_hand: 409,
  refund_not_found: 404,
  own_refund: 403,
  own_withdrawal: 403,
  withdrawal_seller_inactive: 409,
  email_taken: 409,
  idempotency_key_reused: 422,
  psp_unavailable: 503,
  psp_refused: 422,
  too_many_requests: 429,
  too_many_exports: 429,
  payload_too_large: 413,
  unsupported_media_type: 415,
  request_timeout: 408,
  overloaded: 503,
  service_unavailable: 503,
  internal_error: 500,
} as const satisfies Record<ErrorCode, number>

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_MAX_PARAM_LENGTH: "route_not_found",
  FST_ERR_NOT_FOUND: "route_not_found",
}

const databaseRetrySeconds = 2

/** The failure to report to the caller; any unknown error is our bug. */
function domainErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof PspError) return new DomainError("psp_unavailable", { cause: error })

  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === "string" ? frameworkCodes[code] : undefined
  if (known !== undefined) return new DomainError(known, { cause: error })
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    return new DomainError(statusCode === 408 ? "request_timeout" : "malformed_request", { cause: error })
  }
  if (isDatabaseDown(error)) {
    return new DomainError("service_unavailable", { cause: error, retryAfterSeconds: databaseRetrySeconds })
  }
  return new DomainError("internal_error", { cause: error })
}

export function toErrorReply({ code, shownMessage, errors, data }: DomainError): ErrorReply {
  return {
    status: statusOf[code] < 500 ? "fail" : "error",
    message: shownMessage,
    code,
    ...(data !== undefined && { data }),
    ...(errors !== undefined && { errors }),
  }
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(replyWithError)
}

/** Also handles failures before routing, which pass no hook. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isAbandoned(error, reply)) return
  const failure = startErrorReply(error, request, reply)
  reply.type("application/json; charset=utf-8").send(toErrorReply(failure))
}

/** A client that leaves before a file's first byte ends its stream: nothing failed, and nobody reads a reply. */
function isAbandoned(error: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && (error as { code?: unknown }).code === "ERR_STREAM_PREMATURE_CLOSE"
}

/** A caller who is to come back later keeps no connection meanwhile. */
const refusedIdleMs = 5_000

/** Logs our own errors, and sets everything of the reply but its body. */
export function startErrorReply(error: unknown, request: FastifyRequest, reply: FastifyReply): DomainError {
  const failure = domainErrorOf(error)
  const status = statusOf[failure.code]
  if (status === 500) request.log.error({ err: failure.cause ?? failure, req: request }, "request failed")
  else if (status > 500 && failure.code !== "overloaded") {
    request.log.warn({ err: failure.cause ?? failure, req: request }, "request not served")
  }

  if (status === 403) reply.refusal = failure.code
  // Set by a file that failed before its first byte.
  reply.removeHeader("content-disposition")
  if (!reply.raw.headersSent) reply.raw.removeHeader("content-disposition")
  if (failure.retryAfterSeconds !== undefined) {
    reply
      .header("retry-after", Math.ceil(failure.retryAfterSeconds))
      .header("keep-alive", `timeout=${refusedIdleMs / 1000}`)
    const { socket } = reply.raw
    reply.raw.once("finish", () => socket?.setTimeout(refusedIdleMs))
  }
  if (status === 401) reply.header("www-authenticate", "Bearer")
  reply.code(status).header("cache-control", "no-store")
  return failure
}

/** Long enough for a client far away to read why; a socket destroyed at once may lose it with what is still unread. */
const lingerMs = 2_000

/**
 * Failures before there is a request: unparsable HTTP, headers too large or too slow. Our side's end alone would leave the
 * connection half open for as long as the client likes.
 */
export function replyToBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const code: ErrorCode = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "request_timeout" : "malformed_request"
  const body = JSON.stringify(toErrorReply(new DomainError(code)))
  socket.end(
    [
      `HTTP/1.1 ${statusOf[code]} ${code === "request_timeout" ? "Request Timeout" : "Bad Request"}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      `X-Request-Id: ${newRequestId()}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  )
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once("close", () => clearTimeout(linger))
}
