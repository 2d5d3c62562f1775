import type { ComponentPropsWithRef } from "react"
import { controlClass } from "./field.tsx"
import { Icon } from "./icon.tsx"

export function Select({ className = "", children, ...rest }: ComponentPropsWithRef<"select">) {
  return (
    <div className={`relative ${className}`}>
      <select className={`${controlClass} h-11 appearance-none pr-10 pl-3.5 [&>option]:bg-s1`} {...rest}>
        {children}
      </select>
      <Icon
        name="chevronDown"
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 stroke-2 text-t3"
      />
    </div>
  )
}

/** One option for each word. */
export function Options<W extends string>({
  words,
  labels,
}: {
  words: readonly W[]
  labels: Readonly<Record<W, string>>
}) {
  return words.map((word) => (
    <option key={word} value={word}>
      {labels[word]}
    </option>
  ))
}

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
