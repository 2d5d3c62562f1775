import { useState } from "react"
import { Button, buttonClass } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { productName } from "#ui/page-title.tsx"
import { sentenceLinkClass } from "../auth-parts.tsx"

interface LegalText {
  title: string
  path: string
  paragraphs: readonly { heading: string; text: string }[]
}

const texts = {
  terms: {
    title: "Termos de Serviço",
    path: "/termos",
    paragraphs: [
      {
        heading: "O serviço",
        text: `O ${productName} permite criar páginas de cobrança, receber pagamentos por Pix e acompanhar saldo e transações.`,
      },
      {
        heading: "Sua conta",
        text: "Você responde pelos dados que informa e pelo sigilo da sua senha. Uma conta usada para fraude ou atividade ilícita pode ser desativada.",
      },
      {
        heading: "Taxas",
        text: "De cada pagamento recebido é descontada a taxa da plataforma, mostrada antes de você criar a cobrança. Uma mudança de taxa nunca altera cobranças já geradas.",
      },
      {
        heading: "Estornos e cancelamentos",
        text: "Você pode cancelar uma cobrança ativa a qualquer momento. Pagamentos já confirmados continuam no seu histórico.",
      },
    ],
  },
  privacy: {
    title: "Política de Privacidade",
    path: "/privacidade",
    paragraphs: [
      {
        heading: "O que guardamos",
        text: "Os dados do seu cadastro, as suas cobranças e as transações delas, e os dados do pagador que a sua página pedir.",
      },
      {
        heading: "Para quê",
        text: "Somente para prestar o serviço, cumprir obrigações legais e prevenir fraudes. Não vendemos dados a ninguém.",
      },
      {
        heading: "Seus direitos",
        text: "Pela Lei Geral de Proteção de Dados você pode pedir acesso, correção ou exclusão dos seus dados, respeitados os prazos legais de guarda.",
      },
    ],
  },
} as const satisfies Record<string, LegalText>

export function LegalNote() {
  const [open, setOpen] = useState<keyof typeof texts | null>(null)
  return (
    <>
      <p className="mt-6 border-t border-line pt-5 text-center text-meta text-t3">
        Ao se cadastrar, você concorda com os{" "}
        <button type="button" onClick={() => setOpen("terms")} className={sentenceLinkClass}>
          Termos de Serviço
        </button>{" "}
        e a{" "}
        <button type="button" onClick={() => setOpen("privacy")} className={sentenceLinkClass}>
          Política de Privacidade
        </button>
        .
      </p>
      {open !== null && <LegalDialog text={texts[open]} onClose={() => setOpen(null)} />}
    </>
  )
}

function LegalDialog({ text, onClose }: { text: LegalText; onClose: () => void }) {
  return (
    <Dialog
      title={text.title}
      onClose={onClose}
      footer={
        <>
          <a href={text.path} target="_blank" rel="noreferrer" className={buttonClass("ghost")}>
            Ler o texto completo
          </a>
          <Button onClick={onClose}>Entendi</Button>
        </>
      }
    >
      <div className="grid gap-4 text-left text-body text-t2">
        <p>Em resumo; o que vale é o texto completo.</p>
        {text.paragraphs.map((paragraph) => (
          <div key={paragraph.heading}>
            <h3 className="font-[650] text-t1">{paragraph.heading}</h3>
            <p>{paragraph.text}</p>
          </div>
        ))}
      </div>
    </Dialog>
  )
}
