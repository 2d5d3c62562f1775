import "#styles/poster.css"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import { useEffect, useState } from "react"
import { createPortal } from "react-dom"
import { formatReais } from "#format/money-text.ts"
import { PageAmount } from "#parts/charge-pages/charge-page-parts.tsx"
import { rememberShared } from "#seller/first-steps/steps.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useShopName } from "#seller/shop/shop-data.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { Segments } from "#ui/segments.tsx"
import { publicLinkOf, shortLinkOf } from "./charge-pages-data.ts"

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
        <Button variant="primary" icon="print" className="w-full" onClick={() => window.print()}>
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
  const shop = useShopName()
  return (
    <section aria-hidden="true" className="poster" data-paper={paper}>
      {shop !== "" && <p className="poster-shop">{shop}</p>}
      <p className="poster-lead">Pague com Pix</p>
      <p className="poster-title">{page.title}</p>
      {page.amount !== null && <p className="poster-amount">{formatReais(page.amount)}</p>}
      <Qr page={page} className="poster-qr" />
      <p>Aponte a câmera do celular</p>
      <p className="poster-code">
        Confira na tela: código <b>{page.shortCode}</b>
      </p>
      <p className="poster-link">{shortLinkOf(page.uniqueLink)}</p>
    </section>
  )
}

interface Props {
  page: ChargePageView
  onClose: () => void
}

export function ShareDialog({ page, onClose }: Props) {
  const [showsQr, setShowsQr] = useState(false)
  useEffect(rememberShared, [])
  const link = publicLinkOf(page.uniqueLink)
  const shop = useShopName()
  const message = `${shop && `${shop}: `}${page.title}${page.amount === null ? "" : ` (${formatReais(page.amount)})`}. Pague com Pix em ${link}`

  if (showsQr) return <PosterDialog page={page} onClose={onClose} />
  return (
    <Dialog title="Compartilhar cobrança" onClose={onClose}>
      <p className="mb-4 break-words text-t2">
        <b className="font-semibold text-t1">{page.title}</b>
        <span className="whitespace-nowrap tabular-nums">
          {" "}
          · <PageAmount amount={page.amount} />
        </span>
      </p>
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_172px]">
        <div className="grid content-start gap-3">
          <a
            href={`https://wa.me/?text=${encodeURIComponent(message)}`}
            target="_blank"
            rel="noreferrer"
            className={buttonClass("primary", "min-h-13")}
          >
            <Icon name="share" />
            Enviar no WhatsApp
          </a>
          <Field label="Link de pagamento">
            {(control) => (
              <TextInput
                {...control}
                readOnly
                value={link}
                onFocus={(event) => event.target.select()}
                className="text-label"
              />
            )}
          </Field>
          <div className="grid grid-cols-2 gap-3">
            <CopyButton
              variant="secondary"
              text={link}
              label="Copiar link"
              done={sellerTexts.linkCopied}
              failed={sellerTexts.dashboardLinkNotCopied}
              className="px-2 whitespace-nowrap"
            />
            <a href={link} target="_blank" rel="noreferrer" className={buttonClass("secondary", "px-2")}>
              <Icon name="open" />
              Visualizar
            </a>
          </div>
          {typeof navigator.share === "function" && (
            <Button icon="share" onClick={() => void shareBySystem(page.title, link)}>
              Outro aplicativo
            </Button>
          )}
        </div>
        <div className="grid content-start items-center gap-3 max-sm:grid-cols-[104px_minmax(0,1fr)]">
          <Qr page={page} className="w-full rounded-l" />
          <Button className="px-3 text-label" onClick={() => setShowsQr(true)}>
            QR para mostrar ou imprimir
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** A cancelled share rejects, which is no failure. */
async function shareBySystem(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url })
  } catch {}
}
