import { accountDayView, accountPostingView, accountView, booksView } from "./accounts.ts"
import { adminChargePageView } from "./admin-charge-pages.ts"
import {
  adminTransactionDetails,
  adminTransactionMetadata,
  adminTransactionsSummary,
  adminTransactionView,
} from "./admin-transactions.ts"
import { invitationView } from "./admin-users.ts"
import { adminWithdrawalsSummary, adminWithdrawalView, payoutClaim, withdrawalFacts } from "./admin-withdrawals.ts"
import { apiKeyView } from "./api-keys.ts"
import { approvalView, wantedChange } from "./approvals.ts"
import { auditRecordView } from "./audit-records.ts"
import { chargePageView, customerInfoView, pixConfigView, publicChargePageView } from "./charge-pages.ts"
import { chargeView, counterShiftView, favouriteView } from "./charges.ts"
import { customerView } from "./customers.ts"
import { closeDifferenceView, closeTotalView, dailyCloseDetails, dailyCloseView } from "./daily-closes.ts"
import {
  adminDisputeDetails,
  adminDisputeView,
  closedDispute,
  defenceView,
  disputedPayment,
  disputesSummary,
  disputeView,
} from "./disputes.ts"
import {
  chargeEvent,
  debitEvent,
  eventView,
  invoiceEvent,
  mandateEvent,
  pageEvent,
  paymentEvent,
  reminderEvent,
  subscriptionEvent,
  uncreditedPayment,
  withdrawalEvent,
} from "./events.ts"
import {
  countAndAmount,
  decisionEffect,
  errorReply,
  fieldProblem,
  handSettlementView,
  ledgerLine,
  messageReply,
  pageReference,
  personReference,
  publicShopView,
  transactionReference,
  userReference,
} from "./fields.ts"
import {
  amountOfDayView,
  chargedCustomer,
  discountView,
  fineView,
  interestView,
  invoiceView,
  paidPartsView,
  termsWarning,
} from "./invoices.ts"
import { legalTextView } from "./legal-texts.ts"
import { automaticView, debitAttemptView, debitView, mandateView, ownDebitView } from "./mandates.ts"
import { manualEntryView } from "./manual-entries.ts"
import { noticeView } from "./notices.ts"
import { pageReportView } from "./page-reports.ts"
import { passkeyDescriptor, passkeyRequestOptions, passkeyView } from "./passkeys.ts"
import { paymentProofView, pixPaymentView } from "./payments.ts"
import { pushSubscriptionView } from "./push.ts"
import { receiptVerdictView, receiptView } from "./receipts.ts"
import { refundRequestView } from "./refund-requests.ts"
import { adminRefundView, refundDeadline, refundView } from "./refunds.ts"
import { reminderSettingsView, reminderStepView, remindersOfToday, reminderView } from "./reminders.ts"
import { dashboardReport, salesDay, sellerReport, summaryReport } from "./reports.ts"
import { returnOriginsView, returnOriginsWithKey } from "./return-origins.ts"
import { screenView } from "./screens.ts"
import { allHits, ownHits } from "./search.ts"
import { sessionView } from "./sessions.ts"
import { changedSetting, settingView } from "./settings.ts"
import { shopView } from "./shops.ts"
import { incomeMonth, incomeReport, statementRow, statementView } from "./statements.ts"
import { planView, subscriptionsSummary, subscriptionView } from "./subscriptions.ts"
import { systemStatusView, waitingState } from "./system.ts"
import { memberView, teamInvitationView } from "./team.ts"
import { transactionDetail, transactionMetadata, transactionsSummary, transactionView } from "./transactions.ts"
import {
  decidedUnmatchedPayment,
  unmatchedPaymentsSummary,
  unmatchedPaymentView,
  unreadableEntryView,
} from "./unmatched-payments.ts"
import { addressView, bankAccountView, ownShopView, userView } from "./users.ts"
import { attemptView, deliveryView, testOutcomeView, webhookView, webhookWithSecret } from "./webhooks.ts"
import { withdrawalRuleView } from "./withdrawal-rules.ts"
import { bankDataView, withdrawalView } from "./withdrawals.ts"

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
  WithdrawalRule: withdrawalRuleView,
  ChangedSetting: changedSetting,
  Charge: chargeView,
  ChargeEvent: chargeEvent,
  ChargePage: chargePageView,
  Books: booksView,
  CloseDifference: closeDifferenceView,
  CloseTotal: closeTotalView,
  CountAndAmount: countAndAmount,
  CounterShift: counterShiftView,
  Customer: customerView,
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
  FieldProblem: fieldProblem,
  Favourite: favouriteView,
  HandSettlement: handSettlementView,
  IncomeMonth: incomeMonth,
  IncomeReport: incomeReport,
  Invitation: invitationView,
  LedgerLine: ledgerLine,
  ManualEntry: manualEntryView,
  Member: memberView,
  TeamInvitation: teamInvitationView,
  OwnShop: ownShopView,
  Message: messageReply,
  LegalText: legalTextView,
  Notice: noticeView,
  PageEvent: pageEvent,
  ChargedCustomer: chargedCustomer,
  Invoice: invoiceView,
  InvoiceAmount: amountOfDayView,
  InvoiceFine: fineView,
  InvoiceInterest: interestView,
  InvoiceDiscount: discountView,
  InvoiceWarning: termsWarning,
  InvoicePaidParts: paidPartsView,
  InvoiceEvent: invoiceEvent,
  Subscription: subscriptionView,
  Mandate: mandateView,
  MandateOfSubscription: automaticView,
  DebitAttempt: debitAttemptView,
  Debit: debitView,
  OwnDebit: ownDebitView,
  SubscriptionsSummary: subscriptionsSummary,
  SubscriptionEvent: subscriptionEvent,
  MandateEvent: mandateEvent,
  DebitEvent: debitEvent,
  Plan: planView,
  PageReference: pageReference,
  PageReport: pageReportView,
  Passkey: passkeyView,
  PasskeyDescriptor: passkeyDescriptor,
  PasskeyRequestOptions: passkeyRequestOptions,
  PaymentEvent: paymentEvent,
  PaymentProof: paymentProofView,
  PayoutClaim: payoutClaim,
  PersonReference: personReference,
  PixConfig: pixConfigView,
  PixPayment: pixPaymentView,
  PublicChargePage: publicChargePageView,
  PublicShop: publicShopView,
  Receipt: receiptView,
  ReceiptVerdict: receiptVerdictView,
  PushSubscription: pushSubscriptionView,
  Refund: refundView,
  RefundDeadline: refundDeadline,
  RefundRequest: refundRequestView,
  Reminder: reminderView,
  ReminderEvent: reminderEvent,
  ReminderOfToday: remindersOfToday,
  ReminderSettings: reminderSettingsView,
  ReminderStep: reminderStepView,
  ReturnOrigins: returnOriginsView,
  ReturnOriginsWithKey: returnOriginsWithKey,
  SalesDay: salesDay,
  Screen: screenView,
  SearchHits: ownHits,
  SellerReport: sellerReport,
  Session: sessionView,
  Setting: settingView,
  Shop: shopView,
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
