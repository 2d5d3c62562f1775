import { EndingHead } from "./ending-head.tsx"

const words = {
  unknown: ["Oops!", "Página de cobrança não encontrada ou expirada"],
  notOpen: ["Página ainda não aberta", "Esta página de cobrança ainda não está aberta"],
}
const advice = {
  unknown: "Confira o endereço ou peça um novo link a quem enviou a cobrança.",
  notOpen:
    "Quem criou a cobrança precisa confirmar o e-mail da conta. Avise quem enviou o link e tente de novo depois.",
}

/** Works without script: a reload is the only action. */
export function OopsScreen({ why, supportEmail }: { why: keyof typeof words; supportEmail: string }) {
  return (
    <main>
      <EndingHead icon="alert" words={words[why]} />
      <p className="ds mid">{advice[why]}</p>
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
