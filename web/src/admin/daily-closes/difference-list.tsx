import type { CloseDifferenceView, DailyCloseView } from "@tilinta/contract/daily-closes"
import { differenceKindLabels, differenceProblemLabels } from "@tilinta/contract/vocabulary/books"
import { formatDateTime } from "#format/dates.ts"
import { useReais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { stateLabel, unreadableState } from "./daily-closes-data.ts"

interface Props {
  close: DailyCloseView
  differences: readonly CloseDifferenceView[]
}

export function DifferenceList({ close, differences }: Props) {
  const left = close.differenceCount + close.mendedCount - differences.length
  return (
    <section className="grid gap-3">
      <h3 className="font-semibold">Diferenças</h3>
      <ul className="grid gap-3">
        {differences.map((difference) => (
          <DifferenceItem key={`${difference.kind} ${difference.reference}`} difference={difference} />
        ))}
      </ul>
      {left > 0 && <p className="text-label text-t2">E mais {left.toLocaleString("pt-BR")}: a exportação tem todas.</p>}
    </section>
  )
}

function DifferenceItem({ difference }: { difference: CloseDifferenceView }) {
  const { kind, problem, reference, mended, happenedAt } = difference
  const wasClosedByHand = mended && problem === "unreadable"
  const wasBooked = mended && !wasClosedByHand
  return (
    <li className="rounded-m border border-line bg-bg px-4 py-3 text-label">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <b className="font-semibold">
          {differenceKindLabels[kind]}:{" "}
          {wasBooked ? "não constava na plataforma" : differenceProblemLabels[problem].toLowerCase()}
        </b>
        {wasBooked && <Badge tone="success">Encontrado no fechamento</Badge>}
        {wasClosedByHand && <Badge tone="secondary">Encerrado manualmente</Badge>}
      </p>
      <div className="mt-1 flex items-center justify-between gap-3">
        <p className="min-w-0 font-mono text-[12.5px] break-all text-t2">{reference}</p>
        <CopyButton
          text={reference}
          label={`Copiar identificador ${reference}`}
          title="Copiar"
          done="Copiado!"
          failed="Não foi possível copiar"
        />
      </div>
      <p className="mt-1 text-t2 tabular-nums">
        {wasBooked ? (
          "Lançado pelo fechamento"
        ) : (
          <Side name="Nosso" amount={difference.ourAmount} state={difference.ourState} />
        )}
        {" · "}
        <Side
          name={kind === "balance" ? "Pelos lançamentos" : "Banco"}
          amount={difference.bankAmount}
          state={difference.bankState}
          isUnreadable={problem === "unreadable"}
        />
      </p>
      {happenedAt !== null && <p className="mt-1 text-meta text-t3">{formatDateTime(happenedAt)}</p>}
    </li>
  )
}

interface SideProps {
  name: string
  amount: number | null
  state: string | null
  isUnreadable?: boolean
}

function Side({ name, amount, state, isUnreadable = false }: SideProps) {
  const reais = useReais()
  const word = isUnreadable ? unreadableState : amount !== null && state === null ? null : stateLabel(state)
  const parts = [amount === null ? null : reais(amount), word]
  return (
    <span>
      {name}: {parts.filter((part) => part !== null).join(", ")}
    </span>
  )
}
