import { type ReactNode, useId } from "react"

export interface Control {
  id: string
  "aria-invalid": true | undefined
  "aria-describedby": string | undefined
}

interface Props {
  label: string
  error?: string | undefined
  hint?: ReactNode
  /** Content next to the label, such as 'opcional' or a counter. */
  aside?: ReactNode
  className?: string
  children: (control: Control) => ReactNode
}

export function Field({ label, error, hint, aside, className = "", children }: Props) {
  const id = useId()
  const shows = error !== undefined && error !== ""
  const described = shows ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-label font-semibold text-t2">
          {label}
        </label>
        {aside !== undefined && <span className="text-meta text-t3">{aside}</span>}
      </div>
      {children({ id, "aria-invalid": shows ? true : undefined, "aria-describedby": described })}
      {shows ? (
        <p id={`${id}-error`} className="text-meta font-medium text-coral">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <div id={`${id}-hint`} className="text-meta text-t3">
            {hint}
          </div>
        )
      )}
    </div>
  )
}
