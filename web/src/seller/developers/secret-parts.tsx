import { type ComponentPropsWithRef, type ReactNode, useEffect, useId, useRef } from "react"
import type { FieldValues, Path, UseFormReturn } from "react-hook-form"
import { ApiError, messageOf } from "#api/api-error.ts"
import { safeRetryHint } from "#seller/seller-data.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Field, PasswordInput } from "#ui/field.tsx"
import type { CreatedApiKey, WebhookSecret } from "./developers-data.ts"

/** Confirms that it is the account's owner who gives programs access. */
export function CurrentPasswordField({
  input,
  error,
}: {
  input: ComponentPropsWithRef<"input">
  error: string | undefined
}) {
  return (
    <Field label="Senha atual" hint="A senha da sua conta, para confirmar que é você." error={error}>
      {(control) => <PasswordInput {...control} {...input} autoComplete="current-password" aria-required />}
    </Field>
  )
}

/** Shows what the server refused at its fields, and returns the text for a failure that is about none. */
export function showRefusal<T extends FieldValues>(
  form: UseFormReturn<T>,
  error: unknown,
  failed: string,
): string | null {
  const problems = error instanceof ApiError ? error.errors : []
  for (const { path, message } of problems) form.setError(path as Path<T>, { message })
  if (problems[0] === undefined) return [messageOf(error, failed), safeRetryHint(error)].filter(Boolean).join(" ")
  form.setFocus(problems[0].path as Path<T>)
  return null
}

interface Props {
  title: string
  /** Null when the answer that carried it was lost. */
  value: string | null
  /** Explains the value, or what to do without it. */
  children: ReactNode
  copyTexts: { label: string; done: string; failed: string }
  keptLabel: string
  onClose: () => void
}

/**
 * A value that is never shown again. The card stays on the page until it is put away, because a click next to a dialog would
 * lose the value, and takes the focus, because its place may be out of sight.
 */
function ShownOnceCard({ title, value, children, copyTexts, keptLabel, onClose }: Props) {
  const card = useRef<HTMLElement>(null)
  const titleId = useId()
  useEffect(() => card.current?.focus(), [])
  return (
    <Card
      ref={card}
      tabIndex={-1}
      className="grid scroll-my-20 gap-3 p-5 outline-none"
      aria-labelledby={titleId}
      role="status"
    >
      <CardHeader id={titleId} title={title} />
      {children}
      {value !== null && (
        <code className="rounded-m border border-line-2 bg-bg px-3.5 py-3 font-mono text-[13px] break-all">
          {value}
        </code>
      )}
      <div className="flex flex-wrap gap-3">
        {value !== null && <CopyButton text={value} {...copyTexts} variant="primary" className="max-sm:w-full" />}
        <Button className="max-sm:w-full" onClick={onClose}>
          {value === null ? "Entendi" : keptLabel}
        </Button>
      </div>
    </Card>
  )
}

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

const copyTextsNewSecretCard = {
  label: "Copiar segredo",
  done: "Segredo copiado",
  failed: "Não foi possível copiar: selecione o segredo e copie",
}

export function NewSecretCard({ shown: { secret, webhook }, onClose }: { shown: WebhookSecret; onClose: () => void }) {
  return (
    <ShownOnceCard
      title="Segredo do webhook"
      value={secret}
      copyTexts={copyTextsNewSecretCard}
      keptLabel="Já guardei o segredo"
      onClose={onClose}
    >
      <p className="font-mono text-[13px] break-all text-t2">{webhook.url}</p>
      <p className="text-t2">
        {secret === null
          ? "O pedido foi atendido, mas a resposta se perdeu e o segredo não pode mais ser mostrado. Troque o segredo deste webhook."
          : "Copie o segredo agora: ele não aparece de novo. Com ele, o seu programa confere que um evento veio mesmo daqui."}
      </p>
    </ShownOnceCard>
  )
}

export function NewSigningKeyCard({ value, onClose }: { value: string | null; onClose: () => void }) {
  return (
    <ShownOnceCard
      title="Chave de assinatura do retorno"
      value={value}
      copyTexts={copyTexts}
      keptLabel="Já guardei a chave"
      onClose={onClose}
    >
      <p className="text-t2">
        {value === null
          ? "A chave foi trocada, mas a resposta se perdeu e ela não pode mais ser mostrada. Troque de novo."
          : "Copie a chave agora e coloque na sua loja: ela não aparece de novo."}
      </p>
    </ShownOnceCard>
  )
}
