import { noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { DISPUTABLE_DAYS } from "#domain/money/disputes/disputable-days"
import type { User } from "#domain/people/users/user"
import { secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { daysAfter, dayText, saoPauloDay } from "#kit/sao-paulo-day"
import { findOpenWork, type Obstacles } from "./obstacles-repository.ts"

const DAY_SECONDS = 86_400

/**
 * Call it under the user's lock: no Pix code and no withdrawal begins meanwhile. Codes are asked for before the balance,
 * because a payment that ends one between both questions is then in the balance. @throws account_not_deletable
 */
export async function refuseOpenWork(tx: Tx, { id, role }: Pick<User, "id" | "role">, now: Date): Promise<void> {
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
