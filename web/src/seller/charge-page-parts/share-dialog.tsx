import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { useEffect, useState } from "react"
import { formatReais } from "#format/money-text.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Field } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { rememberShared } from "../first-steps/first-steps-switches.ts"
import { sellerTexts } from "../seller-texts.ts"
import { PosterDialog } from "./poster-dialog.tsx"
import { publicLinkOf } from "./public-link.ts"

interface Props {
  page: ChargePageView
  onClose: () => void
}

export function ShareDialog({ page, onClose }: Props) {
  const [showsQr, setShowsQr] = useState(false)
  useEffect(rememberShared, [])
  const link = publicLinkOf(page.uniqueLink)
  const message = `${page.title} (${formatReais(page.amount)}): pague com Pix em ${link}`

  if (showsQr) return <PosterDialog page={page} onClose={onClose} />
  return (
    <Dialog title="Compartilhar cobrança" onClose={onClose}>
      <p className="mb-4 break-words text-t2">
        <b className="font-semibold text-t1">{page.title}</b>
        <span className="whitespace-nowrap tabular-nums"> · {formatReais(page.amount)}</span>
      </p>
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
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        <CopyButton
          look="primary"
          text={link}
          label="Copiar link"
          done={sellerTexts.linkCopied}
          failed={sellerTexts.dashboardLinkNotCopied}
          className="sm:col-span-2"
        />
        <a href={link} target="_blank" rel="noreferrer" className={buttonClass("secondary")}>
          <Icon name="open" />
          Visualizar
        </a>
        <a
          href={`https://wa.me/?text=${encodeURIComponent(message)}`}
          target="_blank"
          rel="noreferrer"
          className={buttonClass("secondary")}
        >
          <Icon name="share" />
          WhatsApp
        </a>
        <Button icon="qr" className="sm:col-span-2" onClick={() => setShowsQr(true)}>
          QR para mostrar ou imprimir
        </Button>
        {typeof navigator.share === "function" && (
          <Button icon="share" className="sm:col-span-2" onClick={() => void shareBySystem(page.title, link)}>
            Mais opções
          </Button>
        )}
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
