import type { ComponentPropsWithRef } from "react"
import { Icon, type IconName } from "./icon.tsx"

/** Touch target of 44 px; 40 px on wide screens. */
export const iconButtonClass =
  "inline-grid size-11 flex-none place-items-center rounded-m text-t2 transition-colors hover:bg-s2 hover:text-t1 md:size-10"

interface Props extends ComponentPropsWithRef<"button"> {
  icon: IconName
  label: string
}

export function IconButton({ icon, label, className = "", ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={rest.title ?? label}
      className={`${iconButtonClass} ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
