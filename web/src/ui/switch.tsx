import { type ComponentPropsWithRef, type ReactNode, useId } from "react"

/** The control alone; the caller provides its label. */
export function SwitchControl(props: Omit<ComponentPropsWithRef<"input">, "children" | "className">) {
  return (
    <span className="relative inline-flex flex-none">
      <input
        type="checkbox"
        role="switch"
        className="peer h-7 w-12 cursor-pointer appearance-none rounded-full border border-ctl bg-bg transition-colors checked:border-mint checked:bg-mint disabled:opacity-50"
        {...props}
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-1 left-1 size-5 rounded-full bg-t2 transition-transform peer-checked:[translate:20px] peer-checked:bg-mint-ink"
      />
    </span>
  )
}

interface SwitchProps extends Omit<ComponentPropsWithRef<"input">, "children"> {
  label: string
  hint?: ReactNode
}

export function Switch({ label, hint, className = "", ...rest }: SwitchProps) {
  const id = useId()
  return (
    <label className={`flex min-h-11 cursor-pointer items-center justify-between gap-4 ${className}`}>
      <span className="min-w-0">
        <span id={`${id}-label`} className="block font-semibold">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-meta text-t3">
            {hint}
          </span>
        )}
      </span>
      <SwitchControl
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...rest}
      />
    </label>
  )
}
