import { closeDays } from "#domain/bank/daily-closes/close-days"
import { reconcileReceipts } from "#domain/bank/reconciliation/reconcile-receipts"
import { enqueuePaymentMails } from "#domain/money/payments/enqueue-payment-mails"
import { foldPayments } from "#domain/money/payments/fold-payments"
import { removeDueCharges } from "#domain/money/payments/remove-due-charges"
import { numberEvents } from "#domain/platform/event-log/number-events"
import { sendMails } from "#domain/platform/mails/send-mails"
import { tellOfSetting } from "#domain/platform/mails/tell-owner"
import { changeSetting, initializeSettings } from "#domain/platform/settings/manage-settings"
import { foldPlatformChanges } from "#domain/platform/totals/fold-platform-changes"
import { expireChargePages } from "#domain/selling/charge-pages/expire-charge-pages"
import { expireCharges } from "#domain/selling/charges/expire-charges"
import { foldChargeChanges } from "#domain/selling/charges/fold-charge-changes"
import type { PayerTokens } from "#kit/payer-tokens"
import type { Mailer } from "#mail/mailer"
import { planDisputes } from "./dispute-some.ts"
import { planLastDays } from "./last-days.ts"
import { openShop } from "./open-shops.ts"
import { demoSellers } from "./sellers.ts"
import { dayOf, minutesAfter, type Shop, type Story } from "./story.ts"
import { planTroubles } from "./troubles.ts"
import { withdrawNowAndThen } from "./withdraw.ts"

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
export async function playStory(story: Story, mail: Mailing): Promise<void> {
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
      await removeDueCharges(deps)
      await numberEvents(deps)
      await enqueuePaymentMails({ ...deps, ...mail })
      await sendMails({ ...deps, ...mail })
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
    [36, "TRANSACTION_FEE_PERCENTAGE", 12],
  ] as const
  for (const [day, key, value] of changes) {
    const at = minutesAfter(dayOf(story, day), 560)
    agenda.plan(
      at,
      async () => void (await changeSetting({ ...deps, tellOfSetting }, admin, { key, changes: { value } })),
    )
  }
}

/** Does the work that the jobs would have done by now. */
async function finish({ deps, openings }: Story, mail: Mailing): Promise<void> {
  await openings.flush()
  await reconcileReceipts(deps)
  await removeDueCharges(deps)
  await expireCharges(deps)
  await expireChargePages(deps)
  await numberEvents(deps)
  await enqueuePaymentMails({ ...deps, ...mail })
  await sendMails({ ...deps, ...mail })
  await foldPayments(deps)
  await foldPlatformChanges(deps)
  await foldChargeChanges(deps)
}
