import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Button } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"

const legalQuery = queryOptions({
  queryKey: ["seller", "legal-texts"],
  queryFn: async ({ signal }) => (await call(heads.listMyLegalTexts, { signal })).data.legalTexts,
  staleTime: 5 * 60_000,
})

/** Stands above every screen until the seller has accepted the versions in force. Nothing else waits for it. */
export function LegalNotice() {
  const queryClient = useQueryClient()
  const texts = useQuery(legalQuery)
  const waiting = texts.data?.filter(({ acceptedAt }) => acceptedAt === null) ?? []
  const agree = useMutation({
    mutationFn: () =>
      call(heads.acceptLegalTexts, { body: { versions: waiting.map(({ kind, version }) => ({ kind, version })) } }),
    onSuccess: ({ data }) => queryClient.setQueryData(legalQuery.queryKey, data.legalTexts),
    onError: (error) => {
      toast.error(messageOf(error, "Não foi possível registrar o aceite"), detailOf(error))
      return queryClient.invalidateQueries({ queryKey: legalQuery.queryKey })
    },
  })
  if (waiting.length === 0) return null

  return (
    <section
      aria-label="Termos e privacidade"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-m border border-line-2 bg-s2 px-4 py-3"
    >
      <Icon name="info" className="size-5 flex-none text-mint" />
      <p className="min-w-0 flex-1 basis-64 text-label">
        <b>Há um texto novo para você aceitar.</b> Leia{" "}
        {waiting.map(({ kind, title, path, version }, at) => (
          <span key={kind}>
            {at > 0 && " e "}
            <a href={path} target="_blank" rel="noreferrer" className="underline underline-offset-4">
              {title} (versão {version})
            </a>
          </span>
        ))}
        . Suas vendas continuam enquanto isso.
      </p>
      <Button disabled={agree.isPending} onClick={() => agree.mutate()}>
        {agree.isPending ? "Aceitando..." : "Aceitar"}
      </Button>
    </section>
  )
}
