import { Button } from "#ui/button.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { Icon } from "#ui/icon.tsx"
import { sellerTexts } from "../seller-texts.ts"

interface Props {
  failure: string | null
  saved: boolean
  dirty: boolean
  busy: boolean
  onDiscard: () => void
}

/** Stays visible while there is something to save, however long the form is. */
export function SaveBar({ failure, saved, dirty, busy, onDiscard }: Props) {
  const floats = dirty || saved || failure !== null
  return (
    <div
      className={`grid gap-3 rounded-xl border bg-s2 p-3 sm:pl-5 ${floats ? "sticky bottom-3 z-5 border-line-2 shadow-float" : "border-line"}`}
    >
      <FormAlert message={failure} />
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 max-sm:*:flex-1">
        <p
          role="status"
          className="mr-auto flex items-center gap-2 text-label font-semibold empty:absolute max-sm:basis-full max-sm:justify-center"
        >
          {saved && (
            <>
              <Icon name="check" className="size-[18px] stroke-[2.4] text-mint" />
              {sellerTexts.profileSaved}
            </>
          )}
          {!saved && dirty && <span className="font-medium text-t2">Há alterações não salvas.</span>}
        </p>
        {dirty && (
          <Button look="ghost" onClick={onDiscard} disabled={busy}>
            Descartar
          </Button>
        )}
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? "Salvando..." : "Salvar alterações"}
        </Button>
      </div>
    </div>
  )
}
