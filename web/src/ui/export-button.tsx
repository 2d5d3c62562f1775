import type { Head } from "@tilinta/contract/define-endpoint"
import { detailOf, messageOf } from "#api/api-error.ts"
import { download } from "#api/download.ts"
import { saoPauloDay } from "#format/dates.ts"
import { Button } from "./button.tsx"
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

interface Props {
  head: Head
  params?: Record<string, string>
  /** The list's filters: the export contains all rows that match them. */
  query?: Record<string, string | undefined>
  /** Prefix of the file's name, before the day. */
  name: string
  failed: string
}

export function ExportButton({ head, name, failed, ...input }: Props) {
  const { busy, submit } = useDownload(failed)
  return (
    <Button
      icon="download"
      disabled={busy}
      onClick={() => void submit([head, input, `${name}_${saoPauloDay(new Date())}.csv`])}
    >
      {busy ? "Exportando..." : "Exportar"}
    </Button>
  )
}
