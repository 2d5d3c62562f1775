/**
 * Each endpoint's method and path, stated here alone. Strings without schemas, so that a page that only calls an endpoint
 * does not load zod.
 */

// Accounts
export const listAccounts = "GET /api/v1/admin/accounts"
export const getAccountStatement = "GET /api/v1/admin/accounts/:id/statement"

// Admin charge pages
export const listAllChargePages = "GET /api/v1/admin/checkout-pages"
export const getAnyChargePage = "GET /api/v1/admin/checkout-pages/:id"

// Admin transactions
export const listAllTransactions = "GET /api/v1/admin/transactions"
export const exportAllTransactions = "GET /api/v1/admin/transactions/export"
export const getAnyTransaction = "GET /api/v1/admin/transactions/:id"

// Admin users
export const listUsers = "GET /api/v1/admin/users"
export const getUser = "GET /api/v1/admin/users/:id"
export const createUser = "POST /api/v1/admin/users"
export const updateUser = "PATCH /api/v1/admin/users/:id"
export const createViewSession = "POST /api/v1/admin/users/:id/view-session"
export const createInvitation = "POST /api/v1/admin/users/:id/invitation"
export const unfreezeUser = "PATCH /api/v1/admin/users/:id/unfreeze"
export const endUserSessions = "DELETE /api/v1/admin/users/:id/sessions"
export const inactivateUser = "DELETE /api/v1/admin/users/:id"

// Admin withdrawals
export const listAllWithdrawals = "GET /api/v1/admin/withdrawals"
export const getAnyWithdrawal = "GET /api/v1/admin/withdrawals/:id"
export const exportAllWithdrawals = "GET /api/v1/admin/withdrawals/export"
export const approveWithdrawal = "PATCH /api/v1/admin/withdrawals/:id/approve"
export const rejectWithdrawal = "PATCH /api/v1/admin/withdrawals/:id/reject"
export const completeWithdrawal = "PATCH /api/v1/admin/withdrawals/:id/complete"
export const returnWithdrawal = "PATCH /api/v1/admin/withdrawals/:id/return"
export const approveWithdrawals = "POST /api/v1/admin/withdrawals/approve"

// Api keys
export const createApiKey = "POST /api/v1/users/me/api-keys"
export const listApiKeys = "GET /api/v1/users/me/api-keys"
export const revokeApiKey = "DELETE /api/v1/users/me/api-keys/:id"

// Approvals
export const listApprovals = "GET /api/v1/admin/approvals"
export const refuseApproval = "PATCH /api/v1/admin/approvals/:id/refuse"

// Audit records
export const listAuditRecords = "GET /api/v1/admin/audit-records"
export const exportAuditRecords = "GET /api/v1/admin/audit-records/export"

// Auth
export const signup = "POST /api/v1/auth/signup"
export const login = "POST /api/v1/auth/login"
export const forgotPassword = "POST /api/v1/auth/forgotPassword"
export const resetPassword = "PATCH /api/v1/auth/resetPassword/:token"
export const confirmNewEmail = "POST /api/v1/auth/newEmail/:token"
export const updateMyPassword = "PATCH /api/v1/auth/updateMyPassword"
export const logout = "POST /api/v1/auth/logout"

// Charge pages
export const createChargePage = "POST /api/v1/checkout/pages"
export const listChargePages = "GET /api/v1/checkout/pages"
export const getChargePage = "GET /api/v1/checkout/pages/:id"
export const updateChargePage = "PATCH /api/v1/checkout/pages/:id"
export const cancelChargePage = "PATCH /api/v1/checkout/pages/:id/cancel"
export const deleteChargePage = "DELETE /api/v1/checkout/pages/:id"
export const getSlug = "GET /api/v1/checkout/slugs/:slug"

// Charges
export const createCharge = "POST /api/v1/charges"
export const getCounterDay = "GET /api/v1/counter/today"
export const closeCounterShift = "POST /api/v1/counter/shifts"
export const saveFavourites = "PUT /api/v1/counter/favourites"

