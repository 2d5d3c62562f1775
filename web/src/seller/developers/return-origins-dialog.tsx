import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { ApiError, messageOf } from "#api/api-error.ts"
import { factorsQuery } from "#seller/profile/security-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { changeReturnOrigins, type Proof, type ReturnOriginsWithKey, rotateReturnKey } from "./developers-data.ts"
import { CurrentPasswordField } from "./secret-parts.tsx"

interface Props {
  onSaved: (changed: ReturnOriginsWithKey) => void
  onClose: () => void
}

const linesOf = (text: string) => text.split(/\s+/).filter((line) => line !== "")

export function OriginsDialog({ origins, ...props }: Props & { origins: readonly string[] }) {
  const [typed, setTyped] = useState(origins.join("\n"))
  return (
    <ProvenDialog
      {...props}
      title="Sites de retorno"
      verb="Salvar sites"
      path="origins"
      send={(proof) => changeReturnOrigins(linesOf(typed), proof)}
    >
      {(error) => (
        <Field
          label="Sites permitidos"
          hint="Um por linha, até 20, só o começo do endereço: https://loja.com.br. Apague uma linha para tirar um site."
          error={error}
        >
          {(control) => (
            <TextArea
              {...control}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              rows={4}
              spellCheck={false}
              autoCapitalize="none"
              placeholder="https://loja.com.br"
              className="font-mono text-[13px]"
            />
          )}
        </Field>
      )}
    </ProvenDialog>
  )
}

export function RotateKeyDialog(props: Props) {
  return (
    <ProvenDialog {...props} title="Trocar a chave de assinatura?" verb="Trocar chave" path="" send={rotateReturnKey}>
      {() => (
        <p className="text-t2">
          A chave de agora deixa de valer na hora: a sua loja recusa os retornos até você colocar a nova no lugar.
        </p>
      )}
    </ProvenDialog>
  )
}

interface ProvenProps extends Props {
  title: string
  verb: string
  /** The field whose problems stand next to the content. */
  path: string
  send: (proof: Proof) => Promise<ReturnOriginsWithKey>
  children: (error: string | undefined) => React.ReactNode
}

interface Problems {
  content?: string | undefined
  password?: string | undefined
  whole?: string | undefined
}

/** The server alone checks the password, in one round trip. Where a step-up is asked, that is the one proof. */
function ProvenDialog({ title, verb, path, send, onSaved, onClose, children }: ProvenProps) {
  const [password, setPassword] = useState("")
  const needsStepUp = useQuery(factorsQuery).data?.stepUpAsked === true
  const { submit, busy, failure } = useSubmit(
    async () => onSaved(await send(needsStepUp ? {} : { passwordCurrent: password })),
    (error) => problemsOf(error, path),
  )

  function save(event: FormEvent): void {
    event.preventDefault()
    void submit()
  }

  return (
    <FormDialog
      title={title}
      verb={busy ? "Salvando..." : verb}
      busy={busy}
      onSubmit={save}
      onClose={onClose}
      className="grid gap-5"
    >
      {children(failure?.content)}
      {!needsStepUp && (
        <CurrentPasswordField
          input={{ value: password, onChange: (event) => setPassword(event.target.value) }}
          error={failure?.password}
        />
      )}
      <FormAlert message={failure?.whole ?? null} />
    </FormDialog>
  )
}

function problemsOf(error: unknown, path: string): Problems {
  const errors = error instanceof ApiError ? error.errors : []
  const messageAt = (name: string) => errors.find((each) => name !== "" && each.path.startsWith(name))?.message
  const [content, password] = [messageAt(path), messageAt("passwordCurrent")]
  if (content !== undefined || password !== undefined) return { content, password }
  return { whole: messageOf(error, sellerTexts.returnOriginsNotSaved) }
}
