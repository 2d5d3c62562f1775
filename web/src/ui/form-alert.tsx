import { Icon } from "./icon.tsx"

/** An error of the whole form. The live region is always rendered, so that screen readers announce the change. */
export function FormAlert({ message, id }: { message: string | null | undefined; id?: string }) {
  const shows = message !== null && message !== undefined && message !== ""
  return (
    <div role="alert" id={id} className="empty:absolute">
      {shows && (
        <p className="flex items-start gap-2.5 rounded-m border border-coral-line bg-coral-bg px-4 py-3 text-label font-medium">
          <Icon name="alert" className="mt-px size-[18px] text-coral" />
          <span className="min-w-0">{message}</span>
        </p>
      )}
    </div>
  )
}
