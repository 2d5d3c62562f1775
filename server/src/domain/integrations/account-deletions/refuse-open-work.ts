import type { Tx } from "#db/transaction"
import type { User } from "#domain/people/users/user"
import { DomainError } from "#kit/domain-error"
import { noMoney, reaisText } from "#kit/money"
import { findOpenWork, type Obstacles } from "./obstacles-repository.ts"

/**
 * Call it under the user's lock: no Pix code and no withdrawal begins meanwhile. Codes are asked for before the balance,
 * because a payment that ends one between both questions is then in the balance. @throws account_not_deletable
 */
export async function refuseOpenWork(tx: Tx, { id, role }: Pick<User, "id" | "role">): Promise<void> {
  const reason = role === "admin" ? adminText : textOf(await findOpenWork(tx, id))
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
  return open.elsewhereCents === noMoney ? null : "Ainda há dinheiro em saques ou contestações. Espere que terminem."
}
