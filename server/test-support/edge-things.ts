import { randomBytes } from "node:crypto"
import type { Endpoint } from "@tilinta/contract/define-endpoint"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { packBodies } from "#bank/psp-inbox/rules"
import { fanOutEvents } from "#integrations/webhooks/deliver"
import { createWebhook } from "#integrations/webhooks/manage"
import { listDeliveries } from "#integrations/webhooks/resend"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { hashOfToken, newToken } from "#kit/secrets"
import { issueNotMeLink } from "#people/freezes/freeze"
import { beginPasskey } from "#people/second-factors/enrol-passkey"
import { beginTotp } from "#people/second-factors/totp"
import { requestPasswordReset } from "#people/users/reset-password"
import { enqueueMails } from "#platform/mails/notify-owner"
import { initializeSettings } from "#platform/settings/manage"
import { saveFavourites } from "#selling/charges/counter-favourites"
import {
  endToEndIdOf,
  makeCharge,
  makeDispute,
  makeDisputedCharge,
  makePage,
  makePaidCharge,
  makeRefundedCharge,
  makeReturnedCharge,
  makeUnansweredRefund,
  makeUnmatchedPayment,
  withdrawSale,
} from "./edge-charges.ts"
import { makeCounterSale, makeRefundRequest, screenCode } from "./edge-counter.ts"
import {
  makeFrozenUser,
  makeInvitationTo,
  makeInvitedUser,
  makeLogo,
  makeMember,
  makePushSubscription,
  makeScreen,
  makeTeamInvitation,
  pairedScreen,
} from "./edge-people.ts"
import {
  makeCustomer,
  makeDebit,
  makeInvoice,
  makeMandateLink,
  makeRemindedInvoice,
  newInvoice,
  newPlan,
  receivableThings,
} from "./edge-receivables.ts"
import {
  makeApprovedTransfer,
  makeBankStatement,
  makePaidTransfer,
  makeRemittanceOf,
  makeUnansweredWithdrawal,
  makeWithdrawal,
  pix,
} from "./edge-withdrawals.ts"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"
import { enrolPasskey, signInAssertion, testPublicUrl } from "./enrol-passkey.ts"
import { codeOf, enrolTotp } from "./enrol-totp.ts"
import { takeBalance } from "./give-balance.ts"
import { insertApiKey } from "./insert-api-key.ts"
import { insertApproval, insertEmailChange } from "./insert-approval.ts"
import { insertDifferingDay } from "./insert-daily-close.ts"
import { insertUnreadableEntry } from "./insert-unreadable-entry.ts"
import { deliverMails } from "./mail-delivery.ts"
import { entered, movedFees } from "./moved-fees.ts"
import { numberAllEvents } from "./number-all-events.ts"
import { proposeEntry } from "./propose-entry.ts"
import { reportOf, suspensionOf } from "./reported-pages.ts"
import { signedSession } from "./rewrite-sessions.ts"
import { saveSetting } from "./save-setting.ts"
import { newAuthenticator } from "./software-authenticator.ts"
import { tellEvents } from "./tell-events.ts"
import { confirmWebhook } from "./webhook-receiver.ts"

interface Thing {
  /** Only its owner may see or change it, or an admin by the admins' routes. */
  isPrivate: boolean
  make(world: EdgeWorld, owner: WorldUser): Promise<string>
}

