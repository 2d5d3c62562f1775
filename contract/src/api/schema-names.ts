import { accountDayView, accountPostingView, accountView, booksView } from "./accounts-endpoints.ts"
import { adminChargePageView } from "./admin-charge-pages-endpoints.ts"
import {
  adminTransactionDetails,
  adminTransactionMetadata,
  adminTransactionsSummary,
  adminTransactionView,
} from "./admin-transactions-endpoints.ts"
import { adminWithdrawalsSummary, adminWithdrawalView, withdrawalFacts } from "./admin-withdrawals-endpoints.ts"
import { apiKeyView } from "./api-keys-endpoints.ts"
import { approvalView, wantedChange } from "./approvals-endpoints.ts"
import { auditRecordView } from "./audit-records-endpoints.ts"
import { chargePageView, customerInfoView, pixConfigView, publicChargePageView } from "./charge-pages-endpoints.ts"
import { chargeView } from "./charges-endpoints.ts"
import { closeDifferenceView, closeTotalView, dailyCloseDetails, dailyCloseView } from "./daily-closes-endpoints.ts"
import {
  adminDisputeDetails,
  adminDisputeView,
  closedDispute,
  defenceView,
  disputedPayment,
  disputesSummary,
  disputeView,
} from "./disputes-endpoints.ts"
import { errorReply } from "./error-reply.ts"
import {
  chargeEvent,
  eventView,
  pageEvent,
  paymentEvent,
  uncreditedPayment,
  withdrawalEvent,
} from "./events-endpoints.ts"
import {
  countAndAmount,
  decisionEffect,
  ledgerLine,
  messageReply,
  pageReference,
  personReference,
  transactionReference,
  userReference,
} from "./fields.ts"
import { handSettlementView } from "./hand-settlement-view.ts"
import { legalTextView } from "./legal-texts-endpoints.ts"
import { manualEntryView } from "./manual-entries-endpoints.ts"
import { noticeView } from "./notices-endpoints.ts"
import { pageReportView } from "./page-reports-endpoints.ts"
import { passkeyDescriptor, passkeyRequestOptions, passkeyView } from "./passkeys-endpoints.ts"
import { paymentProofView, pixPaymentView } from "./payments-endpoints.ts"
import { receiptVerdictView, receiptView } from "./receipts-endpoints.ts"
import { adminRefundView, refundDeadline, refundView } from "./refunds-endpoints.ts"
import { dashboardReport, summaryReport } from "./reports-endpoints.ts"
import { returnOriginsView } from "./return-origins-endpoints.ts"
import { allHits, ownHits } from "./search-endpoints.ts"
import { salesDay, sellerReport } from "./seller-report-endpoints.ts"
import { sessionView } from "./sessions-endpoints.ts"
import { changedSetting, settingView } from "./settings-endpoints.ts"
import { incomeMonth, incomeReport, statementRow, statementView } from "./statements-endpoints.ts"
import { systemStatusView, waitingState } from "./system-endpoints.ts"
import {
  transactionDetail,
  transactionMetadata,
  transactionsSummary,
  transactionView,
} from "./transactions-endpoints.ts"
import {
  decidedUnmatchedPayment,
  unmatchedPaymentsSummary,
  unmatchedPaymentView,
  unreadableEntryView,
} from "./unmatched-payments-endpoints.ts"
import { addressView, bankAccountView, userView } from "./users-endpoints.ts"
import { attemptView, deliveryView, testOutcomeView, webhookView, webhookWithSecret } from "./webhooks-endpoints.ts"
import { bankDataView, withdrawalView } from "./withdrawals-endpoints.ts"

/**
 * Names of answered objects in the API's description (`components.schemas`), and so of the types that integrators
 * generate from it. Only the server reads them, so that no page carries their weight.
 */
export const schemaNames = {
  Account: accountView,
  AccountDay: accountDayView,
  AccountPosting: accountPostingView,
  Address: addressView,
  AdminChargePage: adminChargePageView,
  AdminDispute: adminDisputeView,
  AdminDisputeDetails: adminDisputeDetails,
  AdminRefund: adminRefundView,
  AdminSearchHits: allHits,
  AdminTransaction: adminTransactionView,
  AdminTransactionDetails: adminTransactionDetails,
  AdminTransactionMetadata: adminTransactionMetadata,
  AdminTransactionsSummary: adminTransactionsSummary,
  AdminWithdrawal: adminWithdrawalView,
  AdminWithdrawalsSummary: adminWithdrawalsSummary,
  ApiKey: apiKeyView,
  Approval: approvalView,
  AuditRecord: auditRecordView,
  BankAccount: bankAccountView,
  BankData: bankDataView,
  ChangedSetting: changedSetting,
  Charge: chargeView,
  ChargeEvent: chargeEvent,
  ChargePage: chargePageView,
  Books: booksView,
  CloseDifference: closeDifferenceView,
  CloseTotal: closeTotalView,
  CountAndAmount: countAndAmount,
  CustomerFields: customerInfoView,
  DailyClose: dailyCloseView,
  DailyCloseDetails: dailyCloseDetails,
  DashboardReport: dashboardReport,
  DecisionEffect: decisionEffect,
  Defence: defenceView,
  ClosedDispute: closedDispute,
  DecidedUnmatchedPayment: decidedUnmatchedPayment,
  Dispute: disputeView,
  DisputedPayment: disputedPayment,
  DisputesSummary: disputesSummary,
  Error: errorReply,
  Event: eventView,
  HandSettlement: handSettlementView,
  IncomeMonth: incomeMonth,
  IncomeReport: incomeReport,
  LedgerLine: ledgerLine,
  ManualEntry: manualEntryView,
  Message: messageReply,
  LegalText: legalTextView,
  Notice: noticeView,
  PageEvent: pageEvent,
  PageReference: pageReference,
  PageReport: pageReportView,
  Passkey: passkeyView,
  PasskeyDescriptor: passkeyDescriptor,
  PasskeyRequestOptions: passkeyRequestOptions,
  PaymentEvent: paymentEvent,
  PaymentProof: paymentProofView,
  PersonReference: personReference,
  PixConfig: pixConfigView,
  PixPayment: pixPaymentView,
  PublicChargePage: publicChargePageView,
  Receipt: receiptView,
  ReceiptVerdict: receiptVerdictView,
  Refund: refundView,
  RefundDeadline: refundDeadline,
  ReturnOrigins: returnOriginsView,
  SalesDay: salesDay,
  SearchHits: ownHits,
  SellerReport: sellerReport,
  Session: sessionView,
  Setting: settingView,
  Statement: statementView,
  StatementRow: statementRow,
  SummaryReport: summaryReport,
  SystemStatus: systemStatusView,
  Transaction: transactionView,
  TransactionDetails: transactionDetail,
  TransactionMetadata: transactionMetadata,
  TransactionReference: transactionReference,
  TransactionsSummary: transactionsSummary,
  UncreditedPayment: uncreditedPayment,
  UnmatchedPayment: unmatchedPaymentView,
  UnmatchedPaymentsSummary: unmatchedPaymentsSummary,
  UnreadableEntry: unreadableEntryView,
  User: userView,
  UserReference: userReference,
  WaitingState: waitingState,
  WantedChange: wantedChange,
  Webhook: webhookView,
  WebhookAttempt: attemptView,
  WebhookDelivery: deliveryView,
  WebhookTest: testOutcomeView,
  WebhookWithSecret: webhookWithSecret,
  Withdrawal: withdrawalView,
  WithdrawalEvent: withdrawalEvent,
  WithdrawalFacts: withdrawalFacts,
}
