import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { ReminderSettingsView } from "@tilinta/contract/reminders"
import {
  defaultReminderTexts,
  problemOfReminderText,
  REMINDER_TEXT_MAX,
  type ReminderStep,
  reminderStepLabels,
  reminderSteps,
  reminderVariableLabels,
} from "@tilinta/contract/vocabulary/reminders"
import { type ReactNode, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { Switch, SwitchControl } from "#ui/switch.tsx"
import { TextDialog } from "#ui/text-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { changeSettings, reminderTexts, settingsQuery, useSettingsChange } from "./reminders-data.ts"

export function ReminderSteps() {
  // No refetch on focus: a switch must not jump back while it is being saved.
  const query = useQuery({ ...settingsQuery, refetchOnWindowFocus: false })
  const settings = query.data
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <CardHeader title="Régua de cobrança" />
      <QueryFailure query={query} failed={reminderTexts.failed} />
      {query.isPending && <RowsSkeleton rows={6} label="Carregando régua de cobrança" />}
      {settings !== undefined && <Steps settings={settings} />}
    </Card>
  )
}

function Steps({ settings }: { settings: ReminderSettingsView }) {
  const { enabled, steps } = settings
  const change = useSettingsChange()
  const [edited, setEdited] = useState<ReminderStep | null>(null)
  return (
    <>
      {enabled ? (
        <Switch
          label="Lembrar por e-mail"
          hint="Das 8h às 20h, no máximo um e-mail por cliente e dia."
          checked
          disabled={change.isPending}
          onChange={() => change.mutate({ enabled: false })}
        />
      ) : (
        <FirstYes>
          <Button variant="primary" disabled={change.isPending} onClick={() => change.mutate({ enabled: true })}>
            Ligar os lembretes
          </Button>
        </FirstYes>
      )}
      <ul className="divide-y divide-line border-t border-line">
        {reminderSteps.map((step) => (
          <li key={step} className="flex items-start justify-between gap-4 py-3">
            <div className="min-w-0">
              <p id={`step-${step}`} className="font-semibold">
                {reminderStepLabels[step]}
              </p>
              <p className="mt-0.5 text-label break-words whitespace-pre-line text-t2">{steps[step].text}</p>
              <Button
                variant="ghost"
                className="-ml-3.5"
                aria-label={`Mudar texto: ${reminderStepLabels[step]}`}
                onClick={() => setEdited(step)}
              >
                Mudar texto
              </Button>
            </div>
            <label className="flex min-h-11 cursor-pointer items-center">
              <SwitchControl
                aria-labelledby={`step-${step}`}
                checked={steps[step].enabled}
                disabled={change.isPending}
                onChange={({ target }) => change.mutate({ steps: { [step]: { enabled: target.checked } } })}
              />
            </label>
          </li>
        ))}
      </ul>
      {edited !== null && <StepText step={edited} text={steps[edited].text} onClose={() => setEdited(null)} />}
    </>
  )
}

function FirstYes({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-3 rounded-l border border-line-2 bg-s2 p-4 text-t2">
      <p>
        Nada vai sozinho até você ligar. Ligados, os lembretes abaixo vão por e-mail a quem tem uma cobrança em aberto,
        com o valor do dia, das 8h às 20h, no máximo um por cliente e dia.
      </p>
      <p>Quem pagar para de receber na hora, e cada e-mail tem um link para não receber mais.</p>
      <div>{children}</div>
    </div>
  )
}

const variables = Object.entries(reminderVariableLabels).map(([word, what]) => `{${word}}: ${what}`)

/** An empty text brings ours back. */
function StepText({ step, text, onClose }: { step: ReminderStep; text: string; onClose: () => void }) {
  const queryClient = useQueryClient()

  async function save(typed: string): Promise<void> {
    const problem = problemOfReminderText(typed)
    if (problem !== null) throw new TextProblem(problem)
    const isOurs = typed === defaultReminderTexts[step]
    const changed = await changeSettings({ steps: { [step]: { text: isOurs ? null : typed } } })
    queryClient.setQueryData(settingsQuery.queryKey, changed)
    toast.success(reminderTexts.saved)
  }

  return (
    <TextDialog
      title={reminderStepLabels[step]}
      label="Texto do lembrete"
      hint={variables.join(" · ")}
      text={text}
      maxLength={REMINDER_TEXT_MAX}
      verb="Salvar texto"
      busyVerb="Salvando..."
      onSend={save}
      failureOf={(error) => (error instanceof TextProblem ? error.message : messageOf(error, reminderTexts.notSaved))}
      onClose={onClose}
    >
      <p>O e-mail já saúda o cliente pelo nome e tem o botão para pagar. Deixe vazio para voltar ao nosso texto.</p>
    </TextDialog>
  )
}

class TextProblem extends Error {}
