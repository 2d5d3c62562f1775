import { formatReais } from "#format/money-text.ts"
import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutState, ShownPix } from "./checkout-state.ts"
import { Icon } from "./page-frame.tsx"

interface PanelProps {
  pix: ShownPix
  state: CheckoutState
  on: CheckoutHandlers
}

/** The open Pix: an image for the bank's camera, and a text to copy. */
export function PixPanel({ pix, state: { copy }, on }: PanelProps) {
  const isCopied = copy === "copied"
  return (
    <section className="pay" aria-label="Código Pix">
      <div className="q">
        {pix.pixQrCodeBase64 ? (
          <img
            src={qrSource(pix.pixQrCodeBase64)}
            alt={`QR Code Pix de ${formatReais(pix.amount)}`}
            onError={on.breakQr}
          />
        ) : (
          "PIX Gerado!"
        )}
      </div>
      <p className="aim">Aponte a câmera do app do seu banco ou copie o código Pix</p>
      <p className="code">{pix.pixCode}</p>
      <div className="cta">
        <p className="live" id="live" role="status">
          <i />
          Aguardando pagamento... Após o pagamento, a confirmação será automática.
        </p>
        {copy === "refused" && (
          <p className="er" role="alert">
            Não foi possível copiar. Toque no código para selecionar.
          </p>
        )}
        <button
          className="btn pri"
          type="button"
          data-focus
          aria-describedby="live"
          onClick={({ currentTarget }) => on.copy(currentTarget)}
        >
          <Icon name={isCopied ? "check" : "copy"} />
          {isCopied ? "Copiado!" : "Copiar Código PIX"}
        </button>
      </div>
    </section>
  )
}

export function qrSource(base64: string): string {
  return `data:image/png;base64,${base64}`
}

export function HowToPay({ pix }: { pix: Pick<ShownPix, "receiverName" | "amount"> }) {
  return (
    <section className="how">
      <h2>Como pagar</h2>
      <ol>
        <li>
          Abra o app do seu banco e escolha <b>Pix</b>
        </li>
        <li>
          Leia o <b>QR Code</b> ou cole em <b>Pix copia e cola</b>
        </li>
        <li>
          Confira <b>{pix.receiverName}</b> e <b>{formatReais(pix.amount)}</b> e confirme
        </li>
      </ol>
    </section>
  )
}
