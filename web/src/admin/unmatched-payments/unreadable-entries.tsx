import type { UnreadableEntryView } from "@tilinta/contract/api/unmatched-payments-endpoints"
import { differenceKindLabels } from "@tilinta/contract/vocabulary/daily-close"
import { useState } from "react"
import { countOf } from "#format/count.ts"
import { formatDateTime } from "#format/date.ts"
import { Button } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"

const CloseEntryDialog = lazyDialog(() => import("./close-entry-dialog.tsx").then((module) => module.CloseEntryDialog))

/** Shown above the list: no balance holds this money until a person has looked it up at the bank. */
export function UnreadableEntries({ entries }: { entries: readonly UnreadableEntryView[] }) {
  const [closing, setClosing] = useState<UnreadableEntryView | null>(null)
  if (entries.length === 0) return null
  return (
    <section aria-labelledby="unreadable-title" className="rounded-l border border-line-2 bg-amber-bg px-5 py-4">
      <h2 id="unreadable-title" className="font-[650]">
        {countOf(entries.length, "lançamento do banco que não pudemos ler", "lançamentos do banco que não pudemos ler")}
      </h2>
      <p className="mt-1 text-label text-t2">
        {entries.length === 1
          ? "Não está em nenhum saldo. Procure-o no banco pelo identificador; se o banco o corrigir, ele é registrado sozinho e sai daqui; se não, encerre-o com o motivo."
          : "Não estão em nenhum saldo. Procure cada um no banco pelo identificador; os que o banco corrigir são registrados sozinhos e saem daqui; encerre os outros com o motivo."}
      </p>
      <ul className="mt-3 grid gap-2">
        {entries.map((entry) => (
          <li key={entry._id} className="flex flex-wrap items-center gap-x-4 gap-y-1 text-label">
            <b className="font-[600]">{differenceKindLabels[entry.kind]}</b>
            <span className="flex min-w-0 items-center gap-1">
              <code className="min-w-0 text-meta break-all">{entry.reference}</code>
              <CopyButton
                text={entry.reference}
                label="Copiar identificador"
                title="Copiar identificador"
                done="Identificador copiado"
                failed="Não foi possível copiar o identificador"
              />
            </span>
            <span className="text-t2">
              {entry.amountText === "" ? "sem valor" : `valor “${entry.amountText}”`} ·{" "}
              {formatDateTime(entry.happenedAt)}
            </span>
            <Button
              className="ml-auto"
              aria-label={`Encerrar lançamento ${entry.reference}`}
              onClick={() => setClosing(entry)}
            >
              Encerrar
            </Button>
          </li>
        ))}
      </ul>
      {closing !== null && <CloseEntryDialog entry={closing} onClose={() => setClosing(null)} />}
    </section>
  )
}
