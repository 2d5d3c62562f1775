/** Whose a row is, where that may be nobody we know. */
export function SellerCell({ user }: { user: { name: string; email: string } | null }) {
  return (
    <span className="block w-40">
      <span className="block truncate text-t2">{user?.name ?? "Desconhecido"}</span>
      {user !== null && <span className="block truncate text-meta text-t3">{user.email}</span>}
    </span>
  )
}
