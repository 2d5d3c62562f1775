import { useId } from "react"

interface Props<V extends string> {
  label: string
  options: readonly { value: V; label: string }[]
  value: V
  onChange: (value: V) => void
}

/** A few choices in a row: radio buttons styled as one control. */
export function Segments<V extends string>({ label, options, value, onChange }: Props<V>) {
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
