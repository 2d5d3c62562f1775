import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import type { ShopView } from "@tilinta/contract/shops"
import { ownerAlone } from "@tilinta/contract/vocabulary/team"
import type { ReactNode } from "react"
import { FormProvider, type UseFormReturn, useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { renewUser } from "#api/session.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { UnsavedChanges } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { Only } from "#ui/only.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { LogoField } from "./logo-field.tsx"
import { type ShopForm, saveShop, shopFormOf, shopSchema } from "./shop-changes.ts"
import { shopQuery } from "./shop-data.ts"
import { ClosedTextField, ColorField, ShopField } from "./shop-fields.tsx"

interface Props {
  shop: ShopView
  className: string
  /** Shows the form as it is being typed. */
  preview: (typed: ShopForm) => ReactNode
}

export function ShopEditor({ shop, className, preview }: Props) {
  const form = useForm({ resolver: zodResolver(shopSchema), defaultValues: shopFormOf(shop) })
  const { isDirty, isSubmitting } = form.formState
  const { submit, failure } = useSave(form)
  return (
    <FormProvider {...form}>
      <form
        noValidate
        aria-label="Minha loja"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        className={`grid gap-4 [&_:is(input,textarea)]:scroll-mt-24 ${className}`}
      >
        <ShopCard title="A loja">
          <ShopField
            name="name"
            label="Nome da loja"
            hint="Fica no lugar do seu nome. Sem ele, quem paga continua a ver o seu."
            autoComplete="organization"
          />
          <Only roles={ownerAlone}>
            <ShopField
              name="document"
              label="CPF ou CNPJ"
              hint="O seu CPF ou o CNPJ da loja. Aparece na cobrança e no comprovante."
            />
          </Only>
          <LogoField logoUrl={shop.logoUrl} />
          <ColorField />
        </ShopCard>
        <ShopCard title="Contato">
          <p className="-mt-3 text-label text-t3">Quem paga fala com você pelo WhatsApp ou, sem ele, por e-mail.</p>
          <ShopField
            name="whatsapp"
            label="WhatsApp"
            type="tel"
            placeholder="(00) 00000-0000"
            autoComplete="tel-national"
          />
          <ShopField name="email" label="E-mail" type="email" autoComplete="email" />
        </ShopCard>
        <ShopCard title="Cobranças encerradas">
          <ClosedTextField />
        </ShopCard>
        <FormAlert message={failure} />
        <Button variant="primary" type="submit" disabled={isSubmitting} className="sm:justify-self-end">
          {isSubmitting ? "Salvando..." : "Salvar alterações"}
        </Button>
      </form>
      {preview(form.watch())}
      <UnsavedChanges when={isDirty && !isSubmitting} />
    </FormProvider>
  )
}

function ShopCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="grid gap-5 p-5 md:p-6">
      <CardHeader title={title} />
      {children}
    </Card>
  )
}

function useSave(form: UseFormReturn<ShopForm>) {
  const queryClient = useQueryClient()

  async function save(body: ShopForm): Promise<void> {
    const changed = Object.keys(form.formState.dirtyFields)
    const stored = await saveShop(body, changed)
    queryClient.setQueryData(shopQuery.queryKey, stored)
    form.reset(shopFormOf(stored))
    toast.success(sellerTexts.shopSaved)
    // The top bar and the counter show its name.
    if (changed.includes("name")) void renewUser().catch(() => undefined)
  }

  function failureOf(error: unknown): string {
    toast.error(sellerTexts.shopNotSaved, detailOf(error))
    return messageOf(error, sellerTexts.shopNotSaved)
  }

  return useSubmit(save, failureOf, (path, message) =>
    form.setError(path as keyof ShopForm, { message }, { shouldFocus: true }),
  )
}
