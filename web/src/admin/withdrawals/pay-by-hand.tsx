import { useQuery } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { maskCpf } from "#format/cpf.ts"
import { formatReais } from "#format/money-text.ts"
import { wholeDestination } from "#format/withdrawal-destination.ts"
import { CopyableCode } from "#ui/facts.tsx"
import { adminTexts } from "../admin-texts.ts"
import { userQuery } from "../users/users-data.ts"

/** Every detail that a bank asks for, each copied at a touch; the CPF comes from the seller's account. */
export function PayByHand({ withdrawal }: { withdrawal: AdminWithdrawalView }) {
  const { user, amount } = withdrawal
  const cpf = useQuery(userQuery(user._id)).data?.user.cpf ?? ""
  const codes = [
    { term: "Valor", value: formatReais(amount).replace(/^R\$\s/, "") },
    { term: "Favorecido", value: user.name },
    { term: "CPF", value: maskCpf(cpf) },
    ...wholeDestination(withdrawal).filter(({ term }) => term !== "Tipo da chave"),
  ]
  return (
    <section aria-label="Pagamento manual" className="grid gap-2">
      <p className="rounded-m border border-line-2 bg-s2 px-4 py-3 text-label">{adminTexts.payByHand}</p>
      {codes
        .filter(({ value }) => value !== "")
        .map(({ term, value }) => (
          // The bank's form takes the key as its directory keeps it.
          <CopyableCode
            key={term}
            label={term}
            code={term === "Chave Pix" ? (withdrawal.pixKey ?? value) : value}
            shown={value}
          />
        ))}
    </section>
  )
}
