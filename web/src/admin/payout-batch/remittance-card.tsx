import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import * as heads from "@tilinta/contract/heads"
import { useRef } from "react"
import { sumOf } from "#admin/withdrawals/batch.ts"
import { withdrawalsKey } from "#admin/withdrawals/withdrawals-data.ts"
import { failureText } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { fetchBlob, saveFile } from "#api/download.ts"
import { useUser } from "#api/session.ts"
import { countOf, formatReais } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { FormAlert } from "#ui/field.tsx"
import { obstacleOf } from "./batch-data.ts"

const outcomes = {
  paid: "Pago",
  accepted: "Recebido pelo banco",
  refused: "Recusado",
  returned: "Devolvido",
  unknown: "De nenhuma remessa",
} as const

/** All that can be paid of one kind in one file for the bank, and the bank's file back. */
export function RemittanceCard({ withdrawals }: { withdrawals: readonly AdminWithdrawalView[] }) {
  const input = useRef<HTMLInputElement>(null)
  const queryClient = useQueryClient()
  const adminId = useUser()?._id
  const refresh = () => queryClient.invalidateQueries({ queryKey: withdrawalsKey })
  const payable = withdrawals.filter((each) => obstacleOf(each, adminId) === null && each.claim === null)
  const ofKind = {
    pix: payable.filter(({ paymentMethod }) => paymentMethod === "pix"),
    ted: payable.filter(({ paymentMethod }) => paymentMethod === "bank_transfer"),
  }
  const made = useMutation({
    mutationFn: async (kind: "pix" | "ted") => {
      const ids = ofKind[kind].map(({ _id }) => _id)
      saveFile(await fetchBlob(heads.createRemittance, { body: { ids, kind } }), `remessa_${kind}.rem`)
    },
    onSettled: refresh,
  })
  const read = useMutation({
    mutationFn: async (file: File) =>
      (await call(heads.readRemittanceReturn, { body: new Blob([file], { type: "text/plain" }) })).data.entries,
    onSettled: refresh,
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
      <FormAlert message={failureText(made.error ?? read.error, "Erro na remessa")} />
      {read.data !== undefined && (
        <ul aria-label="Retorno do banco" className="grid divide-y divide-line border-y border-line">
          {read.data.map(({ withdrawalId, outcome, reason }, at) => (
            <li key={`${withdrawalId} ${at}`} className="py-2.5">
              <b className="font-semibold">{outcomes[outcome]}</b>
              {reason !== "" && <span className="block text-label text-t2">{reason}</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
