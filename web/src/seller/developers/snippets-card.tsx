import { type ApiKeyScope, apiKeyScopeLabels } from "@tilinta/contract/vocabulary/api"
import { useState } from "react"
import { Card, CardHeader } from "#ui/card.tsx"
import { CodeBlock } from "#ui/copy-button.tsx"
import { Segments } from "#ui/segments.tsx"
import type { CreatedApiKey } from "./developers-data.ts"
import { curlSnippets, typeScriptSnippets } from "./snippets.ts"

const languages = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
] as const
type Language = (typeof languages)[number]["value"]

const neededScopes: readonly ApiKeyScope[] = ["pages:write", "events:read"]

/** The first sale by a program. A new key is in the text only as long as its card is open. */
export function SnippetsCard({ created }: { created: CreatedApiKey | null }) {
  const [language, setLanguage] = useState<Language>("curl")
  const place = { url: window.location.origin, key: created?.key ?? null }
  return (
    <Card className="p-5" aria-labelledby="snippets">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <CardHeader id="snippets" title="Primeiros passos" />
        <Segments label="Linguagem dos exemplos" options={languages} value={language} onChange={setLanguage} />
      </div>
      <p className="mt-2 text-label text-t3">{keyNote(created)}</p>
      <ol className="mt-4 grid gap-5">
        {language === "curl" ? (
          <>
            <Step number={1} title="Prepare o terminal" text={curlSnippets.prepare(place)} />
            <Step number={2} title="Crie uma cobrança" text={curlSnippets.charge}>
              A resposta traz o <code>pixCode</code>, a imagem do QR Code e o link do checkout. Em uma instalação de
              testes, pague o código em <code>/simulador</code>.
            </Step>
            <Step number={3} title="Veja os eventos" text={curlSnippets.events}>
              Com <code>after</code> e <code>wait</code> a chamada espera pelo próximo.
            </Step>
          </>
        ) : (
          <>
            <Step number={1} title="Prepare o terminal" text={typeScriptSnippets.prepare(place)} />
            <Step number={2} title="Salve como loja.ts" text={typeScriptSnippets.program}>
              Cria uma cobrança e espera pelo pagamento. Em uma instalação de testes, pague o código em{" "}
              <code>/simulador</code>.
            </Step>
            <Step number={3} title="Rode" text={typeScriptSnippets.run}>
              Com <code>node</code> anterior ao 22.18, salve como <code>loja.mjs</code>.
            </Step>
          </>
        )}
      </ol>
    </Card>
  )
}

function keyNote(created: CreatedApiKey | null): string {
  if (created === null || created.key === null) {
    return `Troque tk_SUA_CHAVE por uma chave que permite ${inWords(neededScopes)}.`
  }
  const missing = neededScopes.filter((scope) => !created.apiKey.scopes.includes(scope))
  return missing.length === 0
    ? "A chave que você acabou de criar já está nos exemplos."
    : `A chave que você acabou de criar está nos exemplos, mas não permite ${inWords(missing)}.`
}

/** The labels' first parts: what follows a colon only explains them. */
function inWords(scopes: readonly ApiKeyScope[]): string {
  return scopes.map((scope) => `“${apiKeyScopeLabels[scope].split(":")[0]}”`).join(" e ")
}

interface StepProps {
  number: number
  title: string
  text: string
  children?: React.ReactNode
}

function Step({ number, title, text, children }: StepProps) {
  return (
    <li className="grid min-w-0 gap-2">
      <CodeBlock
        label={`${number}. ${title}`}
        text={text}
        copied={text}
        copyLabel={`Copiar o passo ${number}`}
        variant="program"
      />
      {children !== undefined && <p className="text-meta text-t3">{children}</p>}
    </li>
  )
}
