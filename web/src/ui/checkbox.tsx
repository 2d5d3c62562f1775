import type { ComponentPropsWithRef } from "react"
import { Icon } from "./icon.tsx"

interface Props extends Omit<ComponentPropsWithRef<"input">, "children"> {
  label: string
  /** Set when another element already names the checkbox. */
  labelHidden?: boolean
}

export function Checkbox({ label, labelHidden = false, className = "", ...rest }: Props) {
  return (
    <label
      className={`flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed has-disabled:text-t3 ${labelHidden ? "-mx-3 min-w-11 justify-center" : ""} ${className}`}
    >
      <span className="relative inline-grid flex-none place-items-center">
        <input
          type="checkbox"
          className="peer size-[22px] cursor-pointer appearance-none rounded-[7px] border border-ctl bg-bg transition-colors checked:border-mint checked:bg-mint disabled:cursor-not-allowed disabled:opacity-50"
          {...rest}
        />
        <Icon
          name="check"
          className="pointer-events-none absolute size-4 stroke-3 text-mint-ink opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span className={labelHidden ? "sr-only" : "min-w-0"}>{label}</span>
    </label>
  )
}
