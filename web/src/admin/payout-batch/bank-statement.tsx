import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import type { importBankStatementEndpoint, StatementEntryView } from "@tilinta/contract/bank-statements"
import * as heads from "@tilinta/contract/heads"
import type { StatementMatch } from "@tilinta/contract/vocabulary/withdrawals"
import { useRef, useState } from "react"
import { withdrawalsKey } from "#admin/withdrawals/withdrawals-data.ts"
import { failureText } from "#api/api-error.ts"
import { call, type ReplyOf } from "#api/client.ts"
import { formatDay } from "#format/dates.ts"
import { countOf, formatReais } from "#format/money-text.ts"
import { shortDestination } from "#format/withdrawal-texts.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Checkbox, Select } from "#ui/choice-inputs.tsx"
import { FormAlert } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"

const matchBadges = {
  sure: { label: "Certo", tone: "success" },
  likely: { label: "Provável", tone: "primary" },
  doubtful: { label: "Duvidoso", tone: "warning" },
  none: { label: "De ninguém", tone: "danger" },
  known: { label: "Já pago", tone: "secondary" },
} as const satisfies Record<StatementMatch, { label: string; tone: BadgeTone }>

const notRead = "Erro ao ler o extrato"

/** Why debits marked no withdrawal as paid, by their ids. */
type Refusals = ReadonlyMap<string, string>

/** The bank's file says which withdrawals were paid; nothing is marked before somebody confirms. */
export function BankStatement() {
  const input = useRef<HTMLInputElement>(null)
  const [refusals, setRefusals] = useState<Refusals>(new Map())
  const read = useMutation({
    // Phones call such files nothing at all.
    mutationFn: async (file: File) =>
      (await call(heads.importBankStatement, { body: new Blob([file], { type: "application/x-ofx" }) })).data,
  })
  function readNew(file: File | undefined): void {
    if (file === undefined) return
    setRefusals(new Map())
    read.mutate(file)
  }
  return (
    <Card
      className="grid gap-4 p-5 md:p-6"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        readNew(event.dataTransfer.files[0])
      }}
    >
      <CardHeader title="Extrato do banco" />
      <p className="max-w-prose text-t2">
        Solte aqui o OFX ou CSV da sua conta: os pagamentos que ele mostra são marcados como pagos depois que você
        confirma.
      </p>
      <input
        ref={input}
        type="file"
        accept=".ofx,.csv,text/csv,application/x-ofx"
        aria-label="Extrato em OFX ou CSV"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ""
          readNew(file)
        }}
      />
      <Button className="justify-self-start" aria-disabled={read.isPending} onClick={() => input.current?.click()}>
        {read.isPending ? "Lendo..." : "Escolher extrato"}
      </Button>
      <FormAlert message={failureText(read.error, notRead)} />
      {read.data !== undefined && (
        <Entries
          key={read.submittedAt}
          {...read.data}
          refusals={refusals}
          onConfirmed={(refused) => {
            setRefusals(refused)
            if (read.variables !== undefined) read.mutate(read.variables)
          }}
        />
      )}
    </Card>
  )
}

type Read = ReplyOf<typeof importBankStatementEndpoint>["data"]

interface EntriesProps extends Read {
  refusals: Refusals
  onConfirmed: (refusals: Refusals) => void
}

