import type { Db, Tx } from "#db/transaction"
import { eraseWebhooks } from "#domain/integrations/webhooks/erase-webhooks"
import { eraseKeys } from "#domain/people/api-keys/erase-keys"
import { eraseFreezes } from "#domain/people/freezes/erase-freezes"
import { eraseFactors } from "#domain/people/second-factors/erase-factors"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import { eraseUser } from "#domain/people/users/erase-user"
import { lockAccount } from "#domain/people/users/lock-account"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails, withdrawMails } from "#domain/platform/mails/enqueue-mails"
import { momentText } from "#domain/platform/mails/mail-content"
import { deleteAllNotices } from "#domain/platform/mails/notices"
import { endAllPages } from "#domain/selling/charge-pages/end-all-pages"
import { eraseReturnOrigins } from "#domain/selling/return-origins/erase-return-origins"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { eraseDestinations } from "#money/withdrawals/account"
import { refuseOpenWork } from "./refuse-open-work.ts"

/**
 * Deletes what says who had the account, and every way into it. What it sold and was paid stays, as tax law asks for it,
 * without a person. Money that arrives later is late: it waits among the payments to be checked, for an administrator.
 * @throws account_not_deletable
 */
export async function deleteAccount({ db, clock }: { db: Db; clock: Clock }, owner: Actor): Promise<void> {
  await db.transaction().execute((tx) => erase(tx, owner, clock.now()))
}

async function erase(tx: Tx, owner: Actor, now: Date): Promise<void> {
  const user = await lockAccount(tx, owner.id)
  if (user === null || !user.active) throw new DomainError("unauthenticated")
  await refuseOpenWork(tx, user, now)

  await endAllPages(tx, user.id, now)
  await eraseReturnOrigins(tx, user.id, now)
  await eraseWebhooks(tx, user.id, now)
  await eraseKeys(tx, user.id, now)
  await eraseFactors(tx, user.id)
  await eraseFreezes(tx, user.id)
  await eraseDestinations(tx, user.id)
  await closeSessionsOf(tx, user.id, { spared: null, by: owner }, now)
  await deleteAllNotices(tx, user.id)
  await withdrawMails(tx, user.id)
  await eraseUser(tx, user, now)
  await recordAudit(tx, {
    ...{ actor: owner, happenedAt: now, action: "user.erased", entity: "user", entityId: user.id },
    ...{ before: null, after: null },
  })
  await sayGoodbye(tx, { userId: user.id, to: user.email }, now)
}

/** The last mail: whoever did not ask for it must hear of it. */
async function sayGoodbye(tx: Tx, { userId, to }: { userId: string; to: string }, now: Date): Promise<void> {
  const text =
    `A sua conta foi excluída em ${momentText(now.toISOString())}, como pedido. Apagamos o seu nome, e-mail, CPF, telefone, ` +
    "endereço, dados bancários, sessões, chaves e avisos. O registro do que foi vendido e pago fica pelo tempo que a lei manda, sem os seus dados de cadastro."
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
