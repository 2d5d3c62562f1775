import { closeDays } from "#bank/daily-closes/close"
import { ensurePspConnection } from "#bank/psp-inbox/connection"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import type { Db, SoleDb, Tx } from "#db/transaction"
import { invariant, StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import type { PayerTokens } from "#kit/secrets"
import type { Mailer } from "#mail/mailer"
import { createOutboxMailer } from "#mail/outbox"
import { removeDueCharges } from "#money/payments/book"
import { foldPayments } from "#money/payments/fold"
import { enqueuePaymentMails } from "#money/payments/mails"
import { ensureFirstAdmin } from "#people/users/first-admin"
import { countSellers, findActiveAdminIds } from "#people/users/reads"
import { existsAuditRecord } from "#platform/audit/reads"
import { recordAudit } from "#platform/audit/record"
import { numberEvents } from "#platform/event-log/append"
import { notifyOfSetting } from "#platform/mails/notify-owner"
import { sendMails } from "#platform/mails/send-mails"
import { changeSetting, initializeSettings } from "#platform/settings/manage"
import { createOpeningCounter } from "#platform/system/node"
import { foldPlatformChanges } from "#platform/totals/totals"
import type { Psp } from "#psp/psp"
import { expireChargePages } from "#selling/charge-pages/change"
import { expireCharges } from "#selling/charges/end"
import { foldChargeChanges } from "#selling/charges/lists"
import { createChargeSteps } from "#selling/charges/open"
import { openPayerTokens } from "#selling/charges/payer-data"
import { expireInvoices } from "#selling/closings/invoices"
import { sendReminders } from "#selling/reminders/send"
import { settleReminders } from "#selling/reminders/settle"
import { issueCycles, settleSubscriptions } from "#selling/subscriptions/issue"
import { workOnDebits } from "./automatic.ts"
import { planLastDays } from "./last-days.ts"
import { openShop } from "./open-shops.ts"
import { demoSellers } from "./sellers.ts"
import { type Agenda, createLuck, dayOf, minutesAfter, type SandboxBank, type Shop, type Story } from "./story.ts"
import { planDisputes, withdrawNowAndThen } from "./trade.ts"
import { planTroubles } from "./troubles.ts"

const choresEveryMinutes = 240
/** Past three in the morning, when the day before may be compared. */
const closesAtMinute = 200

interface Mailing {
  mailer: Mailer
  publicUrl: string
  payersUrl: string
  payerTokens: PayerTokens
}

/** Three months of activity, run by the same verbs that requests and jobs call. */
async function playStory(story: Story, mail: Mailing): Promise<void> {
  const { deps, agenda, openings, start, end } = story
  const shops: Shop[] = []
  await initializeSettings(deps, story.admin)
  planSettings(story)
  for (const [number, seller] of demoSellers.entries()) {
    const joinsAt = minutesAfter(dayOf(story, seller.joinedOnDay), 600 + number)
    agenda.plan(joinsAt, async () => {
      const shop = await openShop(story, seller)
      shops.push(shop)
      withdrawNowAndThen(story, shop)
      if (shops.length < demoSellers.length) return
      planTroubles(story, shops)
      planDisputes(story, shops)
      planLastDays(story, shops)
    })
  }
  for (let at = start; at < end; at = minutesAfter(at, choresEveryMinutes)) {
    agenda.plan(at, async () => {
      await openings.flush()
      await issueCycles(deps)
      await expireInvoices(deps)
      await settleSubscriptions(deps)
      await workOnDebits(story)
      await removeDueCharges(deps)
      await story.notifyOfSales()
      await sendReminders({ ...deps, ...mail })
      await sendMails({ ...deps, ...mail })
      await settleReminders(deps)
    })
  }
  for (let at = minutesAfter(start, closesAtMinute); at < end; at = minutesAfter(at, 24 * 60)) {
    agenda.plan(at, () => closeDays(deps))
  }
  await agenda.run()
  await finish(story, mail)
}

function planSettings(story: Story): void {
  const { deps, agenda, admin } = story
  const changes = [
    [1, "SUPPORT_EMAIL", "suporte@tilinta.example"],
    [3, "MIN_WITHDRAWAL_AMOUNT", 20],
    [15, "LEGAL_NAME", "Tilinta Pagamentos Ltda"],
    [15, "LEGAL_CNPJ", "11444777000161"],
    [16, "AUTOMATIC_PIX", true],
    [36, "TRANSACTION_FEE_PERCENTAGE", 12],
  ] as const
  for (const [day, key, value] of changes) {
    const at = minutesAfter(dayOf(story, day), 560)
    agenda.plan(
      at,
      async () =>
        void (await changeSetting({ ...deps, notifyOfSetting, offersAutomatic: deps.psp.automatic !== null }, admin, {
          key,
          changes: { value },
        })),
    )
  }
}

/** Does the work that the jobs would have done by now. */
async function finish(story: Story, mail: Mailing): Promise<void> {
  const { deps, openings, notifyOfSales } = story
  await openings.flush()
  await reconcileReceipts(deps)
  await removeDueCharges(deps)
  await expireCharges(deps)
  await expireChargePages(deps)
  await issueCycles(deps)
  await expireInvoices(deps)
  await settleSubscriptions(deps)
  await workOnDebits(story)
  await notifyOfSales()
  await sendMails({ ...deps, ...mail })
  await foldPayments(deps)
  await foldPlatformChanges(deps)
  await foldChargeChanges(deps)
}

interface Filling {
  db: SoleDb
  psp: Psp
  log: Logger
  agenda: Agenda
  bank: SandboxBank
  start: Date
  end: Date
  admin: { email: string; password: string }
  sellersPassword: string
  publicUrl: string
}

const demo = { entity: "demo", entityId: "demo" } as const
const seed = 20_250_607

/** True when the demo still has to be filled in. Throws when the database contains other data. */
export async function isToBeFilled(db: Db): Promise<boolean> {
  if (await existsAuditRecord(db, { ...demo, action: "demo.filled" })) return false
  if (await existsAuditRecord(db, { ...demo, action: "demo.begun" })) {
    throw new StartError(
      "A demonstração foi interrompida enquanto era preenchida: apague a pasta dela (DATA_DIR) e comece de novo.",
    )
  }
  if ((await countSellers(db)) === 0) return true
  throw new StartError(
    "Este banco de dados já tem vendedores, e a demonstração nunca se mistura com eles: use outra pasta em DATA_DIR (e tire DATABASE_URL).",
  )
}

export async function fillDemo(filling: Filling): Promise<void> {
  const { db, psp, log, agenda, bank, start, end, publicUrl } = filling
  const deps = { db, chargeSteps: createChargeSteps(db), psp, log, clock: agenda.clock, protection: "relaxed" } as const
  await db.transaction().execute((tx) => note(tx, "demo.begun", start))
  await ensureFirstAdmin(deps, filling.admin)
  const [adminId] = await findActiveAdminIds(db)
  invariant(adminId !== undefined, "no active admin")
  await ensurePspConnection(deps, psp.name)
  const openings = createOpeningCounter(deps)
  const admin = { id: adminId, address: null }
  const story = { deps, agenda, luck: createLuck(seed), bank, openings, admin, start, end }
  const payerTokens = await openPayerTokens({ db: deps.db, protection: "relaxed" })
  const mail = { mailer: createOutboxMailer(deps), publicUrl, payersUrl: publicUrl, payerTokens }
  async function notifyOfSales(): Promise<void> {
    await numberEvents(deps)
    await enqueuePaymentMails({ ...deps, ...mail })
  }
  await playStory({ ...story, password: filling.sellersPassword, payersUrl: publicUrl, notifyOfSales }, mail)
  await db.transaction().execute((tx) => note(tx, "demo.filled", end))
}

async function note(tx: Tx, action: "demo.begun" | "demo.filled", now: Date): Promise<void> {
  await recordAudit(tx, { ...demo, actor: null, happenedAt: now, action, before: null, after: null })
}
