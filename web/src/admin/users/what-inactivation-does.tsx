import type { UserView } from "@tilinta/contract/api/users-endpoints"

export function WhatInactivationDoes({ user }: { user: UserView }) {
  return (
    <>
      <p>
        <b className="font-semibold text-t1">{user.name}</b> ({user.email}) sai na hora de todos os aparelhos e não
        entra mais.
      </p>
      <p>
        As páginas de cobrança param e os Pix em aberto são removidos. O dinheiro que já está a caminho ainda é
        creditado, e a conta pode ser ativada de novo.
      </p>
    </>
  )
}
