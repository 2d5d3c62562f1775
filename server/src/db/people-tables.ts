import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api-keys"
import type { AuditAction, AuditEntity } from "@tilinta/contract/vocabulary/audit"
import type { EmailState } from "@tilinta/contract/vocabulary/email-states"
import type { PaymentMails } from "@tilinta/contract/vocabulary/payment-mails"
import type { Role } from "@tilinta/contract/vocabulary/roles"
import type { SecondApprovalAct, WantedChange } from "@tilinta/contract/vocabulary/second-approvals"
import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/settings"
import type { ColumnType, Generated } from "kysely"
import type { Json, Moment } from "./column-types.ts"

export interface UsersTable {
  id: string
  name: string
  email: string
  email_key: string
  password_hash: string | null
  cpf: string
  phone: string
  /** Folded name, e-mail and CPF, written by the database. */
  search_text: ColumnType<string, never, never>
  address: Json
  bank_account: ColumnType<Record<string, string>, string | undefined, string>
  role: Role
  active: Generated<boolean>
  created_at: Moment
  updated_at: Moment
  payment_mails: Generated<PaymentMails>
  mail_token: Generated<string>
  recovered_at: Date | null
  email_state: Generated<EmailState>
  password_is_initial: Generated<boolean>
  any_name: Generated<boolean>
  admin_rights_from: Date | null
  erased_at: Date | null
}

export interface UserTotalsTable {
  role: Role
  active: boolean
  count: number
}

export interface SessionsTable {
  id: string
  token_hash: Buffer
  user_id: string
  created_at: Moment
  last_used_at: Moment
  expires_at: Date
  address: Generated<string>
  user_agent: Generated<string>
  stepped_up_at: Date | null
  last_address: Generated<string>
}

export interface SecondApprovalsTable {
  id: string
  act: SecondApprovalAct
  subject_id: string
  subject_name: string
  changes: ColumnType<WantedChange[], string, never>
  digest: Buffer
  asked_by: string
  asked_at: Date
  expires_at: Date
}

export interface EmailChangesTable {
  user_id: string
  token_hash: Buffer
  email: string
  asked_by: string
  created_at: Date
  expires_at: Date
}

export interface SecretsKeyTable {
  key_id: string
  chosen_at: Date
}

export interface TotpFactorsTable {
  user_id: string
  id: string
  key_id: string
  sealed_secret: Buffer
  created_at: Date
  confirmed_at: Date | null
  last_step: number | null
}

export interface RecoveryCodesTable {
  code_hash: Buffer
  user_id: string
  created_at: Date
  used_at: Date | null
}

export interface FreezesTable {
  id: string
  user_id: string
  frozen_at: Date
  address: string
  trusts_factors_until: Date
  ended_at: Date | null
  ended_by: string | null
}

export interface NotMeLinksTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface PasskeyOwnersTable {
  user_id: string
  handle: Buffer
  created_at: Date
}

export interface PasskeysTable {
  id: string
  user_id: string
  credential_id: Buffer
  public_key: Buffer
  sign_count: number
  transports: string[]
  rp_id: string
  name: string
  created_at: Date
  last_used_at: Date | null
}

export interface PasskeyChallengesTable {
  challenge: Buffer
  purpose: PasskeyPurpose
  session_hash: Buffer | null
  expires_at: Date
}

/** A signature that was made for another purpose proves nothing. */
export type PasskeyPurpose = "enrolment" | "sign_in" | "step_up"

export interface ApiKeysTable {
  id: string
  user_id: string
  token_hash: Buffer
  name: string
  hint: string
  scopes: ApiKeyScope[]
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  last_used_address: string | null
  revoked_at: Date | null
}

export interface FailedLoginsTable {
  id: Generated<number>
  account_key: string
  address: string
  failed_at: Moment
}

export interface KnownDevicesTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
}

export interface EmailConfirmationsTable {
  token_hash: Buffer
  user_id: string
  email_key: string
  created_at: Date
  expires_at: Date
}

export interface SignupAttemptsTable {
  id: Generated<number>
  address: string
  attempted_at: Date
  met_account: Generated<boolean>
}

export interface SettingsTable {
  key: string
  value: ColumnType<number | string | boolean, string, string>
  type: SettingType
  category: SettingCategory
  description: string
  is_public: boolean
  updated_at: Moment
  updated_by: string | null
}

export interface AuditRecordsTable {
  id: string
  happened_at: Date
  actor_id: string | null
  actor_address: string | null
  actor_key_id: string | null
  action: AuditAction
  entity: AuditEntity
  entity_id: string
  before: ColumnType<unknown, string | null, never>
  after: ColumnType<unknown, string | null, never>
  actor_device: string | null
  request_id: string | null
  xid: Generated<string>
}

export interface IdempotencyKeysTable {
  owner_id: string
  key: string
  request_hash: Buffer
  resource_id: string
  created_at: Moment
}

export interface MailsTable {
  id: string
  user_id: string
  to_address: string | null
  content: ColumnType<unknown, string, string>
  dedupe_key: string
  created_at: Date
  send_after: Date
  give_up_at: Date
  attempts: Generated<number>
  sent_at: Date | null
  given_up_at: Date | null
  last_error: string | null
}

export interface NoticesTable {
  id: string
  user_id: string
  told_at: Date
  content: ColumnType<unknown, string, never>
  dedupe_key: string
  read_at: Date | null
}

export interface OutboxMailsTable {
  id: string
  to_address: string
  to_key: string
  subject: string
  text: string
  html: string
  sent_at: Date
}

export interface PasswordResetRequestsTable {
  id: Generated<number>
  email_key: string
  requested_at: Date
}

export interface PasswordResetsTable {
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}