// Customers
export const createCustomer = "POST /api/v1/customers"
export const listCustomers = "GET /api/v1/customers"
export const importCustomers = "POST /api/v1/customers/import"
export const exportCustomers = "GET /api/v1/customers/export"
export const getCustomer = "GET /api/v1/customers/:id"
export const updateCustomer = "PATCH /api/v1/customers/:id"
export const archiveCustomer = "DELETE /api/v1/customers/:id"

// Daily closes
export const listDailyCloses = "GET /api/v1/admin/daily-closes"
export const getDailyClose = "GET /api/v1/admin/daily-closes/:id"
export const exportDifferences = "GET /api/v1/admin/daily-closes/:id/export"
export const typeBankBalance = "PATCH /api/v1/admin/daily-closes/:id/balance"
export const redoDailyClose = "PATCH /api/v1/admin/daily-closes/:id/redo"

// Destinations
export const listDestinations = "GET /api/v1/users/me/destinations"
export const removeDestination = "DELETE /api/v1/users/me/destinations/:id"
export const sayDestinationOwner = "PATCH /api/v1/admin/users/:id/destinations/:destinationId"

// Withdrawal rules
export const getWithdrawalRule = "GET /api/v1/users/me/withdrawal-rule"
export const putWithdrawalRule = "PUT /api/v1/users/me/withdrawal-rule"
export const deleteWithdrawalRule = "DELETE /api/v1/users/me/withdrawal-rule"

// Disputes
export const listDisputes = "GET /api/v1/payments/disputes"
export const listTransactionDisputes = "GET /api/v1/payments/transactions/:id/payment-disputes"
export const defendDispute = "PATCH /api/v1/payments/disputes/:id/defence"
export const listAllDisputes = "GET /api/v1/admin/disputes"
export const getDispute = "GET /api/v1/admin/disputes/:id"
export const listPaymentDisputes = "GET /api/v1/admin/transactions/:id/payment-disputes"
export const registerDispute = "POST /api/v1/admin/disputes"
export const releaseDispute = "PATCH /api/v1/admin/disputes/:id/release"
export const debitDispute = "PATCH /api/v1/admin/disputes/:id/debit"
export const adminDefendDispute = "PATCH /api/v1/admin/disputes/:id/defence"

// Events
export const listEvents = "GET /api/v1/events"

// Hand settlements
export const settleWithdrawal = "PATCH /api/v1/admin/withdrawals/:id/settle"
export const settleRefund = "PATCH /api/v1/admin/refunds/:id/settle"

// Hand payouts
export const claimWithdrawal = "POST /api/v1/admin/withdrawals/:id/claim"
export const releaseWithdrawal = "DELETE /api/v1/admin/withdrawals/:id/claim"

// Remittances
export const createRemittance = "POST /api/v1/admin/remittances"
export const getRemittance = "GET /api/v1/admin/remittances/:sequence"
export const readRemittanceReturn = "POST /api/v1/admin/remittances/returns"

// Bank statements
export const importBankStatement = "POST /api/v1/admin/bank-statements"
export const confirmBankStatement = "POST /api/v1/admin/bank-statements/:id/confirm"

// Invoices
export const createInvoice = "POST /api/v1/invoices"
export const createInvoicesAtOnce = "POST /api/v1/invoices/bulk"
export const createInstalments = "POST /api/v1/invoices/instalments"
export const listInvoices = "GET /api/v1/invoices"
export const exportInvoices = "GET /api/v1/invoices/export"
export const previewInvoice = "POST /api/v1/invoices/preview"
export const getInvoice = "GET /api/v1/invoices/:id"
export const updateInvoice = "PATCH /api/v1/invoices/:id"
export const cancelInvoice = "PATCH /api/v1/invoices/:id/cancel"
export const settleInvoiceOutside = "PATCH /api/v1/invoices/:id/settle-outside"