function Entries({ statement, withdrawals, refusals, onConfirmed }: EntriesProps) {
  const queryClient = useQueryClient()
  const known = statement.entries.filter(({ match }) => match === "known")
  const open = statement.entries.filter(({ match }) => match !== "known")
  const refused = open.filter(({ _id }) => refusals.has(_id)).length
  const offered = statement.entries.filter(({ match }) => match === "sure" || match === "likely")
  const [left, setLeft] = useState<ReadonlySet<string>>(
    new Set(offered.filter(({ match }) => match === "likely").map(({ _id }) => _id)),
  )
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({})
  const chosen = Object.entries(choices).filter(([, withdrawalId]) => withdrawalId !== "")
  const ticked = offered.filter(({ _id }) => !left.has(_id))
  const entryIds = [...ticked.map(({ _id }) => _id), ...chosen.map(([id]) => id)]
  const confirmed = useMutation({
    mutationFn: () =>
      call(heads.confirmBankStatement, {
        params: { id: statement._id },
        body: { entryIds, choices: chosen.map(([entryId, withdrawalId]) => ({ entryId, withdrawalId })) },
      }),
    onSuccess: ({ message, data }) => {
      const refused = data.confirmed.filter(({ code }) => code !== null)
      if (refused.length < data.confirmed.length) toast.success(message)
      onConfirmed(new Map(refused.map(({ _id, message }) => [_id, message])))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: withdrawalsKey }),
  })
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
  const rowOf = (entry: StatementEntryView) => (
    <Row
      key={entry._id}
      entry={entry}
      withdrawals={withdrawals}
      refusal={refusals.get(entry._id)}
      ticked={offered.includes(entry) ? !left.has(entry._id) : null}
      onToggle={() => toggle(entry._id)}
      choice={choices[entry._id] ?? ""}
      onChoose={(withdrawalId) => setChoices({ ...choices, [entry._id]: withdrawalId })}
    />
  )
  return (
    <>
      {refused > 0 && (
        <FormAlert
          message={`${countOf(refused, "lançamento não pôde ser confirmado", "lançamentos não puderam ser confirmados")}: veja o motivo.`}
        />
      )}
      {open.length > 0 ? (
        <ul aria-label="Débitos do extrato" className={listClass}>
          {open.map(rowOf)}
        </ul>
      ) : (
        <p role="status">Nenhum débito deste extrato espera por você.</p>
      )}
      {known.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer py-2.5 text-label text-t2">
            {countOf(known.length, "débito já conhecido", "débitos já conhecidos")}
          </summary>
          <ul aria-label="Débitos já conhecidos" className={listClass}>
            {known.map(rowOf)}
          </ul>
        </details>
      )}
      {statement.untoldCredits.length > 0 && (
        <div className="rounded-l border border-line-2 bg-amber-bg px-5 py-4 text-label">
          <p className="font-semibold">
            {countOf(statement.untoldCredits.length, "crédito de que", "créditos de que")} a API do banco não avisou:
          </p>
          <ul className="mt-1 text-t2">
            {statement.untoldCredits.map(({ day, amount, text }, at) => (
              <li key={`${day}${text}${at}`} className="wrap-anywhere">
                {formatDay(day)} · {formatReais(amount)} · {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      <FormAlert message={failureText(confirmed.error, "Erro ao marcar saques como pagos")} />
      {statement.entries.some(({ match }) => match !== "known" && match !== "none") && (
        <Button
          variant="primary"
          icon="check"
          className="justify-self-start"
          aria-disabled={entryIds.length === 0 || confirmed.isPending}
          onClick={() => entryIds.length > 0 && !confirmed.isPending && confirmed.mutate()}
        >
          Marcar {countOf(entryIds.length, "saque como pago", "saques como pagos")}
        </Button>
      )}
    </>
  )
}

const listClass = "grid grid-cols-[minmax(0,1fr)] divide-y divide-line border-y border-line"

interface RowProps {
  entry: StatementEntryView
  /** Why it marked nothing as paid a moment ago. */
  refusal: string | undefined
  withdrawals: readonly AdminWithdrawalView[]
  /** Null where there is nothing to tick. */
  ticked: boolean | null
  onToggle: () => void
  choice: string
  onChoose: (withdrawalId: string) => void
}

function Row({ entry, withdrawals, refusal, ticked, onToggle, choice, onChoose }: RowProps) {
  const { day, amount, text, match, withdrawalId, candidates } = entry
  const { label, tone } = matchBadges[match]
  const paid = withdrawals.find(({ _id }) => _id === withdrawalId)
  return (
    <li className="flex items-start gap-3 py-2.5">
      {ticked !== null && (
        <Checkbox labelHidden label={`${formatReais(amount)}, ${text}`} checked={ticked} onChange={onToggle} />
      )}
      <div className="grid min-w-0 flex-1 gap-1">
        <span className="font-semibold wrap-anywhere">{text}</span>
        <span className="text-meta text-t3">{formatDay(day)}</span>
        {paid !== undefined && (
          <span className="text-label text-t2">
            {paid.user.name} · {shortDestination(paid)}
          </span>
        )}
        {refusal !== undefined && <span className="text-label text-coral">{refusal}</span>}
        {candidates.length > 0 && (
          <Select
            aria-label={`Saque que ${text} pagou`}
            value={choice}
            onChange={(event) => onChoose(event.target.value)}
          >
            <option value="">Qual saque foi?</option>
            {withdrawals
              .filter(({ _id }) => candidates.includes(_id))
              .map((each) => (
                <option key={each._id} value={each._id}>
                  {each.user.name} · {shortDestination(each)} · {formatReais(each.amount)}
                </option>
              ))}
          </Select>
        )}
      </div>
      <span className="flex flex-none flex-col items-end gap-1">
        <b className="font-semibold tabular-nums">{formatReais(amount)}</b>
        <Badge tone={tone}>{label}</Badge>
      </span>
    </li>
  )
}
