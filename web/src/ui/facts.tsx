import type { ReactNode } from "react"
import { CopyButton } from "./copy-button.tsx"

/** Terms on the left, values on the right. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-2 border-t border-line pt-4 text-label">{children}</dl>
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-5">
      <dt className="max-w-[60%] flex-none wrap-anywhere text-t3">{term}</dt>
      <dd className="min-w-0 text-right wrap-anywhere text-t2 tabular-nums">{children}</dd>
    </div>
  )
}

/** The address breaks before its @, when it must break. */
export function EmailFact({ email }: { email: string }) {
  const [name, domain] = email.split(/(?=@[^@]*$)/)
  return (
    <Fact term="E-mail">
      {name}
      <wbr />
      {domain}
    </Fact>
  )
}

/** A code that people copy into another system: shown whole, copied at a touch. */
export function CopyableCode({ label, code, shown = code }: { label: string; code: string; shown?: string }) {
  return (
    <div className="flex items-center justify-between gap-3 rounded-m border border-line bg-bg py-1.5 pr-1.5 pl-4">
      <p className="@container min-w-0 flex-1">
        <span className="block text-meta text-t3">{label}</span>
        <span className="block font-mono text-[min(12.5px,4.9cqi)] break-all">{shown}</span>
      </p>
      <CopyButton
        text={code}
        label={`Copiar ${label}`}
        title="Copiar"
        done="Copiado!"
        failed="Não foi possível copiar"
      />
    </div>
  )
}