/** Factories of valid values for path parameters. The longest matching path wins. */
const things: Record<string, Thing> = {
  "checkout/pages/:id": { isPrivate: true, make: async (world, owner) => (await makePage(world, owner)).id },
  "admin/checkout-pages/:id": { isPrivate: true, make: async (world, owner) => (await makePage(world, owner)).id },
  ...receivableThings,
  "plans/:id": { isPrivate: true, make: async (world, owner) => (await newPlan(world, owner)).id },
  "assinar/:slug": { isPrivate: false, make: async (world, owner) => (await newPlan(world, owner)).slug },
  "assinatura/:link": { isPrivate: false, make: makeMandateLink },
  "assinatura/dados/:id": { isPrivate: false, make: makeMandateLink },
  "checkout/slugs/:slug": { isPrivate: false, make: async () => "mentoria-de-vendas" },
  "payment-status/:transactionId": {
    isPrivate: false,
    make: async (world, owner) => (await makeCharge(world, owner)).id,
  },
  "unmatched-payments/:id": { isPrivate: true, make: makeUnmatchedPayment },
  "unreadable-entries/:id": { isPrivate: true, make: insertUnreadableEntry },
  "daily-closes/:id": { isPrivate: true, make: (world) => insertDifferingDay(world.db) },
  "accounts/:id": { isPrivate: true, make: (...own) => movedFees(own[0], makePaidCharge(...own)) },
  "journal/:id": { isPrivate: true, make: proposeEntry },
  "payment-proofs/:transactionId": { isPrivate: false, make: makeReturnedCharge },
  "resetPassword/:token": { isPrivate: false, make: makeResetToken },
  "settings/:key": { isPrivate: false, make: makeSetting },
  "disputes/:id": { isPrivate: true, make: makeDispute },
  "transactions/:id/payment-disputes": { isPrivate: true, make: makeDisputedCharge },
  "transactions/:id": { isPrivate: true, make: makePaidCharge },
  "admin/users/:id": { isPrivate: true, make: async (_world, owner) => owner.id },
  "users/:id/invitation": { isPrivate: true, make: makeInvitedUser },
  "users/:id/destinations/:destinationId": {
    isPrivate: true,
    make: async (world, owner) => `${owner.id} ${await makeDestination(world, owner)}`,
  },
  "users/:id/unfreeze": { isPrivate: true, make: makeFrozenUser },
  "not-me/:token": { isPrivate: false, make: issueTestLink },
  "inbox-messages/:id": { isPrivate: true, make: makeWaitingMessage },
  "mails/:id": { isPrivate: true, make: makeWaitingMail },
  "jobs/:name": { isPrivate: true, make: async () => "reconcile-receipts" },
  "me/api-keys/:id": { isPrivate: true, make: async (world, owner) => (await insertApiKey(world.db, owner.id)).id },
  "me/destinations/:id": { isPrivate: true, make: makeDestination },
  "me/webhooks/:id": { isPrivate: true, make: async (world, owner) => (await insertWebhook(world, owner)).id },
  "me/webhooks/:id/deliveries": { isPrivate: true, make: async (...own) => (await delivered(...own)).webhookId },
  "webhooks/deliveries/:id": { isPrivate: true, make: async (...own) => (await delivered(...own)).deliveryId },
  "me/passkeys/:id": { isPrivate: true, make: async (world, owner) => (await enrolPasskey(world, owner)).passkeyId },
  "me/push-subscriptions/:id": { isPrivate: true, make: makePushSubscription },
  "me/sessions/:id": { isPrivate: true, make: makeSession },
  "transactions/:id/refund-requests": { isPrivate: true, make: makeCounterSale },
  "transactions/:id/refund-requests/:requestId": { isPrivate: true, make: makeRefundRequest },
  "transactions/:id/refunds": { isPrivate: true, make: makeRefundedCharge },
  "admin/approvals/:id": { isPrivate: true, make: insertApproval },
  "pages/:link/reports": { isPrivate: false, make: async (world, owner) => (await makePage(world, owner)).uniqueLink },
  "admin/page-reports/:id": {
    isPrivate: true,
    make: async (world, owner) => reportOf(world, await makePage(world, owner)),
  },
  "admin/page-reports/:id/lift": {
    isPrivate: true,
    make: async (...own) => suspensionOf(own[0], await makePage(...own)),
  },
  "shops/:id": { isPrivate: true, make: async (_world, owner) => owner.id },
  "shops/:id/screens/:screenId": { isPrivate: true, make: makeScreen },
  "shops/:id/members/:memberId": { isPrivate: true, make: makeMember },
  "shops/:id/invitations/:invitationId": { isPrivate: true, make: makeTeamInvitation },
  "invitations/:token": { isPrivate: true, make: makeInvitationTo },
  "newEmail/:token": { isPrivate: false, make: insertEmailChange },
  "withdrawals/:id": { isPrivate: true, make: async (world, owner) => makeWithdrawal(world, owner, pix) },
  "withdrawals/:id/sales": {
    isPrivate: true,
    make: (...own) => entered(own[0], withdrawSale(...own)),
  },
  "withdrawals/:id/receipt": { isPrivate: true, make: makePaidTransfer },
  "withdrawals/:id/signed-receipt": { isPrivate: true, make: makePaidTransfer },
  "bank-statements/:id/confirm": { isPrivate: true, make: makeBankStatement },
  "admin/remittances/:sequence": { isPrivate: true, make: makeRemittanceOf },
  "withdrawals/:id/claim": { isPrivate: true, make: makeApprovedTransfer },
  "withdrawals/:id/complete": { isPrivate: true, make: makeApprovedTransfer },
  "withdrawals/:id/return": { isPrivate: true, make: makeApprovedTransfer },
  "withdrawals/:id/settle": { isPrivate: true, make: makeUnansweredWithdrawal },
  "refunds/:id/settle": { isPrivate: true, make: makeUnansweredRefund },
  "webhooks/simulator/:secret": { isPrivate: false, make: async () => "segredo" },
  "checkout/:link": { isPrivate: false, make: async (world, owner) => (await makePage(world, owner)).uniqueLink },
  "payment/:transactionId": { isPrivate: false, make: async (world, owner) => (await makeCharge(world, owner)).id },
  "payment/receipt/:transactionId": { isPrivate: false, make: makePaidCharge },
  "verificar/:name": { isPrivate: false, make: async () => "page.js" },
  "payment/data/:id": {
    isPrivate: false,
    make: async (world, owner) => (await makeCharge(world, owner)).id,
  },
  "receivables/:form": { isPrivate: false, make: async () => "create" },
  "invoice/data/:id": { isPrivate: false, make: async (world, owner) => (await newInvoice(world, owner)).uniqueLink },
  "payment/reminders/:token": { isPrivate: false, make: customersMailToken },
  "checkouts/:id": { isPrivate: false, make: async (world, owner) => (await makePage(world, owner)).id },
  "emails/:token": { isPrivate: false, make: mailTokenOf },
  "confirm-email/:token": { isPrivate: false, make: confirmationOf },
  "convite/:token": { isPrivate: false, make: async () => "a-token" },
  "new-email/:token": { isPrivate: false, make: async () => "a-token" },
  "reset-password/:token": { isPrivate: false, make: async () => "a-token" },
  "simulador/emails/:id": { isPrivate: false, make: makeShownMail },
  "simulador/*": { isPrivate: false, make: async () => "api/nada" },
  "logos/:file": { isPrivate: false, make: makeLogo },
  "assets/:name": { isPrivate: false, make: async () => "main-abc123.js" },
}