// Subscriptions
export const createSubscription = "POST /api/v1/subscriptions"
export const listSubscriptions = "GET /api/v1/subscriptions"
export const getSubscription = "GET /api/v1/subscriptions/:id"
export const updateSubscription = "PATCH /api/v1/subscriptions/:id"
export const pauseSubscription = "PATCH /api/v1/subscriptions/:id/pause"
export const resumeSubscription = "PATCH /api/v1/subscriptions/:id/resume"
export const cancelSubscription = "PATCH /api/v1/subscriptions/:id/cancel"
export const listCycles = "GET /api/v1/subscriptions/:id/cycles"

// Mandates
export const createMandate = "POST /api/v1/subscriptions/:id/mandate"
export const getMandate = "GET /api/v1/mandates/:id"
export const cancelMandate = "PATCH /api/v1/mandates/:id/cancel"
export const resumeMandate = "PATCH /api/v1/mandates/:id/resume"
export const retryDebit = "POST /api/v1/debits/:id/retries"
export const cancelDebit = "PATCH /api/v1/debits/:id/cancel"
export const listAllMandates = "GET /api/v1/admin/mandates"
export const cancelAnyMandate = "PATCH /api/v1/admin/mandates/:id/cancel"
export const setAutomaticPix = "PATCH /api/v1/admin/users/:id/automatic-pix"
export const createPlan = "POST /api/v1/plans"
export const listPlans = "GET /api/v1/plans"
export const updatePlan = "PATCH /api/v1/plans/:id"

// Legal texts
export const listMyLegalTexts = "GET /api/v1/users/me/legal-texts"
export const acceptLegalTexts = "POST /api/v1/users/me/legal-texts"

// Manual entries
export const listManualEntries = "GET /api/v1/admin/journal"
export const createManualEntry = "POST /api/v1/admin/journal"
export const approveManualEntry = "PATCH /api/v1/admin/journal/:id/approve"
export const refuseManualEntry = "PATCH /api/v1/admin/journal/:id/refuse"

// Notices
export const getPushKey = "GET /api/v1/public/push-key"
export const listPushSubscriptions = "GET /api/v1/users/me/push-subscriptions"
export const savePushSubscription = "POST /api/v1/users/me/push-subscriptions"
export const endPushSubscription = "DELETE /api/v1/users/me/push-subscriptions/:id"
export const testPushSubscription = "POST /api/v1/users/me/push-subscriptions/:id/test"
export const listMyNotices = "GET /api/v1/users/me/notices"
export const markMyNoticesRead = "PATCH /api/v1/users/me/notices/read"

// Page reports
export const reportPage = "POST /api/v1/checkout/pages/:link/reports"
export const listPageReports = "GET /api/v1/admin/page-reports"
export const suspendReportedPage = "PATCH /api/v1/admin/page-reports/:id/suspend"
export const dismissPageReport = "PATCH /api/v1/admin/page-reports/:id/dismiss"
export const liftSuspension = "PATCH /api/v1/admin/page-reports/:id/lift"

// Passkeys
export const passkeySignInOptions = "POST /api/v1/auth/passkeys/options"
export const signInByPasskey = "POST /api/v1/auth/passkeys"
export const stepUpOptions = "POST /api/v1/auth/step-up/options"
export const listPasskeys = "GET /api/v1/users/me/passkeys"
export const passkeyOptions = "POST /api/v1/users/me/passkeys/options"
export const addPasskey = "POST /api/v1/users/me/passkeys"
export const renamePasskey = "PATCH /api/v1/users/me/passkeys/:id"
export const removePasskey = "DELETE /api/v1/users/me/passkeys/:id"

// Payments
export const processPixPayment = "POST /api/v1/checkout/process-modern-pix-payment"
export const getPaymentProof = "GET /api/v1/checkout/payment-proofs/:transactionId"
export const getPaymentStatus = "GET /api/v1/checkout/payment-status/:transactionId"

// Pending counts
export const getPendingCounts = "GET /api/v1/admin/pending-counts"

