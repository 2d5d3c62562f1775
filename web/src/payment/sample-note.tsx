import { Icon } from "#ui/icon.tsx"

/** Also printed, so that nobody takes it for a proof. */
export function SampleNote() {
  return (
    <p
      role="note"
      className="mb-6 flex items-center justify-center gap-2 rounded-m border border-line-2 bg-amber-bg px-4 py-2.5 text-label font-semibold text-amber"
    >
      <Icon name="info" className="size-[18px]" />
      Página de exemplo: não é um comprovante
    </p>
  )
}
