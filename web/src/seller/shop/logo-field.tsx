import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { ShopView } from "@tilinta/contract/shops"
import { logoPath, logoTypes } from "@tilinta/contract/vocabulary/shops"
import { useId, useRef } from "react"
import { messageOf } from "#api/api-error.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { FormAlert } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"
import { LogoProblem, removeLogo, saveLogo } from "./shop-changes.ts"
import { shopQuery } from "./shop-data.ts"

/** Kept at once: what was typed in the form beneath may wait. */
export function LogoField({ logoUrl }: { logoUrl: string | null }) {
  const hintId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { save, remove } = useLogo()
  const isBusy = save.isPending || remove.isPending
  return (
    <div className="grid gap-3">
      <p className="text-label font-semibold text-t2">Logo</p>
      <div className="flex items-center gap-4">
        {logoUrl === null ? (
          <span className="grid size-18 flex-none place-items-center rounded-l border border-dashed border-ctl text-t3">
            <Icon name="shop" className="size-7" />
          </span>
        ) : (
          <img
            src={logoPath(logoUrl)}
            alt="Logo da loja"
            width={72}
            height={72}
            className="size-18 flex-none rounded-l"
          />
        )}
        <div className="flex min-w-0 flex-wrap gap-2">
          <Button aria-describedby={hintId} aria-disabled={isBusy} onClick={() => isBusy || input.current?.click()}>
            {save.isPending ? "Enviando..." : logoUrl === null ? "Escolher logo" : "Trocar logo"}
          </Button>
          {logoUrl !== null && (
            <Button variant="quiet-danger" aria-disabled={isBusy} onClick={() => isBusy || remove.mutate()}>
              Remover logo
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          hidden
          tabIndex={-1}
          aria-label="Arquivo do logo"
          accept={logoTypes.join()}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            // Choosing the same file again is a choice, too.
            target.value = ""
            if (file !== undefined) save.mutate(file)
          }}
        />
      </div>
      <p id={hintId} className="text-meta text-t3">
        PNG, JPEG ou WebP. Fica o quadrado do meio da imagem.
      </p>
      <FormAlert message={save.error === null ? null : problemOf(save.error)} />
    </div>
  )
}

function problemOf(error: Error): string {
  return error instanceof LogoProblem ? error.message : messageOf(error, sellerTexts.logoNotSaved)
}

function useLogo() {
  const queryClient = useQueryClient()
  const show = (logoUrl: string | null) =>
    queryClient.setQueryData<ShopView>(shopQuery.queryKey, (known) => known && { ...known, logoUrl })
  const save = useMutation({
    mutationFn: saveLogo,
    onSuccess: ({ logoUrl }) => {
      show(logoUrl)
      toast.success(sellerTexts.logoSaved)
    },
  })
  const remove = useMutation({
    mutationFn: removeLogo,
    onSuccess: () => {
      show(null)
      save.reset()
      toast.success(sellerTexts.logoRemoved)
    },
    onError: (error) => toast.error(messageOf(error, sellerTexts.logoNotSaved)),
  })
  return { save, remove }
}