// Receipts
export const getReceipt = "GET /api/v1/checkout/payment-proofs/:transactionId/receipt"
export const verifyReceipt = "POST /api/v1/receipts/verify"

// Refunds
export const refundTransaction = "POST /api/v1/payments/transactions/:id/refunds"
export const listRefunds = "GET /api/v1/payments/transactions/:id/refunds"
export const adminRefundTransaction = "POST /api/v1/admin/transactions/:id/refunds"
export const adminListRefunds = "GET /api/v1/admin/transactions/:id/refunds"

// Refund requests
export const askForRefund = "POST /api/v1/payments/transactions/:id/refund-requests"
export const listRefundRequests = "GET /api/v1/counter/refund-requests"
export const confirmRefundRequest = "PATCH /api/v1/payments/transactions/:id/refund-requests/:requestId/confirm"
export const declineRefundRequest = "PATCH /api/v1/payments/transactions/:id/refund-requests/:requestId/decline"

// Reminders
export const getReminderSettings = "GET /api/v1/users/me/reminders"
export const changeReminderSettings = "PATCH /api/v1/users/me/reminders"
export const listRemindersOfToday = "GET /api/v1/users/me/reminders/today"
export const listCustomerReminders = "GET /api/v1/customers/:id/reminders"
export const listInvoiceReminders = "GET /api/v1/invoices/:id/reminders"
export const remindCustomer = "POST /api/v1/invoices/:id/reminders"

// Reports
export const topUsers = "GET /api/v1/admin/reports/top-users"
export const summaryReport = "GET /api/v1/admin/reports/summary"
export const dashboardReport = "GET /api/v1/admin/reports/dashboard"

// Return origins
export const getReturnOrigins = "GET /api/v1/users/me/return-origins"
export const changeReturnOrigins = "PUT /api/v1/users/me/return-origins"
export const rotateReturnKey = "POST /api/v1/users/me/return-origins/rotate"

// Screens
export const addScreen = "POST /api/v1/shops/:id/screens"
export const listScreens = "GET /api/v1/shops/:id/screens"
export const showOnScreen = "PATCH /api/v1/shops/:id/screens/:screenId"
export const removeScreen = "DELETE /api/v1/shops/:id/screens/:screenId"
export const pairScreen = "POST /api/v1/screens/pair"
export const getCurrentScreen = "GET /api/v1/screens/current"

// Search
export const searchOwn = "GET /api/v1/search"
export const searchAll = "GET /api/v1/admin/search"

// Second factors
export const stepUp = "POST /api/v1/auth/step-up"
export const readFactors = "GET /api/v1/users/me/factors"
export const beginTotp = "POST /api/v1/users/me/totp"
export const confirmTotp = "POST /api/v1/users/me/totp/confirm"
export const removeTotp = "DELETE /api/v1/users/me/totp"
export const renewRecoveryCodes = "POST /api/v1/users/me/recovery-codes"

// Seller report
export const getSellerReport = "GET /api/v1/reports/seller"

// Sessions
export const listMySessions = "GET /api/v1/users/me/sessions"
export const endMySession = "DELETE /api/v1/users/me/sessions/:id"
export const endMyOtherSessions = "DELETE /api/v1/users/me/sessions"

// Settings
export const getPublicSetting = "GET /api/v1/public/settings/:key"
export const listSettings = "GET /api/v1/settings"
export const createSetting = "POST /api/v1/settings"
export const updateSetting = "PATCH /api/v1/settings/:key"
export const initializeSettings = "POST /api/v1/settings/initialize"

// Statements
export const exportStatement = "GET /api/v1/users/me/statement/export"
export const getIncomeReport = "GET /api/v1/users/me/income"
export const exportIncome = "GET /api/v1/users/me/income/export"
export const listWithdrawnSales = "GET /api/v1/withdrawals/:id/sales"
export const getStatement = "GET /api/v1/users/me/statement"

