/** @jsxImportSource preact */
import { EndingHead } from "./ending-head.tsx"

const words = ["Oops!", "Página de cobrança não encontrada ou expirada"]

/** Needs no script: whoever meets it can only try again. */
export function OopsScreen({ supportEmail }: { supportEmail: string }) {
  return (
    <main>
      <EndingHead icon="alert" words={words} />
      <p class="ds mid">Confira o endereço ou peça um novo link a quem enviou a cobrança.</p>
      <a class="btn" href="">
        Tentar novamente
      </a>
      {supportEmail && (
        <a class="btn ghost" href={`mailto:${supportEmail}`}>
          Falar com o suporte
        </a>
      )}
    </main>
  )
}
