import type { ComponentPropsWithRef } from "react"

/** The frame that every control shares. */
export const controlClass =
  "w-full min-w-0 rounded-m border border-ctl bg-bg text-t1 transition-colors hover:border-t3 focus-visible:border-mint focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-coral disabled:opacity-60"

export function TextInput({ className = "", ...rest }: ComponentPropsWithRef<"input">) {
  return <input className={`${controlClass} h-11 px-3.5 ${className}`} {...rest} />
}

export function TextArea({ className = "", ...rest }: ComponentPropsWithRef<"textarea">) {
  return <textarea className={`${controlClass} min-h-24 px-3.5 py-2.5 ${className}`} {...rest} />
}
