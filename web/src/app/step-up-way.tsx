import { Button } from "#ui/button.tsx"

export interface StepUpProps {
  methods: readonly string[]
  onConfirmed: () => void
  onClose: () => void
}

export interface WayProps extends StepUpProps {
  /** Null when there is no other way. */
  onOther: (() => void) | null
}

export const notConfirmed = "Não foi possível confirmar. Tente de novo."

export function Why() {
  return (
    <p className="text-t2">
      Isto mexe com o dinheiro ou com a segurança da conta. Depois, por 5 minutos, não perguntamos de novo.
    </p>
  )
}

export function OtherWay({ onOther, children }: { onOther: (() => void) | null; children: string }) {
  if (onOther === null) return null
  return (
    <Button look="ghost" className="-ml-3 justify-self-start px-3 text-label" onClick={onOther}>
      {children}
    </Button>
  )
}
