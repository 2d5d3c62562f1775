import { CopyButton } from "./copy-button.tsx"

interface Props {
  label: string
  text: string
  /** The text that the copy button copies; without it there is no button. */
  copied?: string | undefined
  copyLabel?: string
  /** Broken lines suit data. Programs keep theirs and scroll sideways. */
  look?: "data" | "program"
}

const looks = {
  data: "max-h-56 break-all whitespace-pre-wrap",
  program: "whitespace-pre",
} as const

/** Text for machines, under a label. */
export function CodeBlock({ label, text, copied, copyLabel = `Copiar ${label.toLowerCase()}`, look = "data" }: Props) {
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
        className={`overflow-auto px-3.5 pb-3 font-mono text-[12.5px] leading-relaxed text-t2 ${looks[look]}`}
      >
        {text}
      </pre>
    </figure>
  )
}
