import { noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { eraseEndpointsOf } from "#integrations/webhooks/table"
import { type Clock, daysAfter, dayText, saoPauloDay, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { deleteDestinationsOf } from "#money/destinations/table"
import { DISPUTABLE_DAYS } from "#money/disputes/rules"
import { deleteRule } from "#money/withdrawal-rules/table"
import { eraseKeyRows, lockKeysOf } from "#people/api-keys/table"
import { deleteLinksOf, eraseAddressesOf } from "#people/freezes/table"
import { eraseFactors } from "#people/second-factors/factors"
import { closeSessionsOf } from "#people/sessions/sessions"
import { eraseShopOf } from "#people/shops/table"
import { eraseTeamOf, lockWithTeam } from "#people/team/members"
import {
  deleteConfirmationsOf,
  deleteDevicesOf,
  deleteEmailChangeOf,
  deleteFailuresOf,
  deleteResetsOf,
} from "#people/users/credentials-table"
import { emailKeyOf, type User } from "#people/users/rules"
import { eraseUserRow } from "#people/users/table"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { momentText } from "#platform/mails/mail-content"
import { enqueueMails } from "#platform/mails/notify-owner"
import { deleteNoticesOf, deleteUnsentOf } from "#platform/mails/table"
import { markActivePagesCancelled } from "#selling/charge-pages/table"
import { eraseFavouritesOf } from "#selling/charges/counter-favourites"
import { eraseCustomersOf } from "#selling/customers/table"
import { markOpenInvoicesCancelled } from "#selling/invoices/table"
import { deleteReminderSettingsOf } from "#selling/reminders/table"
import { clearOriginsOf } from "#selling/return-origins/table"
import { eraseScreensOf } from "#selling/screens/pair"
import { archivePlansOf, markSubscriptionsCancelled } from "#selling/subscriptions/table"
import { findOpenWork, type Obstacles } from "./reads.ts"

/**
 * Deletes what says who had the account, and every way into it. What it sold and was paid stays, as tax law asks for it,
 * without a person. Money that arrives later is late: it waits among the payments to be checked, for an administrator.
 * @throws account_not_deletable
 */
export async function deleteAccount({ db, clock }: { db: Db; clock: Clock }, owner: Actor): Promise<void> {
  await db.transaction().execute((tx) => erase(tx, owner, clock.now()))
}

async function erase(tx: Tx, owner: Actor, now: Date): Promise<void> {
  const user = await lockWithTeam(tx, owner.id)
  if (user === null || !user.active) throw new DomainError("unauthenticated")
  await refuseOpenWork(tx, user, now)

  const statements: readonly ((tx: Tx, userId: string, now: Date) => Promise<unknown>)[] = [
    // No new charges come, as the seller is locked, and no code is open.
    markActivePagesCancelled,
    // Customers come before their invoices, as locks go.
    eraseCustomersOf,
    markSubscriptionsCancelled,
    archivePlansOf,
    markOpenInvoicesCancelled,
    deleteReminderSettingsOf,
    clearOriginsOf,
    eraseShopOf,
    // A job deletes the deliveries, and then the rows.
    eraseEndpointsOf,
    lockKeysOf,
    // The rows stay, as withdrawals name the key that requested them.
    eraseKeyRows,
    eraseFactors,
    deleteLinksOf,
    // That it was frozen stays, from where doesn't.
    eraseAddressesOf,
    // Withdrawals that were paid say themselves where they went.
    deleteRule,
    deleteDestinationsOf,
    () => closeSessionsOf(tx, user.id, { spared: null, by: owner }, now),
    () => eraseTeamOf(tx, user, now),
    eraseScreensOf,
    eraseFavouritesOf,
    deleteNoticesOf,
    // Nothing that waits, or was given up, is sent to somebody who left.
    deleteUnsentOf,
    deleteResetsOf,
    deleteConfirmationsOf,
    deleteEmailChangeOf,
    deleteDevicesOf,
    () => deleteFailuresOf(tx, emailKeyOf(user.email)),
    // A row without a person stays, to which sales and postings belong. The e-mail is free from here on.
    eraseUserRow,
  ]
  for (const erasing of statements) await erasing(tx, user.id, now)
  await recordAudit(tx, {
    actor: owner,
    happenedAt: now,
    action: "user.erased",
    entity: "user",
    entityId: user.id,
    before: null,
    after: null,
  })
  await sayGoodbye(tx, { userId: user.id, to: user.email }, now)
}

/** The last mail: whoever did not ask for it must hear of it. */
async function sayGoodbye(tx: Tx, { userId, to }: { userId: string; to: string }, now: Date): Promise<void> {
  const text =
    `A sua conta foi excluída em ${momentText(now.toISOString())}, como pedido. Apagamos o seu nome, e-mail, CPF, telefone, ` +
    "endereço, loja, dados bancários, sessões, chaves e avisos. O registro do que foi vendido e pago fica pelo tempo que a lei manda, sem os seus dados de cadastro."
  const content = {
    kind: "notice",
    subject: "A sua conta foi excluída",
    text,
    facts: [],
    action: { label: "Abrir a página inicial", path: "/" },
    note: "Se não foi você que pediu, responda a este e-mail agora mesmo.",
  } as const
  await enqueueMails(
    tx,
    [{ userId, to, content: { ...content, facts: [] }, dedupeKey: `account-erased:${userId}` }],
    now,
  )
}

const DAY_SECONDS = 86_400

/**
 * Call it under the user's lock: no Pix code and no withdrawal begins meanwhile. Codes are asked for before the balance,
 * because a payment that ends one between both questions is then in the balance. @throws account_not_deletable
 */
async function refuseOpenWork(tx: Tx, { id, role }: Pick<User, "id" | "role">, now: Date): Promise<void> {
  const disputableSince = secondsAfter(now, -DISPUTABLE_DAYS * DAY_SECONDS)
  const reason = role === "admin" ? adminText : textOf(await findOpenWork(tx, id, disputableSince))
  if (reason !== null) throw new DomainError("account_not_deletable", { message: reason })
}

const adminText =
  "A conta de um administrador não se exclui sozinha. Peça a outro administrador que tire antes esse perfil de você."

function textOf(open: Obstacles): string | null {
  const { availableCents } = open
  if (open.hasOpenCodes) {
    return "Há códigos Pix abertos, que ainda podem ser pagos. Cancele as cobranças, ou espere que os códigos vençam."
  }
  if (open.hasWithdrawals) return "Há saques em andamento. Espere que terminem, ou cancele os pendentes."
  if (open.hasRefunds) return "Há estornos em andamento. Espere que terminem."
  if (open.hasDisputes) return "Há contestações em aberto. Espere que terminem."
  if (open.hasUnmatched) return "Há pagamentos seus que o suporte ainda confere. Espere que termine, ou fale com ele."
  if (availableCents < noMoney) return "A conta deve à plataforma. Fale com o suporte."
  if (availableCents > noMoney) return `Ainda há ${reaisText(availableCents)} de saldo. Saque tudo antes.`
  if (open.elsewhereCents !== noMoney) return "Ainda há dinheiro em saques ou contestações. Espere que terminem."
  return open.lastPaidAt === null ? null : disputableText(open.lastPaidAt)
}

/** A seller who is gone defends nothing and owes nothing. */
function disputableText(lastPaidAt: Date): string {
  const until = secondsAfter(lastPaidAt, DISPUTABLE_DAYS * DAY_SECONDS)
  const from = dayText(daysAfter(saoPauloDay(until), 1))
  return (
    `Quem pagou ainda pode contestar no banco, durante ${DISPUTABLE_DAYS} dias, o que você recebeu. ` +
    `A conta pode ser excluída a partir de ${from}, se não houver novos pagamentos.`
  )
}
