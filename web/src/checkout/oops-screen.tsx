import { EndingHead } from "./ending-head.tsx"

const words = ["Oops!", "Página de cobrança não encontrada ou expirada"]

/** Works without script: a reload is the only action. */
export function OopsScreen({ supportEmail }: { supportEmail: string }) {
  return (
    <main>
      <EndingHead icon="alert" words={words} />
      <p className="ds mid">Confira o endereço ou peça um novo link a quem enviou a cobrança.</p>
      <a className="btn" href="">
        Tentar novamente
      </a>
      {supportEmail && (
        <a className="btn ghost" href={`mailto:${supportEmail}`}>
          Falar com o suporte
        </a>
      )}
    </main>
  )
}
