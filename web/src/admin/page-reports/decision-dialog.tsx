import type { PageReportView } from "@tilinta/contract/page-reports"
import {
  type PageReportReason,
  pageReportReasonLabels,
  pageReportReasons,
} from "@tilinta/contract/vocabulary/charge-pages"
import { useState } from "react"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field } from "#ui/field.tsx"
import type { Decision } from "./page-reports-data.ts"

interface Props {
  report: PageReportView
  to: Decision["to"]
  busy: boolean
  onConfirm: (decision: Decision) => void
  onClose: () => void
}

const words = {
  suspend: {
    title: "Suspender página?",
    verb: "Suspender página",
    variant: "danger",
    effect:
      "Quem abre o link lê “Página suspensa”, e os códigos Pix abertos são encerrados no banco. O que já foi pago continua com o vendedor, e um pagamento a caminho ainda é creditado. O vendedor é avisado do motivo, nunca de quem denunciou.",
  },
  dismiss: {
    title: "Descartar denúncias?",
    verb: "Descartar",
    variant: "primary",
    effect: "A página continua como está, e o vendedor não fica sabendo. Uma denúncia nova volta a aparecer aqui.",
  },
  lift: {
    title: "Retirar a suspensão?",
    verb: "Retirar suspensão",
    variant: "primary",
    effect:
      "Se a página ainda está ativa, o link volta a gerar códigos Pix. Os códigos encerrados não voltam. O vendedor é avisado.",
  },
} as const

/** Names the page and its seller; a suspension also asks for the reason that the seller is told. */
export function DecisionDialog({ report, to, busy, onConfirm, onClose }: Props) {
  const [reason, setReason] = useState<PageReportReason>(report.reasons[0]?.reason ?? "other")
  const { title, verb, variant, effect } = words[to]
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      variant={variant}
      busy={busy}
      onConfirm={() => onConfirm(to === "suspend" ? { to, reason } : { to })}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold break-words text-t1">{report.checkoutPage.title}</b>, de{" "}
        <b className="font-semibold break-words text-t1">{report.user.name}</b>.
      </p>
      <p>{effect}</p>
      {to === "suspend" && (
        <Field label="Motivo dito ao vendedor">
          {(control) => (
            <Select
              {...control}
              value={reason}
              onChange={({ target }) => setReason(pageReportReasons.find((each) => each === target.value) ?? reason)}
            >
              <Options words={pageReportReasons} labels={pageReportReasonLabels} />
            </Select>
          )}
        </Field>
      )}
    </ConfirmDialog>
  )
}