// Shops
export const getShop = "GET /api/v1/users/me/shop"
export const changeShop = "PATCH /api/v1/users/me/shop"
export const putShopLogo = "PUT /api/v1/users/me/shop/logo"
export const removeShopLogo = "DELETE /api/v1/users/me/shop/logo"

// Team
export const listMembers = "GET /api/v1/shops/:id/members"
export const changeMember = "PATCH /api/v1/shops/:id/members/:memberId"
export const removeMember = "DELETE /api/v1/shops/:id/members/:memberId"
export const inviteMember = "POST /api/v1/shops/:id/invitations"
export const listTeamInvitations = "GET /api/v1/shops/:id/invitations"
export const revokeTeamInvitation = "DELETE /api/v1/shops/:id/invitations/:invitationId"
export const getTeamInvitation = "GET /api/v1/invitations/:token"
export const acceptTeamInvitation = "POST /api/v1/invitations/:token/accept"

// System
export const getSystemStatus = "GET /api/v1/admin/system"
export const retryInboxMessage = "PATCH /api/v1/admin/system/inbox-messages/:id/retry"
export const retryMail = "PATCH /api/v1/admin/system/mails/:id/retry"
export const listAllInvoices = "GET /api/v1/admin/invoices"
export const runJob = "POST /api/v1/admin/system/jobs/:name/run"
export const requestLedgerCheck = "POST /api/v1/admin/system/ledger-checks"
export const requestBackup = "POST /api/v1/admin/system/backups"

// Transactions
export const listTransactions = "GET /api/v1/payments/transactions"
export const getTransaction = "GET /api/v1/payments/transactions/:id"
export const exportTransactions = "GET /api/v1/payments/transactions/export"

// Unmatched payments
export const listUnmatchedPayments = "GET /api/v1/admin/unmatched-payments"
export const getUnmatchedPayment = "GET /api/v1/admin/unmatched-payments/:id"
export const acceptUnmatchedPayment = "PATCH /api/v1/admin/unmatched-payments/:id/accept"
export const returnUnmatchedPayment = "PATCH /api/v1/admin/unmatched-payments/:id/return"
export const closeUnreadableEntry = "PATCH /api/v1/admin/unreadable-entries/:id/close"

// Users
export const getMe = "GET /api/v1/users/me"
export const getMyBalance = "GET /api/v1/users/myBalance"
export const updateMe = "PATCH /api/v1/users/updateMe"
export const exportMyData = "GET /api/v1/users/me/export"
export const deleteMyAccount = "DELETE /api/v1/users/me"
export const resendEmailConfirmation = "POST /api/v1/users/me/email-confirmation"

// Webhooks
export const createWebhook = "POST /api/v1/users/me/webhooks"
export const listWebhooks = "GET /api/v1/users/me/webhooks"
export const getWebhook = "GET /api/v1/users/me/webhooks/:id"
export const changeWebhook = "PATCH /api/v1/users/me/webhooks/:id"
export const deleteWebhook = "DELETE /api/v1/users/me/webhooks/:id"
export const rotateWebhookSecret = "POST /api/v1/users/me/webhooks/:id/rotate"
export const testWebhook = "POST /api/v1/users/me/webhooks/:id/test"
export const listDeliveries = "GET /api/v1/users/me/webhooks/:id/deliveries"
export const listDeliveryAttempts = "GET /api/v1/users/me/webhooks/deliveries/:id/attempts"
export const resendDelivery = "POST /api/v1/users/me/webhooks/deliveries/:id/resend"
export const resendDeliveries = "POST /api/v1/users/me/webhooks/:id/resend"

// Withdrawals
export const requestWithdrawal = "POST /api/v1/withdrawals"
export const listWithdrawals = "GET /api/v1/withdrawals"
export const getWithdrawal = "GET /api/v1/withdrawals/:id"
export const getWithdrawalReceipt = "GET /api/v1/withdrawals/:id/receipt"
export const getWithdrawalProof = "GET /api/v1/withdrawals/:id/signed-receipt"
export const cancelWithdrawal = "PATCH /api/v1/withdrawals/:id/cancel"
