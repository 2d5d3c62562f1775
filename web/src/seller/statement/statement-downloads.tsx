import type { StatementFormat } from "@tilinta/contract/api/statements-endpoints"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { download } from "#api/download.ts"
import { buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { Menu, menuItemClass } from "#ui/menu.tsx"
import { toast } from "#ui/toast.ts"
import { sellerTexts } from "../seller-texts.ts"
import { exportPath } from "./statement-data.ts"

const formats = [
  { format: "pdf", label: "PDF", about: "Para imprimir ou enviar à contabilidade" },
  { format: "ofx", label: "OFX", about: "Para programas de contabilidade" },
  { format: "csv", label: "CSV", about: "Para planilhas" },
] as const satisfies readonly { format: StatementFormat; label: string; about: string }[]

export function StatementDownloads({ month }: { month: string }) {
  const [isBusy, setIsBusy] = useState(false)

  async function save(format: StatementFormat): Promise<void> {
    setIsBusy(true)
    try {
      await download(exportPath, { month, format }, `extrato_${month}.${format}`)
    } catch (error) {
      toast.error(messageOf(error, sellerTexts.statementNotExported), detailOf(error))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Menu
      label="Exportar extrato"
      className={buttonClass("secondary")}
      button={
        <>
          <Icon name="download" />
          {isBusy ? "Exportando..." : "Exportar"}
        </>
      }
    >
      {formats.map(({ format, label, about }) => (
        <button
          key={format}
          type="button"
          role="menuitem"
          aria-disabled={isBusy}
          className={menuItemClass}
          onClick={() => {
            if (!isBusy) void save(format)
          }}
        >
          <Icon name="file" />
          <span>
            {label}
            <span className="block text-meta font-normal text-t3">{about}</span>
          </span>
        </button>
      ))}
    </Menu>
  )
}
