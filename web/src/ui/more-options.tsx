import { type ReactNode, useId, useState } from "react"
import { Icon } from "./icon.tsx"

interface Props {
  /** Whether one of them is set when the form opens. */
  isSet: boolean
  /** Whether one of them was refused: then they can't be folded. */
  isWrong: boolean
  children: ReactNode
}

/** A form's fields of few, folded until somebody asks for them. */
export function MoreOptions({ isSet, isWrong, children }: Props) {
  const [isUnfolded, setIsUnfolded] = useState(isSet)
  const isOpen = isUnfolded || isWrong
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsUnfolded(!isOpen)}
        className="-my-1.5 inline-flex min-h-11 items-center gap-1.5 rounded-m pr-2 text-label font-semibold text-mint underline-offset-4 hover:underline"
      >
        Mais opções
        <Icon name="chevronDown" className={`size-4 stroke-2 transition-transform ${isOpen ? "rotate-180" : ""}`} />
      </button>
      <div id={id} hidden={!isOpen} className="mt-3 grid gap-4">
        {isOpen && children}
      </div>
    </div>
  )
}
