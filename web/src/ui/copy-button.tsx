import { type MouseEvent, useEffect, useState } from "react"
import { Button, type ButtonLook } from "./button.tsx"
import { copyText } from "./copy-text.ts"
import { IconButton } from "./icon-button.tsx"
import { toast } from "./toast.ts"

interface Props {
  text: string
  label: string
  done: string
  failed: string
  title?: string
  /** With a `look` the button shows its label as text, without one only an icon. */
  look?: ButtonLook
  className?: string
}

export function CopyButton({ text, label, done, failed, title = "Copiar link", look, className = "" }: Props) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy(event: MouseEvent<HTMLButtonElement>): Promise<void> {
    const succeeded = await copyText(text, event.currentTarget)
    setCopied(succeeded)
    if (succeeded) toast.success(done)
    else toast.error(failed)
  }

  const icon = copied ? "check" : "copy"
  if (look === undefined) {
    return (
      <IconButton icon={icon} label={label} title={title} className={className} onClick={(event) => void copy(event)} />
    )
  }
  return (
    <Button look={look} icon={icon} className={className} onClick={(event) => void copy(event)}>
      {label}
    </Button>
  )
}
