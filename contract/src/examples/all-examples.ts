import { accountsExamples } from "./accounts-examples.ts"
import { adminChargePagesExamples } from "./admin-charge-pages-examples.ts"
import { adminTransactionsExamples } from "./admin-transactions-examples.ts"
import { adminUsersExamples } from "./admin-users-examples.ts"
import { adminWithdrawalsExamples } from "./admin-withdrawals-examples.ts"
import { apiKeysExamples } from "./api-keys-examples.ts"
import { approvalsExamples } from "./approvals-examples.ts"
import { auditRecordsExamples } from "./audit-records-examples.ts"
import { authExamples } from "./auth-examples.ts"
import { chargePagesExamples } from "./charge-pages-examples.ts"
import { chargesExamples } from "./charges-examples.ts"
import { dailyClosesExamples } from "./daily-closes-examples.ts"
import type { Example } from "./define-example.ts"
import { destinationsExamples } from "./destinations-examples.ts"
import { disputesExamples } from "./disputes-examples.ts"
import { eventsExamples } from "./events-examples.ts"
import { handSettlementsExamples } from "./hand-settlements-examples.ts"
import { legalTextsExamples } from "./legal-texts-examples.ts"
import { manualEntriesExamples } from "./manual-entries-examples.ts"
import { noticesExamples } from "./notices-examples.ts"
import { pageReportsExamples } from "./page-reports-examples.ts"
import { passkeysExamples } from "./passkeys-examples.ts"
import { paymentsExamples } from "./payments-examples.ts"
import { receiptsExamples } from "./receipts-examples.ts"
import { refundsExamples } from "./refunds-examples.ts"
import { reportsExamples } from "./reports-examples.ts"
import { returnOriginsExamples } from "./return-origins-examples.ts"
import { searchExamples } from "./search-examples.ts"
import { secondFactorsExamples } from "./second-factors-examples.ts"
import { sellerReportExamples } from "./seller-report-examples.ts"
import { sessionsExamples } from "./sessions-examples.ts"
import { settingsExamples } from "./settings-examples.ts"
import { statementsExamples } from "./statements-examples.ts"
import { systemExamples } from "./system-examples.ts"
import { transactionsExamples } from "./transactions-examples.ts"
import { unmatchedPaymentsExamples } from "./unmatched-payments-examples.ts"
import { ownDataExamples, usersExamples } from "./users-examples.ts"
import { webhooksExamples } from "./webhooks-examples.ts"
import { withdrawalsExamples } from "./withdrawals-examples.ts"

/** One per endpoint; only the server reads them, so that no page carries their weight. */
export const allExamples: readonly Example[] = [
  ...authExamples,
  ...usersExamples,
  ...legalTextsExamples,
  ...sessionsExamples,
  ...secondFactorsExamples,
  ...noticesExamples,
  ...passkeysExamples,
  ...apiKeysExamples,
  ...webhooksExamples,
  ...chargePagesExamples,
  ...chargesExamples,
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
  ...approvalsExamples,
  ...refundsExamples,
  ...handSettlementsExamples,
  ...destinationsExamples,
  ...disputesExamples,
  ...unmatchedPaymentsExamples,
  ...dailyClosesExamples,
  ...accountsExamples,
  ...manualEntriesExamples,
  ...adminTransactionsExamples,
  ...adminChargePagesExamples,
  ...pageReportsExamples,
  ...reportsExamples,
  ...auditRecordsExamples,
  ...searchExamples,
  ...systemExamples,
  ...ownDataExamples,
]