function thingOf(url: string): Thing | undefined {
  if (!/[:*]/.test(url)) return undefined
  const fitting = Object.keys(things).filter((name) => `${url}/`.includes(`/${name}/`))
  const [name] = fitting.sort((one, other) => other.length - one.length)
  const thing = name === undefined ? undefined : things[name]
  const ids = (path = "") => (path.match(/[:*]/g) ?? []).length
  if (thing === undefined || ids(url) !== ids(name)) {
    throw new Error(`unknown id in ${url}: add it to "things" of test-support/edge-things.ts`)
  }
  return thing
}

export function isPrivateThing(url: string): boolean {
  return thingOf(url)?.isPrivate ?? false
}

/** Fills the pattern with the id of a new thing of the owner's; of two ids with a blank between them each has its place. */
export async function addressOf(world: EdgeWorld, url: string, owner: WorldUser): Promise<string> {
  const thing = thingOf(url)
  if (thing === undefined) return url
  const ids = (await thing.make(world, owner)).split(" ")
  return ids.reduce((address, each) => address.replace(/:\w+|\*/, each), url)
}

/** A destination is known by its first withdrawal. */
async function makeDestination(world: EdgeWorld, owner: WorldUser): Promise<string> {
  await makeWithdrawal(world, owner, pix)
  const own = world.db.selectFrom("destinations").select("id").where("seller_id", "=", owner.id)
  return (await own.executeTakeFirstOrThrow()).id
}

async function makeShownMail(world: EdgeWorld): Promise<string> {
  const id = newId()
  const mail = {
    to_address: "ana@loja.example",
    to_key: "ana@loja.example",
    subject: "Oi",
    text: "Oi",
    html: '<p style="margin:0">Oi</p>',
  }
  await world.db
    .insertInto("outbox_mails")
    .values({ id, ...mail, sent_at: world.clock.now() })
    .execute()
  return id
}

/** Somebody else's: whoever answers it stops their account. */
async function issueTestLink(world: EdgeWorld): Promise<string> {
  const { id } = await world.user()
  return world.db.transaction().execute((tx) => issueNotMeLink(tx, id, world.clock.now()))
}

/** Somebody else, because the owner of all other things still withdraws. */
async function confirmationOf(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const token = newToken()
  const { email_key } = await world.db
    .selectFrom("users")
    .select("email_key")
    .where("id", "=", owner.id)
    .executeTakeFirstOrThrow()
  const [created_at, expires_at] = [world.clock.now(), secondsAfter(world.clock.now(), 3_600)]
  const link = { token_hash: hashOfToken(token), user_id: owner.id, email_key, created_at, expires_at }
  await world.db.insertInto("email_confirmations").values(link).execute()
  return token
}

