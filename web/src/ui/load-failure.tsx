import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"

interface Props {
  message: string
  detail?: string | undefined
  onRetry: () => void
  busy?: boolean
}

/** Shown above the content that is still there, or alone when there is none. */
export function LoadFailure({ message, detail, onRetry, busy = false }: Props) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-l border border-coral-line bg-coral-bg px-5 py-4"
    >
      <Icon name="alert" className="size-5 text-coral" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold">{message}</p>
        {detail !== undefined && <p className="text-label text-t2">{detail}</p>}
      </div>
      <Button onClick={onRetry} disabled={busy}>
        Tentar novamente
      </Button>
    </div>
  )
}
