import { accountsExamples } from "./accounts.ts"
import { adminChargePagesExamples } from "./admin-charge-pages.ts"
import { adminInvoicesExamples } from "./admin-invoices.ts"
import { adminTransactionsExamples } from "./admin-transactions.ts"
import { adminUsersExamples } from "./admin-users.ts"
import { adminWithdrawalsExamples } from "./admin-withdrawals-examples.ts"
import { apiKeysExamples } from "./api-keys.ts"
import { approvalsExamples } from "./approvals.ts"
import { auditRecordsExamples } from "./audit-records.ts"
import { authExamples } from "./auth.ts"
import { bankStatementsExamples } from "./bank-statements.ts"
import { chargePagesExamples } from "./charge-pages-examples.ts"
import { chargesExamples } from "./charges.ts"
import { customersExamples } from "./customers.ts"
import { dailyClosesExamples } from "./daily-closes.ts"
import type { Example } from "./define-endpoint.ts"
import { destinationsExamples } from "./destinations.ts"
import { disputesExamples } from "./disputes-examples.ts"
import { eventsExamples } from "./events.ts"
import { handPayoutsExamples } from "./hand-payouts.ts"
import { handSettlementsExamples } from "./hand-settlements.ts"
import { invoicesExamples } from "./invoices-examples.ts"
import { legalTextsExamples } from "./legal-texts.ts"
import { mandatesExamples } from "./mandates.ts"
import { manualEntriesExamples } from "./manual-entries.ts"
import { noticesExamples } from "./notices.ts"
import { pageReportsExamples } from "./page-reports.ts"
import { passkeysExamples } from "./passkeys.ts"
import { paymentsExamples } from "./payments.ts"
import { pendingCountsExamples } from "./pending-counts.ts"
import { pushExamples } from "./push.ts"
import { receiptsExamples } from "./receipts.ts"
import { refundRequestsExamples } from "./refund-requests.ts"
import { refundsExamples } from "./refunds.ts"
import { remindersExamples } from "./reminders-examples.ts"
import { remittancesExamples } from "./remittances.ts"
import { reportsExamples, sellerReportExamples } from "./reports.ts"
import { returnOriginsExamples } from "./return-origins.ts"
import { screensExamples } from "./screens.ts"
import { searchExamples } from "./search.ts"
import { secondFactorsExamples } from "./second-factors.ts"
import { sessionsExamples } from "./sessions.ts"
import { settingsExamples } from "./settings.ts"
import { shopsExamples } from "./shops.ts"
import { statementsExamples } from "./statements.ts"
import { subscriptionsExamples } from "./subscriptions-examples.ts"
import { systemExamples } from "./system.ts"
import { teamExamples } from "./team.ts"
import { transactionsExamples } from "./transactions.ts"
import { unmatchedPaymentsExamples } from "./unmatched-payments.ts"
import { ownDataExamples, usersExamples } from "./users.ts"
import { webhooksExamples } from "./webhooks.ts"
import { withdrawalRulesExamples } from "./withdrawal-rules.ts"
import { withdrawalsExamples } from "./withdrawals.ts"

/** One per endpoint; only the server reads them, so that no page carries their weight. */
export const allExamples: readonly Example[] = [
  ...authExamples,
  ...usersExamples,
  ...shopsExamples,
  ...teamExamples,
  ...legalTextsExamples,
  ...sessionsExamples,
  ...secondFactorsExamples,
  ...noticesExamples,
  ...pushExamples,
  ...passkeysExamples,
  ...apiKeysExamples,
  ...webhooksExamples,
  ...chargePagesExamples,
  ...chargesExamples,
  ...customersExamples,
  ...invoicesExamples,
  ...subscriptionsExamples,
  ...mandatesExamples,
  ...remindersExamples,
  ...returnOriginsExamples,
  ...paymentsExamples,
  ...receiptsExamples,
  ...transactionsExamples,
  ...sellerReportExamples,
  ...statementsExamples,
  ...withdrawalsExamples,
  ...eventsExamples,
  ...settingsExamples,
  ...adminUsersExamples,
  ...adminWithdrawalsExamples,
  ...pendingCountsExamples,
  ...approvalsExamples,
  ...refundsExamples,
  ...refundRequestsExamples,
  ...handPayoutsExamples,
  ...remittancesExamples,
  ...withdrawalRulesExamples,
  ...bankStatementsExamples,
  ...handSettlementsExamples,
  ...destinationsExamples,
  ...disputesExamples,
  ...unmatchedPaymentsExamples,
  ...dailyClosesExamples,
  ...accountsExamples,
  ...manualEntriesExamples,
  ...adminInvoicesExamples,
  ...adminTransactionsExamples,
  ...adminChargePagesExamples,
  ...pageReportsExamples,
  ...reportsExamples,
  ...auditRecordsExamples,
  ...screensExamples,
  ...searchExamples,
  ...systemExamples,
  ...ownDataExamples,
]