async function customersMailToken(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const customer = world.db
    .selectFrom("customers")
    .select("mail_token")
    .where("id", "=", await makeCustomer(world, owner))
  return (await customer.executeTakeFirstOrThrow()).mail_token
}

async function mailTokenOf(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const user = world.db.selectFrom("users").select("mail_token").where("id", "=", owner.id)
  return (await user.executeTakeFirstOrThrow()).mail_token
}

let made = 0

/** The example's body with ids that exist in this world, and fresh values where they must be unique. */
export async function bodyFor(world: EdgeWorld, path: string, body: unknown, owner: WorldUser): Promise<unknown> {
  if (typeof body !== "object" || body === null) return body
  made += 1
  const known = /\/auth\/(login|forgotPassword)$/.test(path)
  const fresh: Record<string, () => unknown> = {
    endToEndId: async () => endToEndIdOf(world, await makePaidCharge(world, owner)),
    checkoutPageId: async () => (await makePage(world, owner)).id,
    email: () => (known ? owner.email : `pessoa-${made}@loja.example`),
    code: () => {
      if (path.endsWith("/screens/pair")) return screenCode(world, owner)
      return path.endsWith("/totp/confirm") ? codeFor(world, owner) : null
    },
    credential: () => credentialFor(world, path, owner),
    customerIds: async () => [await makeCustomer(world, owner)],
    customerId: async () => (path.endsWith("/preview") ? null : makeCustomer(world, owner)),
    ids: async () => [
      await (path.endsWith("/remittances") ? makeTransferOfAccount(world, owner) : makeWithdrawal(world, owner, pix)),
    ],
    destinationId: () => provenDestination(world, owner),
    bankId: () => `TED ${made}`,
    key: () => `EXAMPLE_${made}`,
  }
  const changes = Object.entries(fresh).filter(([name]) => name in body)
  const values = await Promise.all(changes.map(async ([name, value]) => [name, await value()]))
  return { ...body, ...Object.fromEntries(values) }
}

/** To be paid from the platform's account, which is known. */
async function makeTransferOfAccount(world: EdgeWorld, owner: WorldUser): Promise<string> {
  for (const [key, value] of [
    ["PAYOUT_BANK", "001"],
    ["PAYOUT_AGENCY", "1234"],
    ["PAYOUT_ACCOUNT", "56789-0"],
    ["LEGAL_NAME", "Tilinta Ltda"],
    ["LEGAL_CNPJ", "11222333000181"],
  ] as const) {
    await saveSetting(world.db, key, value)
  }
  return makeApprovedTransfer(world, owner)
}

/** One to which a withdrawal was paid. */
async function provenDestination(world: EdgeWorld, owner: WorldUser): Promise<string> {
  await makePaidTransfer(world, owner)
  const own = world.db.selectFrom("destinations").select("id").where("seller_id", "=", owner.id)
  return (await own.where("method", "=", "bank_transfer").executeTakeFirstOrThrow()).id
}

/** The code of an authenticator app that was just set up and waits for it. */
async function codeFor(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return codeOf(await beginTotp(world, owner.id), world.clock.now())
}

/** A browser's answer for somebody who has a passkey, or makes one. */
async function credentialFor(world: EdgeWorld, path: string, owner: WorldUser): Promise<object> {
  if (path.endsWith("/auth/passkeys")) {
    return signInAssertion(world, (await enrolPasskey(world, owner)).authenticator)
  }
  const asker = { id: owner.id, token: owner.token, address: "127.0.0.1" }
  const shown = { platform: "Tilinta", email: owner.email, name: "Ana Souza" }
  return newAuthenticator().create(await beginPasskey({ ...world, publicUrl: testPublicUrl }, asker, shown))
}

/** Makes what the call of a path without parameters needs. */
export async function furnishFor(
  world: EdgeWorld,
  { method, path }: Pick<Endpoint, "method" | "path">,
  owner: WorldUser,
): Promise<void> {
  if (method === "DELETE" && path.endsWith("/users/me")) await takeBalance(world.db, owner.id)
  if (path.endsWith("/me/recovery-codes")) await enrolTotp(world, owner)
  if (path.endsWith("/step-up/options")) await enrolPasskey(world, owner)
}

