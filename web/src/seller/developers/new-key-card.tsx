import type { CreatedApiKey } from "./api-keys-data.ts"
import { ShownOnceCard } from "./shown-once-card.tsx"

const copyTexts = {
  label: "Copiar chave",
  done: "Chave copiada",
  failed: "Não foi possível copiar: selecione a chave e copie",
}

export function NewKeyCard({ created: { key, apiKey }, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  return (
    <ShownOnceCard
      title={`Chave criada: ${apiKey.name}`}
      value={key}
      copyTexts={copyTexts}
      keptLabel="Já guardei a chave"
      onClose={onClose}
    >
      <p className="text-t2">
        {key === null
          ? "A chave foi criada, mas a resposta se perdeu e ela não pode mais ser mostrada. Revogue esta chave e crie outra."
          : "Copie a chave agora e guarde em um lugar seguro: ela não aparece de novo. Quem tiver a chave age em nome da sua conta."}
      </p>
    </ShownOnceCard>
  )
}
