import { useMutation } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { OwnShopView, UserView } from "@tilinta/contract/users"
import { shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import { useState } from "react"
import { forgetShop } from "#api/acting-shop.ts"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"

/** Renders nothing for who works in no other shop than their own. */
export function TeamsCard({ user }: { user: UserView }) {
  const [leaving, setLeaving] = useState<OwnShopView | null>(null)
  const others = user.shops?.filter(({ _id }) => _id !== user._id) ?? []
  const leave = useMutation({
    mutationFn: (shop: OwnShopView) =>
      call(heads.removeMember, {
        params: { id: shop._id, memberId: user._id },
        headers: { "X-Shop": shop._id },
      }),
    onSuccess: () => {
      forgetShop()
      location.assign("/dashboard")
    },
    onSettled: () => setLeaving(null),
  })
  if (others.length === 0) return null
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-2 p-5">
      <CardHeader title="Equipes em que você trabalha" />
      <ul className="divide-y divide-line">
        {others.map((shop) => (
          <li key={shop._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <span className="min-w-0">
              <span className="block truncate font-[650]">{shop.name}</span>
              <span className="text-meta text-t3">{shopRoleLabels[shop.role]}</span>
            </span>
            <Button variant="quiet-danger" onClick={() => setLeaving(shop)}>
              Sair da equipe
            </Button>
          </li>
        ))}
      </ul>
      <FormAlert
        message={leave.error === null ? null : messageOf(leave.error, "Você não saiu da equipe. Tente de novo.")}
      />
      {leaving !== null && (
        <ConfirmDialog
          title={`Sair da equipe de ${leaving.name}?`}
          verb="Sair da equipe"
          busy={leave.isPending}
          onConfirm={() => leave.mutate(leaving)}
          onClose={() => setLeaving(null)}
        >
          <p>
            O seu acesso à loja termina na hora, e o dono recebe um aviso. Para voltar, você precisa de outro convite.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
