import { useMutation } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Button } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"

/** Stands above every screen until the owner used the link that was mailed. */
export function EmailNotice({ email }: { email: string }) {
  const ask = useMutation({
    mutationFn: () => call(heads.resendEmailConfirmation),
    onSuccess: ({ message }) => toast.success(message, "Ele vale por 24 horas."),
    onError: (error) => toast.error(messageOf(error, "Erro ao enviar o e-mail de confirmação"), detailOf(error)),
  })
  return (
    <section
      aria-label="Confirmação de e-mail"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-m border border-line-2 bg-amber-bg px-4 py-3"
    >
      <Icon name="alert" className="size-5 flex-none text-amber" />
      <p className="min-w-0 flex-1 basis-64 text-label">
        <b>Confirme o seu e-mail.</b> Suas páginas só abrem aos pagadores depois que você usar o link que enviamos para{" "}
        <span className="break-words">{email}</span>.
      </p>
      <Button disabled={ask.isPending} onClick={() => ask.mutate()}>
        {ask.isPending ? "Enviando..." : "Enviar outro link"}
      </Button>
    </section>
  )
}
