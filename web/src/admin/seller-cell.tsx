/** The seller of a row, or a placeholder when there is none. */
export function SellerCell({ user }: { user: { name: string; email: string } | null }) {
  return (
    <span className="block w-40">
      <span className="block truncate text-t2">{user?.name ?? "Desconhecido"}</span>
      {user !== null && <span className="block truncate text-meta text-t3">{user.email}</span>}
    </span>
  )
}
