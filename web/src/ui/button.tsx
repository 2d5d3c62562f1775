import type { ComponentPropsWithRef } from "react"
import { Icon, type IconName } from "./icon.tsx"

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "quiet-danger"

const variants = {
  primary: "bg-mint text-mint-ink hover:bg-mint-h",
  secondary: "bg-s3 border-line-2 hover:border-ctl",
  ghost: "text-t2 hover:bg-s2 hover:text-t1",
  danger: "bg-coral text-coral-ink hover:[filter:brightness(1.1)]",
  "quiet-danger": "text-coral hover:bg-coral-bg",
} as const satisfies Record<ButtonVariant, string>

/** Shared with links that are styled as buttons. */
export function buttonClass(variant: ButtonVariant, extra = ""): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-m border border-transparent px-[18px] text-center font-[650] leading-tight tracking-[-0.005em] transition-colors disabled:cursor-not-allowed disabled:opacity-50 ${variants[variant]} ${extra}`
}

interface Props extends ComponentPropsWithRef<"button"> {
  variant?: ButtonVariant | undefined
  icon?: IconName | undefined
}

export function Button({ variant = "secondary", icon, className = "", children, type = "button", ...rest }: Props) {
  return (
    <button type={type} className={buttonClass(variant, className)} {...rest}>
      {icon !== undefined && <Icon name={icon} className="size-5 stroke-[2.1]" />}
      {children}
    </button>
  )
}

/** Touch target of 44 px; 40 px on wide screens. */
export const iconButtonClass =
  "inline-grid size-11 flex-none place-items-center rounded-m text-t2 transition-colors hover:bg-s2 hover:text-t1 md:size-10"

interface IconButtonProps extends ComponentPropsWithRef<"button"> {
  icon: IconName
  label: string
}

export function IconButton({ icon, label, className = "", ...rest }: IconButtonProps) {
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
