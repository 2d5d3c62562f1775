import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { useCallback, useEffect, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Button } from "#ui/button.tsx"
import { Card, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { FormAlert } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { adminTexts } from "../admin-texts.ts"
import { NewSettingDialog } from "./new-setting-dialog.tsx"
import { settingsQuery } from "./settings-data.ts"
import { SettingsTable } from "./settings-table.tsx"

export function SettingsPage() {
  const queryClient = useQueryClient()
  const list = useQuery(settingsQuery)
  const [isCreating, setCreating] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const forgetDone = useCallback(() => setDone(null), [])

  async function succeed(message: string): Promise<void> {
    setFailure(null)
    setDone(message)
    await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey })
  }
  const initialize = useMutation({
    mutationFn: () => call(heads.initializeSettings),
    onSuccess: ({ data }) => succeed(adminTexts.settingsInitialized(data.created, data.updated)),
    onError: (error) => setFailure(messageOf(error, adminTexts.settingsNotInitialized)),
  })

  const settings = list.data ?? []
  return (
    <>
      <div className="mb-1 flex flex-wrap items-end justify-between gap-4">
        <div>
          <PageTitle title="Configurações do Sistema" />
          <p className="mt-1 text-t2">O que é salvo aqui vale a partir da próxima requisição.</p>
        </div>
        <div className="flex flex-wrap gap-3 whitespace-nowrap max-sm:w-full max-sm:gap-2 max-sm:*:flex-auto max-sm:*:px-3">
          <Button onClick={() => initialize.mutate()} disabled={initialize.isPending}>
            Inicializar Padrões
          </Button>
          <Button variant="primary" icon="plus" className="max-sm:[&_svg]:hidden" onClick={() => setCreating(true)}>
            Nova Configuração
          </Button>
        </div>
      </div>
      <QueryFailure query={list} failed={adminTexts.settingsFailed} />
      <SuccessNote message={done} onDone={forgetDone} />
      <FormAlert message={failure} />
      <Card className="p-2 pt-4">
        {list.isPending && <RowsSkeleton rows={8} label="Carregando configurações" />}
        {settings.length > 0 && <SettingsTable settings={settings} onSaved={succeed} />}
        {list.isSuccess && settings.length === 0 && (
          <NoSettings onInitialize={() => initialize.mutate()} busy={initialize.isPending} />
        )}
      </Card>
      {isCreating && (
        <NewSettingDialog
          onClose={() => setCreating(false)}
          onCreated={(waits) => {
            setCreating(false)
            void succeed(waits ? adminTexts.waitsForAnother : adminTexts.settingCreated)
          }}
        />
      )}
    </>
  )
}

function NoSettings({ onInitialize, busy }: { onInitialize: () => void; busy: boolean }) {
  return (
    <EmptyState
      icon="gear"
      title={adminTexts.noSettings}
      action={
        <Button variant="primary" onClick={onInitialize} disabled={busy}>
          Inicializar Configurações Padrão
        </Button>
      }
    >
      Enquanto nada é salvo, valem os valores padrão.
    </EmptyState>
  )
}

const shownMs = 3000

/**
 * A success message, for three seconds. The live region is always rendered, so that screen readers announce the change.
 */
function SuccessNote({ message, onDone }: { message: string | null; onDone: () => void }) {
  useEffect(() => {
    if (message === null) return
    const timer = setTimeout(onDone, shownMs)
    return () => clearTimeout(timer)
  }, [message, onDone])

  return (
    <div role="status" className="empty:absolute">
      {message !== null && (
        <p className="flex items-start gap-2.5 rounded-m border border-mint-line bg-mint-bg px-4 py-3 text-label font-medium">
          <Icon name="check" className="mt-px size-[18px] flex-none text-mint" />
          <span className="min-w-0">{message}</span>
        </p>
      )}
    </div>
  )
}
