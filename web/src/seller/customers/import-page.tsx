import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { CustomerImport, ImportedRow } from "@tilinta/contract/customers"
import { customerLabels, type ImportOutcome } from "@tilinta/contract/vocabulary/customers"
import { addressLabels } from "@tilinta/contract/vocabulary/people"
import { useRef, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { csvFile, saveFile } from "#api/download.ts"
import { countOf, formatCount } from "#format/money-text.ts"
import { BackLink } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { customersKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { type Column, DataTable, RowText } from "#ui/data-table.tsx"
import { FormAlert } from "#ui/field.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { importCustomers } from "./customers-data.ts"

const outcomes: Readonly<Record<ImportOutcome, { label: string; tone: BadgeTone; heading: string }>> = {
  invalid: { label: "Com erro", tone: "danger", heading: "Linhas com erro" },
  new: { label: "Novo", tone: "success", heading: "Clientes novos" },
  known: { label: "Já cadastrado", tone: "secondary", heading: "Já cadastrados" },
}
const order = Object.keys(outcomes)

export function ImportPage() {
  const check = useMutation({ mutationFn: (file: File) => importCustomers(file, true) })
  return (
    <>
      <div>
        <BackLink to="/customers">Voltar aos clientes</BackLink>
        <PageTitle title="Importar clientes" />
      </div>
      <Card className="grid gap-4 p-5 md:p-6">
        <CardHeader title="Arquivo" />
        <div className="grid max-w-prose gap-2 text-t2">
          <p>
            Um CSV do Excel, do Google Planilhas ou de outro sistema, com até 5.000 clientes. A primeira linha tem os
            nomes das colunas; só a de {customerLabels.name} é obrigatória.
          </p>
          <p>Nada é cadastrado antes de você conferir.</p>
        </div>
        <div className="flex flex-wrap gap-2 md:gap-3">
          <FileButton
            isPrimary={check.data === undefined}
            words={check.isPending ? "Conferindo..." : check.data === undefined ? "Escolher arquivo" : "Escolher outro"}
            isBusy={check.isPending}
            onFile={check.mutate}
          />
          <Button variant="ghost" icon="download" onClick={saveModel}>
            Baixar modelo
          </Button>
        </div>
        <FormAlert message={check.error === null ? null : messageOf(check.error, sellerTexts.customersNotImported)} />
      </Card>
      {check.data !== undefined && check.variables !== undefined && (
        <Preview key={check.submittedAt} file={check.variables} checked={check.data} />
      )}
    </>
  )
}

function saveModel(): void {
  saveFile(
    csvFile({ heads: [...Object.values(customerLabels), ...Object.values(addressLabels)], rows: [] }),
    "clientes.csv",
  )
}

interface FileButtonProps {
  words: string
  isPrimary: boolean
  isBusy: boolean
  onFile: (file: File) => void
}

function FileButton({ words, isPrimary, isBusy, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant={isPrimary ? "primary" : "secondary"}
        aria-disabled={isBusy}
        onClick={() => isBusy || input.current?.click()}
      >
        {words}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label="Arquivo de clientes"
        accept=".csv,text/csv"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // A file that was corrected has the same name.
          target.value = ""
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}

const columns: readonly Column<ImportedRow>[] = [
  {
    header: "Linha",
    area: "none",
    cell: ({ line }) => <span className="text-t3 tabular-nums">{formatCount(line)}</span>,
  },
  {
    header: customerLabels.name,
    area: "title",
    cell: ({ line, name, errors }) => (
      <RowText
        title={name || "Sem nome"}
        note={
          <span className="whitespace-normal">
            {errors.map(({ message }) => message).join(" · ") || (
              <span className="hidden cards:inline">Linha {line}</span>
            )}
          </span>
        }
      />
    ),
  },
  {
    // On a phone the heading says it.
    header: "Situação",
    area: "none",
    cell: ({ outcome }) => <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>,
  },
]

const shownAtOnce = 100

/** Faults first: they are what there is to do. */
function Preview({ file, checked }: { file: File; checked: CustomerImport }) {
  const { counts, ignoredColumns } = checked
  const enter = useEnter(file)
  const [shown, setShown] = useState(shownAtOnce)
  const rows = checked.rows.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
  return (
    <Card className="p-2 pt-5" aria-label="Conferência">
      <div className="grid gap-4 px-3 pb-3 md:px-4">
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
          <div className="min-w-0">
            <h2 className="text-section font-[650] break-words">{file.name}</h2>
            <p role="status" className="mt-1 text-t2">
              {summaryOf(counts)}
            </p>
          </div>
          {counts.new > 0 && (
            <Button variant="primary" disabled={enter.isPending} onClick={() => enter.mutate()}>
              {enter.isPending ? "Importando..." : `Importar ${countOf(counts.new, "cliente", "clientes")}`}
            </Button>
          )}
        </div>
        {counts.invalid > 0 && (
          <p className="max-w-prose text-label text-t3">
            As linhas com erro ficam de fora. Corrija o arquivo e envie de novo: quem já está cadastrado não entra duas
            vezes.
          </p>
        )}
        {ignoredColumns.length > 0 && (
          <p className="max-w-prose text-label break-words text-t3">
            Colunas que não serão importadas: {ignoredColumns.join(", ")}.
          </p>
        )}
        <FormAlert message={enter.error === null ? null : messageOf(enter.error, sellerTexts.customersNotImported)} />
      </div>
      <DataTable
        caption="Linhas do arquivo"
        columns={columns}
        rows={rows.slice(0, shown)}
        rowKey={({ line }) => String(line)}
        groupOf={({ outcome }) => outcomes[outcome].heading}
      />
      {rows.length > shown && (
        <div className="grid p-3">
          <Button className="justify-self-center" onClick={() => setShown(shown + shownAtOnce)}>
            Mostrar mais
          </Button>
        </div>
      )}
    </Card>
  )
}

function summaryOf(counts: CustomerImport["counts"]): string {
  const parts = [
    countOf(counts.new, "cliente novo", "clientes novos"),
    counts.known > 0 && countOf(counts.known, "já cadastrado", "já cadastrados"),
    counts.invalid > 0 && countOf(counts.invalid, "linha com erro", "linhas com erro"),
  ]
  return parts.filter(Boolean).join(" · ")
}

function useEnter(file: File) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => importCustomers(file, false),
    onSuccess: async ({ counts }) => {
      toast.success(countOf(counts.new, "cliente importado", "clientes importados"))
      await queryClient.invalidateQueries({ queryKey: customersKey })
      await navigate({ to: "/customers" })
    },
  })
}
