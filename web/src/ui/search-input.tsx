import { useCallback, useEffect, useRef, useState } from "react"
import { Icon } from "./icon.tsx"
import { IconButton } from "./icon-button.tsx"
import { controlClass } from "./text-input.tsx"
import { useShortcut } from "./use-shortcut.ts"

interface Props {
  label: string
  value: string
  onSearch: (text: string) => void
  onType?: (text: string) => void
}

/** Calls `onType` on each keystroke, and `onSearch` once typing pauses. */
export function SearchInput({ label, value, onSearch, onType }: Props) {
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useShortcut(
    "/",
    useCallback(() => field.current?.focus(), []),
  )
  const [sent, setSent] = useState(value)
  const [outside, setOutside] = useState(value)
  if (outside !== value) {
    setOutside(value)
    // Syncs only with outside changes such as 'Limpar filtros': our own value coming back must not undo a keystroke.
    if (value !== sent) setText(value)
  }

  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      setSent(text.trim())
      onSearch(text.trim())
    }, 300)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])

  function type(next: string): void {
    setText(next)
    onType?.(next)
  }

  return (
    <div className="relative min-w-0 flex-1 basis-32 md:basis-40">
      <Icon name="search" className="pointer-events-none absolute top-3 left-3.5 size-5 text-t3" />
      <input
        ref={field}
        type="search"
        aria-keyshortcuts="/"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={200}
        onChange={(event) => type(event.target.value)}
        className={`${controlClass} h-11 pl-11 text-ellipsis ${text === "" ? "pr-3" : "pr-11"}`}
      />
      {text !== "" && (
        <IconButton
          icon="close"
          label="Limpar busca"
          className="absolute top-0 right-0 md:top-0.5 md:right-0.5"
          onClick={() => type("")}
        />
      )}
    </div>
  )
}
