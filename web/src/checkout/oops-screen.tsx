import { EndingHead } from "./ending-head.tsx"

const words = {
  unknown: ["Oops!", "Página de cobrança não encontrada ou expirada"],
  charge_page_not_open: ["Página ainda não aberta", "Esta página de cobrança ainda não está aberta"],
  charge_page_suspended: ["Página suspensa", "Esta página de cobrança não aceita pagamentos"],
}
const advice = {
  unknown: "Confira o endereço ou peça um novo link a quem enviou a cobrança.",
  charge_page_not_open:
    "Quem criou a cobrança precisa confirmar o e-mail da conta. Avise quem enviou o link e tente de novo depois.",
  charge_page_suspended:
    "Ela foi denunciada e está suspensa. Não pague por outro meio. Se você já pagou e desconfia de golpe, fale com o seu banco.",
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
