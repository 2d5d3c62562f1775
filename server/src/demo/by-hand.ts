import { reaisText } from "@tilinta/contract/vocabulary/money"
import { importStatement } from "#bank/bank-statements/import"
import { dayText, saoPauloDay } from "#kit/clock"
import { invariant } from "#kit/errors"
import { compareHolder, sayOwner } from "#money/destinations/owner"
import { findOwners } from "#money/destinations/reads"
import { approveWithdrawal } from "#money/withdrawals/decide"
import type { Withdrawal } from "#money/withdrawals/withdrawal"
import { getUser } from "#people/users/reads"
import { minutesAfter, type Shop, type Story, unlessRefused } from "./story.ts"
import { withdraw } from "./trade.ts"

type Said = "confirmed_by_person" | "confirmed_by_bank" | "other"

/** Leaves an approved withdrawal to a bank account for the batch: with a word on its holder, or with the bank's statement. */
export async function leaveByHand(story: Story, shop: Shop, then: Said | "statement"): Promise<void> {
  const { agenda, deps, admin } = story
  const { bankAccount } = await getUser(deps.db, shop.actor.id)
  const { bank, agency, account } = bankAccount
  invariant(bank !== undefined && agency !== undefined && account !== undefined, `${shop.actor.id} has no account`)
  const bankData = { bank, agency, account, accountType: "corrente" } as const
  const destination = { method: "bank_transfer", bankData } as const
  const withdrawal = await withdraw(story, shop, { share: 0.4, decision: "none", destination })
  if (withdrawal === null) return
  agenda.plan(minutesAfter(withdrawal.createdAt, 40), async () => {
    await unlessRefused(approveWithdrawal(deps, { id: withdrawal.id, admin, adminNotes: "" }))
    await (then === "statement" ? dropStatement(story, withdrawal) : sayWhose(story, withdrawal, then))
  })
}

async function sayWhose({ deps, admin, agenda }: Story, withdrawal: Withdrawal, said: Said): Promise<void> {
  const { id, sellerId } = withdrawal
  const { name, cpf } = await getUser(deps.db, sellerId)
  if (said === "confirmed_by_bank") {
    const holder = { name, document: `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**` }
    const shown = { withdrawal, holder, admin }
    await deps.db.transaction().execute((tx) => compareHolder(tx, shown, agenda.clock.now()))
    return
  }
  const destinationId = (await findOwners(deps.db, [withdrawal])).get(id)?.destinationId
  invariant(destinationId !== undefined && destinationId !== null, `${id} has no destination`)
  const reason = said === "other" ? "O contrato social traz outra empresa." : "Conferido no comprovante da conta."
  await sayOwner(deps, { sellerId, id: destinationId, owner: said, reason, admin })
}

/** The bank's statement shows the transfer, which waits for somebody to confirm it. */
async function dropStatement({ deps, admin, agenda }: Story, { sellerId, amountCents }: Withdrawal): Promise<void> {
  const { name } = await getUser(deps.db, sellerId)
  const line = `${dayText(saoPauloDay(agenda.clock.now()))};TED ENVIADA ${name.toUpperCase()};-${reaisText(amountCents)}`
  await importStatement(deps, { file: Buffer.from(`Data;Histórico;Valor\r\n${line}\r\n`), admin })
}
