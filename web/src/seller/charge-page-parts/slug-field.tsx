import { queryOptions, useQuery } from "@tanstack/react-query"
import { TITLE_MAX } from "@tilinta/contract/charge-pages"
import * as heads from "@tilinta/contract/heads"
import { slugFromTitle } from "@tilinta/contract/vocabulary/charge-pages"
import { call } from "#api/client.ts"
import { controlClass, Field } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { useSettled } from "./financial-summary.tsx"

function slugQuery(slug: string) {
  return queryOptions({
    queryKey: ["seller", "slugs", slug],
    queryFn: async ({ signal }) => (await call(heads.getSlug, { params: { slug }, signal })).data,
    enabled: slug !== "",
    staleTime: 10_000,
  })
}

interface Props {
  value: string
  onChange: (slug: string) => void
  error: string | undefined
  /** The page's own slug, which always counts as free. */
  own?: string | undefined
}

export function SlugField({ value, onChange, error, own }: Props) {
  return (
    <Field label="Slug" error={error} hint={<SlugHint slug={value} own={own} />}>
      {(control) => (
        <div
          className={`${controlClass} flex h-11 items-center has-focus-visible:border-mint has-focus-visible:outline-1 has-focus-visible:outline-mint has-aria-invalid:border-coral`}
        >
          <span aria-hidden="true" className="flex-none pl-3.5 text-t3">
            /checkout/
          </span>
          <input
            {...control}
            value={value}
            onChange={(event) => onChange(slugFromTitle(event.target.value))}
            maxLength={TITLE_MAX}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            className="-my-px h-11 min-w-0 flex-1 bg-transparent pr-3.5 outline-none"
          />
        </div>
      )}
    </Field>
  )
}

function SlugHint({ slug, own }: { slug: string; own: string | undefined }) {
  const settled = useSettled(slug, 350)
  const isOwn = slug === own
  const isChecked = /[a-z0-9]/.test(settled) && !isOwn
  const { data } = useQuery({ ...slugQuery(settled), enabled: isChecked })
  const known = data !== undefined && settled === slug && !isOwn
  return (
    <span role="status" className="flex min-h-[19px] items-center gap-1.5 break-all">
      {slug === "" && "O endereço da página, criado a partir do título."}
      {isOwn && "Endereço atual da página."}
      {known && data.available && (
        <>
          <Icon name="check" className="size-4 stroke-2 text-mint" />
          Disponível
        </>
      )}
      {known && !data.available && `Já está em uso: o link será /checkout/${data.suggestion}`}
    </span>
  )
}
