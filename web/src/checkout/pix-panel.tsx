/** @jsxImportSource preact */
import { formatReais } from "#format/money-text.ts"
import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutState, ShownPix } from "./checkout-state.ts"
import { Icon } from "./icons.tsx"

interface PanelProps {
  pix: ShownPix
  state: CheckoutState
  on: CheckoutHandlers
}

/** The open Pix: what the bank's camera reads, and what the payer copies. */
export function PixPanel({ pix, state: { copy, isQrBroken }, on }: PanelProps) {
  const isCopied = copy === "copied"
  return (
    <section class="pay" aria-label="Código PIX">
      <div class="q">
        {isQrBroken ? (
          "PIX Gerado!"
        ) : (
          <img
            src={qrSource(pix.pixQrCodeBase64)}
            alt={`QR Code PIX de ${formatReais(pix.amount)}`}
            onError={on.breakQr}
          />
        )}
      </div>
      <p class="aim">Aponte a câmera do app do seu banco ou copie o código PIX</p>
      <p class="code">{pix.pixCode}</p>
      <div class="cta">
        <p class="live" id="live" role="status">
          <i />
          Aguardando pagamento... Após o pagamento, a confirmação será automática.
        </p>
        {copy === "refused" && (
          <p class="er" role="alert">
            Não foi possível copiar. Toque no código para selecionar.
          </p>
        )}
        <button
          class="btn pri"
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
  return base64.startsWith("data:") ? base64 : `data:image/png;base64,${base64}`
}

export function HowToPay({ pix }: { pix: Pick<ShownPix, "receiverName" | "amount"> }) {
  return (
    <section class="how">
      <h2>Como pagar</h2>
      <ol>
        <li>
          Abra o app do seu banco e escolha <b>Pix</b>
        </li>
        <li>
          Leia o <b>QR Code</b> ou cole em <b>Pix Copia e Cola</b>
        </li>
        <li>
          Confira <b>{pix.receiverName}</b> e <b>{formatReais(pix.amount)}</b> e confirme
        </li>
      </ol>
    </section>
  )
}
