import type { Generated } from "kysely"
import type {
  ActiveChargePagesTable,
  ChargePageSlugsTable,
  ChargePagesTable,
  ChargePageTotalsTable,
  ChargeSearchTextsTable,
  ChargesTable,
  ChargeTotalsTable,
  OpenChargesTable,
  OrdersTable,
  PageOpeningTotalsTable,
  PageReportsTable,
  PaidDayTotalsTable,
  PayerDataWaitingTable,
  PayerTokenKeyTable,
  ReturnOriginsTable,
  UnfinishedChargesTable,
} from "./charge-tables.ts"
import type {
  BankBalancesTable,
  DailyCloseDifferencesTable,
  DailyCloseEntriesTable,
  DailyClosesTable,
  DailyCloseTotalsTable,
  UnreadableEntriesTable,
} from "./close-tables.ts"
import type {
  EventDraftsTable,
  EventSequencesTable,
  EventsTable,
  NumberedEventsTable,
  UntoldSalesTable,
} from "./event-tables.ts"
import type {
  AccountDaysTable,
  DestinationsTable,
  DisputesTable,
  EnteredStatementsTable,
  HandSettlementsTable,
  JournalTable,
  LedgerAccountsTable,
  ManualEntriesTable,
  PaymentsTable,
  PlatformTotalsTable,
  PspConnectionsTable,
  PspInboxTable,
  ReceiptVerificationsTable,
  RefundsTable,
  ReserveHoldsTable,
  ReserveProgressTable,
  StatementLinesTable,
  UnmatchedPaymentsTable,
  WithdrawalsTable,
  WithdrawalTotalsTable,
} from "./money-tables.ts"
import type {
  ApiKeysTable,
  AuditRecordsTable,
  EmailChangesTable,
  EmailConfirmationsTable,
  FailedLoginsTable,
  FreezesTable,
  IdempotencyKeysTable,
  KnownDevicesTable,
  MailsTable,
  NoticesTable,
  NotMeLinksTable,
  OutboxMailsTable,
  PasskeyChallengesTable,
  PasskeyOwnersTable,
  PasskeysTable,
  PasswordResetRequestsTable,
  PasswordResetsTable,
  RecoveryCodesTable,
  SecondApprovalsTable,
  SecretsKeyTable,
  SessionsTable,
  SettingsTable,
  SignupAttemptsTable,
  TotpFactorsTable,
  UsersTable,
  UserTotalsTable,
} from "./people-tables.ts"
import type {
  BackupsTable,
  ChainBlocksTable,
  ChainCheckpointsTable,
  ChainHeadTable,
  JobRunsTable,
  LedgerChecksTable,
  LegalAcceptancesTable,
  LegalTextsTable,
  MoneyKindTable,
  RestoreChecksTable,
  RetentionMarksTable,
  ServerNodesTable,
  SigningKeysTable,
} from "./system-tables.ts"
import type { WebhookAttemptsTable, WebhookDeliveriesTable, WebhookEndpointsTable } from "./webhook-tables.ts"

export interface Schema {
  users: UsersTable
  user_totals: UserTotalsTable
  sessions: SessionsTable
  secrets_key: SecretsKeyTable
  totp_factors: TotpFactorsTable
  recovery_codes: RecoveryCodesTable
  freezes: FreezesTable
  destinations: DestinationsTable
  not_me_links: NotMeLinksTable
  passkey_owners: PasskeyOwnersTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
  second_approvals: SecondApprovalsTable
  email_changes: EmailChangesTable
  api_keys: ApiKeysTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_attempts: WebhookAttemptsTable
  failed_logins: FailedLoginsTable
  known_devices: KnownDevicesTable
  email_confirmations: EmailConfirmationsTable
  signup_attempts: SignupAttemptsTable
  settings: SettingsTable
  ledger_accounts: LedgerAccountsTable
  journal: JournalTable
  ledger_postings: Omit<JournalTable, "xid">
  charge_pages: ChargePagesTable
  charge_page_slugs: ChargePageSlugsTable
  active_charge_pages: ActiveChargePagesTable
  orders: OrdersTable
  page_reports: PageReportsTable
  return_origins: ReturnOriginsTable
  payer_token_key: PayerTokenKeyTable
  payer_data_waiting: PayerDataWaitingTable
  charges: ChargesTable
  open_charges: OpenChargesTable
  unfinished_charges: UnfinishedChargesTable
  payments: PaymentsTable
  untold_sales: UntoldSalesTable
  statement_lines: StatementLinesTable
  account_days: AccountDaysTable
  entered_statements: EnteredStatementsTable
  reserve_holds: ReserveHoldsTable
  reserve_progress: ReserveProgressTable
  refunds: RefundsTable
  receipt_verifications: ReceiptVerificationsTable
  disputes: DisputesTable
  unmatched_payments: UnmatchedPaymentsTable
  psp_inbox: PspInboxTable
  psp_connections: PspConnectionsTable
  audit_records: AuditRecordsTable
  idempotency_keys: IdempotencyKeysTable
  charge_totals: ChargeTotalsTable
  charge_day_totals: ChargeTotalsTable & { day: string }
  paid_day_totals: PaidDayTotalsTable
  charge_page_totals: ChargePageTotalsTable
  platform_totals: PlatformTotalsTable
  platform_changes: PlatformTotalsTable & { id: Generated<number> }
  platform_status_totals: Omit<PlatformTotalsTable, "day">
  charge_search_texts: ChargeSearchTextsTable
  page_opening_totals: PageOpeningTotalsTable
  withdrawals: WithdrawalsTable
  hand_settlements: HandSettlementsTable
  manual_entries: ManualEntriesTable
  withdrawal_totals: WithdrawalTotalsTable
  daily_closes: DailyClosesTable
  bank_balances: BankBalancesTable
  daily_close_totals: DailyCloseTotalsTable
  daily_close_differences: DailyCloseDifferencesTable
  daily_close_entries: DailyCloseEntriesTable
  unreadable_entries: UnreadableEntriesTable
  mails: MailsTable
  notices: NoticesTable
  outbox_mails: OutboxMailsTable
  job_runs: JobRunsTable
  server_nodes: ServerNodesTable
  money_kind: MoneyKindTable
  retention_marks: RetentionMarksTable
  signing_keys: SigningKeysTable
  chain_blocks: ChainBlocksTable
  chain_head: ChainHeadTable
  chain_checkpoints: ChainCheckpointsTable
  legal_texts: LegalTextsTable
  legal_acceptances: LegalAcceptancesTable
  event_drafts: EventDraftsTable
  event_sequences: EventSequencesTable
  events: EventsTable
  numbered_events: NumberedEventsTable
  backups: BackupsTable
  restore_checks: RestoreChecksTable
  ledger_checks: LedgerChecksTable
  password_reset_requests: PasswordResetRequestsTable
  password_resets: PasswordResetsTable
}
