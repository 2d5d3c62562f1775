import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"

interface Props {
  message: string
  onRetry: () => void
  busy?: boolean
}

/** Stands above what is still on the screen, or alone when there is nothing to show. */
export function LoadFailure({ message, onRetry, busy = false }: Props) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-l border border-coral-line bg-coral-bg px-5 py-4"
    >
      <Icon name="alert" className="size-5 text-coral" />
      <p className="min-w-0 flex-1 basis-48 font-semibold">{message}</p>
      <Button onClick={onRetry} disabled={busy}>
        Tentar novamente
      </Button>
    </div>
  )
}
