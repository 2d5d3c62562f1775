import { type ComponentPropsWithRef, useId } from "react"
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
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 stroke-2 text-t3"
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

interface SegmentsProps<V extends string> {
  label: string
  options: readonly { value: V; label: string }[]
  value: V
  onChange: (value: V) => void
}

/** A few choices in a row: radio buttons styled as one control. */
export function Segments<V extends string>({ label, options, value, onChange }: SegmentsProps<V>) {
  const name = useId()
  return (
    <fieldset className="flex rounded-m border border-line-2 bg-bg p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="grid min-h-9 cursor-pointer place-items-center rounded-s px-3.5 text-label font-semibold text-t2 has-checked:bg-s3 has-checked:text-t1 has-focus-visible:outline-2 has-focus-visible:outline-mint max-md:min-h-11"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
