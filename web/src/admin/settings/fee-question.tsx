import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import type { SettingValue } from "./setting-draft.ts"

interface Props {
  before: SettingValue
  after: SettingValue
  warning: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function FeeQuestion({ before, after, warning, ...question }: Props) {
  return (
    <ConfirmDialog title="Mudar a taxa?" verb="Mudar taxa" {...question}>
      <p>
        De <b className="text-t1">{percent(before)}</b> para <b className="text-t1">{percent(after)}</b>. {warning}
      </p>
      <p>Transações que já existem continuam com a taxa delas.</p>
    </ConfirmDialog>
  )
}

function percent(value: SettingValue): string {
  return `${Number(value).toLocaleString("pt-BR", { maximumFractionDigits: 2 })}%`
}
