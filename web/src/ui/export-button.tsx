import type { Head } from "@tilinta/contract/define-endpoint"
import type { ExportFormat } from "@tilinta/contract/vocabulary/files"
import type { ReactNode } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { download } from "#api/download.ts"
import { saoPauloDay } from "#format/dates.ts"
import { buttonClass } from "./button.tsx"
import { Icon } from "./icon.tsx"
import { Menu, menuItemClass } from "./menu.tsx"
import { toast } from "./toast.ts"
import { useSubmit } from "./use-submit.ts"

/** For a button that saves a file; without one a toast says why. */
export function useDownload(failed: string) {
  return useSubmit(
    (file: Parameters<typeof download>) => download(...file),
    (error) => {
      toast.error(messageOf(error, failed), detailOf(error))
      return null
    },
  )
}

interface Choice<Format> {
  format: Format
  label: string
  about: string
}

/** Workbooks first: in CSV a spreadsheet makes numbers and days of identifiers. */
export const tableFormats: readonly Choice<ExportFormat>[] = [
  { format: "xlsx", label: "Planilha (XLSX)", about: "Para qualquer programa de planilhas" },
  { format: "csv", label: "CSV", about: "Para outros programas" },
]

interface MenuProps<Format> {
  /** Names the menu to screen readers. */
  label: string
  words?: string
  /** In place of the words. */
  button?: ReactNode
  className?: string
  busy: boolean
  formats: readonly Choice<Format>[]
  onFormat: (format: Format) => void
}

/** A button under which the format is chosen. */
export function ExportMenu<Format extends string>(props: MenuProps<Format>) {
  const { label, words = "Exportar", button, className = buttonClass("secondary"), busy, formats, onFormat } = props
  const shown = button ?? (
    <>
      <Icon name="download" />
      {busy ? "Exportando..." : words}
    </>
  )
  return (
    <Menu label={label} className={className} button={shown}>
      {formats.map(({ format, label: name, about }) => (
        <button
          key={format}
          type="button"
          role="menuitem"
          aria-disabled={busy}
          className={menuItemClass}
          onClick={() => {
            if (!busy) onFormat(format)
          }}
        >
          <Icon name="file" />
          <span>
            {name}
            <span className="block text-meta font-normal text-t3">{about}</span>
          </span>
        </button>
      ))}
    </Menu>
  )
}

interface Props {
  head: Head
  params?: Record<string, string>
  /** The list's filters: the export contains all rows that match them. */
  query?: Record<string, string | undefined>
  /** Prefix of the file's name, before the day. */
  name: string
  failed: string
}

export function ExportButton({ head, name, failed, query, ...input }: Props) {
  const { busy, submit } = useDownload(failed)
  const save = (format: ExportFormat) =>
    submit([head, { ...input, query: { ...query, format } }, `${name}_${saoPauloDay(new Date())}.${format}`])
  return (
    <ExportMenu label="Exportar lista" busy={busy} formats={tableFormats} onFormat={(format) => void save(format)} />
  )
}
