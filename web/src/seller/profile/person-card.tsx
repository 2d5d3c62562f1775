import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { formatDay } from "#format/date.ts"
import { Card } from "#ui/card.tsx"

const roleLabels = { user: "Usuário", admin: "Administrador" } as const satisfies Record<UserView["role"], string>

export function PersonCard({ user }: { user: UserView }) {
  return (
    <Card aria-label="Conta" className="flex min-w-0 flex-col gap-4 p-5">
      <div className="min-w-0">
        <p className="text-section font-[650] break-words">{user.name}</p>
        <p className="text-label break-words text-t2">{user.email}</p>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-4 text-label">
        <Fact term="Perfil" value={roleLabels[user.role]} />
        <Fact term="Conta criada em" value={formatDay(user.createdAt)} />
      </dl>
    </Card>
  )
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="text-meta text-t3">{term}</dt>
      <dd className="font-semibold tabular-nums">{value}</dd>
    </div>
  )
}
