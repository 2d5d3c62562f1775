import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { download } from "#api/download.ts"
import { saoPauloDay } from "#format/dates.ts"
import { Button } from "./button.tsx"
import { toast } from "./toast.ts"

interface Props {
  path: string
  /** The list's filters: the export contains all rows that match them. */
  query: Record<string, string | undefined>
  /** Prefix of the file's name, before the day. */
  name: string
  failed: string
}

export function ExportButton({ path, query, name, failed }: Props) {
  const [isBusy, setIsBusy] = useState(false)

  async function save(): Promise<void> {
    setIsBusy(true)
    try {
      await download(path, query, `${name}_${saoPauloDay(new Date())}.csv`)
    } catch (error) {
      toast.error(messageOf(error, failed), detailOf(error))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Button icon="download" disabled={isBusy} onClick={() => void save()}>
      {isBusy ? "Exportando..." : "Exportar"}
    </Button>
  )
}
