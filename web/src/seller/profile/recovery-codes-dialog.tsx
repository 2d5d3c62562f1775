import { useEffect } from "react"
import { createPortal } from "react-dom"
import { Button } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import "../../styles/recovery-codes.css"

/** Shown once: the server keeps only digests. On paper the codes stand alone. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  useEffect(() => {
    document.documentElement.dataset.recoveryCodes = ""
    return () => {
      delete document.documentElement.dataset.recoveryCodes
    }
  }, [])

  return (
    <Dialog
      title="Guarde os seus códigos de recuperação"
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          Já guardei os códigos
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-t2">
          Se você perder o celular, só estes códigos abrem a conta. Cada um vale uma vez, e eles não aparecem de novo.
        </p>
        <Codes codes={codes} />
        <div className="grid gap-3 sm:grid-cols-2">
          <CopyButton
            text={codes.join("\n")}
            label="Copiar códigos"
            done="Códigos copiados"
            failed="Não foi possível copiar: selecione os códigos e copie"
            look="secondary"
          />
          <Button onClick={() => window.print()}>Imprimir</Button>
        </div>
      </div>
      {createPortal(
        <section aria-hidden="true" className="recovery-codes-sheet">
          <p className="text-section font-[650]">Códigos de recuperação</p>
          <p>{document.location.host}. Cada código vale uma vez. Guarde esta folha como se fosse dinheiro.</p>
          <Codes codes={codes} />
        </section>,
        document.body,
      )}
    </Dialog>
  )
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <ol className="grid justify-center gap-x-6 gap-y-1 rounded-m border border-line-2 bg-bg px-4 py-3 font-mono text-[13px] sm:text-[14px]">
      {codes.map((code) => (
        <li key={code} className="whitespace-nowrap tabular-nums">
          {code}
        </li>
      ))}
    </ol>
  )
}
