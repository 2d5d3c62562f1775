import { type MouseEvent, useEffect, useState } from "react"
import { Button, type ButtonVariant, IconButton } from "./button.tsx"
import { copyText } from "./copy-text.ts"
import { toast } from "./toast.ts"

interface Props {
  text: string
  label: string
  done: string
  failed: string
  title?: string
  /** With a `variant` the button shows its label as text, without one only an icon. */
  variant?: ButtonVariant
  className?: string
}

export function CopyButton({ text, label, done, failed, title = "Copiar link", variant, className = "" }: Props) {
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
  if (variant === undefined) {
    return (
      <IconButton icon={icon} label={label} title={title} className={className} onClick={(event) => void copy(event)} />
    )
  }
  return (
    <Button variant={variant} icon={icon} className={className} onClick={(event) => void copy(event)}>
      {label}
    </Button>
  )
}

interface CodeBlockProps {
  label: string
  text: string
  /** The text that the copy button copies; without it there is no button. */
  copied?: string | undefined
  copyLabel?: string
  /** Broken lines suit data. Programs keep theirs and scroll sideways. */
  variant?: "data" | "program"
}

const variants = {
  data: "max-h-56 break-all whitespace-pre-wrap",
  program: "whitespace-pre",
} as const

/** Text for machines, under a label. */
export function CodeBlock({
  label,
  text,
  copied,
  copyLabel = `Copiar ${label.toLowerCase()}`,
  variant = "data",
}: CodeBlockProps) {
  return (
    <figure className="min-w-0 rounded-m border border-line bg-bg">
      <figcaption className="flex min-h-9 items-center justify-between gap-3 pr-1 pl-3.5 text-meta text-t3">
        {label}
        {copied !== undefined && (
          <CopyButton text={copied} label={copyLabel} title="Copiar" done="Copiado!" failed="Não foi possível copiar" />
        )}
      </figcaption>
      {/* Scrollable by keyboard too. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
        tabIndex={0}
        aria-label={label}
        className={`overflow-auto px-3.5 pb-3 font-mono text-[12.5px] leading-relaxed text-t2 ${variants[variant]}`}
      >
        {text}
      </pre>
    </figure>
  )
}
