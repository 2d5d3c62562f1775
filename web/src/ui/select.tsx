import type { ComponentPropsWithRef } from "react"
import { Icon } from "./icon.tsx"
import { controlClass } from "./text-input.tsx"

export function Select({ className = "", children, ...rest }: ComponentPropsWithRef<"select">) {
  return (
    <div className={`relative ${className}`}>
      <select className={`${controlClass} h-11 appearance-none pr-10 pl-3.5 [&>option]:bg-s1`} {...rest}>
        {children}
      </select>
      <Icon
        name="chevronDown"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 stroke-2 text-t3"
      />
    </div>
  )
}