/** Creates one of everything, so that no list is empty. */
export async function furnish(world: EdgeWorld, owner: WorldUser): Promise<void> {
  await makePage(world, owner, "Mentoria da Ana")
  await makeCustomer(world, owner)
  await makeRefundRequest(world, owner)
  await saveFavourites(world, {
    by: { id: owner.id, address: null },
    favourites: [{ name: "Pão na chapa", amountCents: 650 as Cents }],
  })
  await makeInvoice(world, owner)
  await makeRemindedInvoice(world, owner)
  await makeDebit(world, owner)
  await newPlan(world, owner)
  await makeWithdrawal(world, owner, pix)
  await makeUnmatchedPayment(world, owner)
  await insertDifferingDay(world.db)
  await makeDispute(world, owner)
  await insertUnreadableEntry(world)
  await proposeEntry(world)
  await insertApproval(world)
  await reportOf(world, await makePage(world, owner))
  await insertApiKey(world.db, owner.id)
  await enrolPasskey(world, owner)
  await makePushSubscription(world, owner)
  await makeTeamInvitation(world, owner)
  await pairedScreen(world, owner)
  await delivered(world, owner)
  await initializeSettings(world, { id: owner.id, address: null })
  await numberAllEvents(world.db)
}

async function insertWebhook(world: EdgeWorld, { id }: WorldUser) {
  const outside = { resolve: async () => [], allowsLocal: true }
  const target = { url: "http://127.0.0.1:9/gancho", types: ["page.created"] as const }
  const wish = { owner: { id, address: null }, ...target, idempotencyKey: null, proof: null }
  const { webhook } = await createWebhook({ ...world, outside }, wish)
  await confirmWebhook(world, webhook.id)
  return webhook
}

/** A webhook and the delivery to it of an event that has just happened, which was tried once. */
async function delivered(world: EdgeWorld, owner: WorldUser): Promise<{ webhookId: string; deliveryId: string }> {
  const { id, sellerId } = await insertWebhook(world, owner)
  await tellEvents(world.database, owner.id, 1)
  await fanOutEvents(world)
  const deliveryId = (await listDeliveries(world.db, { id, sellerId }, { limit: 1 })).deliveries[0]?.id ?? "none"
  const attempt = { id: newId(), delivery_id: deliveryId, attempted_at: world.clock.now(), duration_ms: 12 }
  const answered = { url: "http://127.0.0.1:9/gancho", signature: "v1,x", status: 200, problem: null, answer: "ok" }
  await world.db
    .insertInto("webhook_attempts")
    .values({ ...attempt, ...answered })
    .execute()
  return { webhookId: id, deliveryId }
}

async function makeResetToken(world: EdgeWorld, owner: WorldUser): Promise<string> {
  await requestPasswordReset(world, { email: owner.email, address: "203.0.113.9", userAgent: "" })
  const [mail] = await deliverMails(world, owner.email)
  return /reset-password\/([\w-]{43})/.exec(mail?.text ?? "")?.[1] ?? "none"
}

async function makeSetting(world: EdgeWorld, owner: WorldUser): Promise<string> {
  await initializeSettings(world, { id: owner.id, address: null })
  return "PLATFORM_NAME"
}

async function makeSession(world: EdgeWorld, { id: userId }: WorldUser): Promise<string> {
  const token_hash = randomBytes(32)
  const times = { created_at: world.clock.now(), expires_at: secondsAfter(world.clock.now(), 3_600) }
  const id = newId()
  await world.db
    .insertInto("sessions")
    .values(signedSession({ id, token_hash, user_id: userId, ...times }))
    .execute()
  return id
}

/** A webhook that still waits for an answer of the bank. */
async function makeWaitingMessage(world: EdgeWorld): Promise<string> {
  const nextAttempt = { next_attempt_at: secondsAfter(world.clock.now(), 60), attempts: 3, last_error: "no answer" }
  const oneBody = { body: packBodies([Buffer.from("[]")]), lengths: [2] }
  const { id } = await world.db
    .insertInto("psp_inbox")
    .values({ ...nextAttempt, ...oneBody, provider: "simulator", processed_at: null })
    .returning("id")
    .executeTakeFirstOrThrow()
  return String(id)
}

async function makeWaitingMail(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const content = { kind: "password_changed", changedAt: world.clock.now().toISOString() } as const
  const dedupeKey = `edge:${newId()}`
  const mail = { userId: owner.id, dedupeKey, content }
  await world.db.transaction().execute((tx) => enqueueMails(tx, [mail], world.clock.now()))
  const row = await world.db.selectFrom("mails").select("id").where("dedupe_key", "=", dedupeKey).executeTakeFirst()
  return row?.id ?? "none"
}
