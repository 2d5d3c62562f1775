import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import * as heads from "@tilinta/contract/heads"
import type { readRemittanceReturnEndpoint } from "@tilinta/contract/remittances"
import { useRef } from "react"
import { sumOf } from "#admin/withdrawals/batch.ts"
import { withdrawalsKey } from "#admin/withdrawals/withdrawals-data.ts"
import { failureText } from "#api/api-error.ts"
import { call, type ReplyOf } from "#api/client.ts"
import { download, fetchBlob, saveFile } from "#api/download.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { countOf, formatReais } from "#format/money-text.ts"
import { shortDestination } from "#format/withdrawal-texts.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { FormAlert } from "#ui/field.tsx"
import { obstacleOf } from "./batch-data.ts"

const outcomes = {
  paid: { label: "Pago", tone: "success" },
  accepted: { label: "Recebido pelo banco", tone: "primary" },
  refused: { label: "Recusado", tone: "danger" },
  returned: { label: "Devolvido", tone: "warning" },
  unknown: { label: "De nenhuma remessa", tone: "danger" },
} as const satisfies Record<string, { label: string; tone: BadgeTone }>

interface Props {
  withdrawals: readonly AdminWithdrawalView[]
  /** Ids of those that are not to be paid now. */
  left: ReadonlySet<string>
}

/** One file for the bank with the chosen payments of a kind, and the bank's file back. */
export function RemittanceCard({ withdrawals, left }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const queryClient = useQueryClient()
  const adminId = useUser()?._id
  const refresh = () => queryClient.invalidateQueries({ queryKey: withdrawalsKey })
  const payable = withdrawals.filter(
    (each) => obstacleOf(each, adminId) === null && each.claim === null && !left.has(each._id),
  )
  const ofKind = {
    pix: payable.filter(({ paymentMethod }) => paymentMethod === "pix"),
    ted: payable.filter(({ paymentMethod }) => paymentMethod === "bank_transfer"),
  }
  const made = useMutation({
    mutationFn: async (kind: "pix" | "ted") => {
      const ids = ofKind[kind].map(({ _id }) => _id)
      const file = await fetchBlob(heads.createRemittance, { body: { ids, kind } })
      saveFile(file, fileName((await file.text()).slice(...SEQUENCE_COLUMNS)))
    },
    onSettled: refresh,
  })
  const read = useMutation({
    mutationFn: async (file: File) =>
      (await call(heads.readRemittanceReturn, { body: new Blob([file], { type: "text/plain" }) })).data,
    onSettled: refresh,
  })
  const again = useMutation({
    mutationFn: (sequence: string) =>
      download(heads.getRemittance, { params: { sequence } }, fileName(sequence.padStart(6, "0"))),
  })
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <CardHeader title="Remessa CNAB 240" />
      <p className="max-w-prose text-t2">
        Um arquivo com os pagamentos para o seu banco, no leiaute da FEBRABAN: antes do primeiro, peça ao banco que o
        teste. O que está nele ninguém mais paga até o retorno do banco.
      </p>
      <div className="flex flex-wrap gap-3">
        {(["pix", "ted"] as const)
          .filter((kind) => ofKind[kind].length > 0)
          .map((kind) => (
            <Button
              key={kind}
              icon="download"
              aria-disabled={made.isPending}
              onClick={() => made.isPending || made.mutate(kind)}
            >
              {kind === "pix" ? "Pix" : "TED"}: {countOf(ofKind[kind].length, "saque", "saques")} ·{" "}
              {formatReais(sumOf(ofKind[kind]))}
            </Button>
          ))}
        <Button aria-disabled={read.isPending} onClick={() => input.current?.click()}>
          {read.isPending ? "Lendo..." : "Ler retorno"}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        aria-label="Retorno do banco em CNAB 240"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ""
          if (file !== undefined) read.mutate(file)
        }}
      />
      <FormAlert message={failureText(made.error ?? read.error ?? again.error, "Erro na remessa")} />
      <ul className="grid gap-2 empty:hidden">
        {waitingOf(withdrawals).map(({ sequence, at, payments }) => (
          <li key={sequence} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="text-label text-t2">
              <b className="font-semibold text-t1">Remessa {sequence}</b>, à espera do retorno ·{" "}
              {countOf(payments.length, "saque", "saques")} · {formatReais(sumOf(payments))} · {formatDateTime(at)}
            </span>
            <Button aria-disabled={again.isPending} onClick={() => again.isPending || again.mutate(String(sequence))}>
              Baixar de novo<span className="sr-only"> a remessa {sequence}</span>
            </Button>
          </li>
        ))}
      </ul>
      {read.data !== undefined && <Answers {...read.data} />}
    </Card>
  )
}

/** The layout has the file's number there. */
const SEQUENCE_COLUMNS = [157, 163] as const

function fileName(sequence: string): string {
  return `remessa_${sequence}.rem`
}

interface Waiting {
  sequence: number
  at: string
  payments: AdminWithdrawalView[]
}

function waitingOf(withdrawals: readonly AdminWithdrawalView[]): Waiting[] {
  const waiting = new Map<number, Waiting>()
  for (const each of withdrawals) {
    if (each.remittance === null) continue
    const { sequence, at } = each.remittance
    const payments = [...(waiting.get(sequence)?.payments ?? []), each]
    waiting.set(sequence, { sequence, at, payments })
  }
  return [...waiting.values()].toSorted((one, other) => one.sequence - other.sequence)
}

function Answers({ entries, withdrawals }: ReplyOf<typeof readRemittanceReturnEndpoint>["data"]) {
  const byId = new Map(withdrawals.map((each) => [each._id, each]))
  if (entries.length === 0) return <p>O retorno não traz pagamentos.</p>
  return (
    <ul aria-label="Retorno do banco" className="grid divide-y divide-line border-y border-line">
      {entries.map(({ withdrawalId, outcome, reason }, at) => {
        const { label, tone } = outcomes[outcome]
        const about = byId.get(withdrawalId ?? "")
        return (
          <li key={`${withdrawalId} ${at}`} className="flex items-start justify-between gap-4 py-2.5">
            <span className="min-w-0">
              {about !== undefined && (
                <>
                  <b className="block font-semibold wrap-anywhere">{about.user.name}</b>
                  <span className="block text-meta text-t3">{shortDestination(about)}</span>
                </>
              )}
              {reason !== "" && <span className="block text-label text-t2">{reason}</span>}
            </span>
            <span className="flex flex-none flex-col items-end gap-1">
              {about !== undefined && <b className="font-semibold tabular-nums">{formatReais(about.amount)}</b>}
              <Badge tone={tone}>{label}</Badge>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
