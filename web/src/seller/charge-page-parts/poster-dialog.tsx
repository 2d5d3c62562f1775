import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { useEffect, useState } from "react"
import { createPortal } from "react-dom"
import { formatReais } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Segments } from "#ui/segments.tsx"
import { shortLinkOf } from "./public-link.ts"
import "../../styles/poster.css"

const papers = [
  { value: "a4", label: "A4" },
  { value: "a6", label: "A6" },
  { value: "80mm", label: "80 mm" },
] as const
type Paper = (typeof papers)[number]["value"]

/** The QR to hold up to a customer, and a poster to print in three sizes. */
export function PosterDialog({ page, onClose }: { page: ChargePageView; onClose: () => void }) {
  const [paper, setPaper] = useState<Paper>("a4")
  useEffect(() => {
    document.documentElement.dataset.poster = ""
    return () => {
      delete document.documentElement.dataset.poster
    }
  }, [])

  return (
    <Dialog title="QR da página" onClose={onClose}>
      <div className="grid justify-items-center gap-4 text-center">
        <Qr page={page} className="w-full max-w-72 rounded-l" />
        <p>
          <b className="block font-semibold break-words">{page.title}</b>
          <span className="text-label break-all text-t2">{shortLinkOf(page.uniqueLink)}</span>
        </p>
        <Segments label="Tamanho do cartaz" options={papers} value={paper} onChange={setPaper} />
        <Button look="primary" icon="print" className="w-full" onClick={() => window.print()}>
          Imprimir cartaz
        </Button>
      </div>
      {createPortal(<Poster page={page} paper={paper} />, document.body)}
    </Dialog>
  )
}

function Qr({ page, className }: { page: ChargePageView; className: string }) {
  return (
    <img
      src={`/checkout/${page.uniqueLink}/qr.svg`}
      alt={`QR code que abre a página ${page.title}`}
      width={288}
      height={288}
      className={className}
    />
  )
}

/** Black on white, and only on paper. */
function Poster({ page, paper }: { page: ChargePageView; paper: Paper }) {
  return (
    <section aria-hidden="true" className="poster" data-paper={paper}>
      <p className="poster-lead">Pague com Pix</p>
      <p className="poster-title">{page.title}</p>
      <p className="poster-amount">{formatReais(page.amount)}</p>
      <Qr page={page} className="poster-qr" />
      <p>Aponte a câmera do celular</p>
      <p className="poster-link">{shortLinkOf(page.uniqueLink)}</p>
    </section>
  )
}
