import type { Session } from "./bulk-session.ts"

/** Owns a tenth of everything. */
export const bigSellerEmail = "vendedor1@loja.example"
export const adminEmail = "chefe@bench.example"

const mostSellers = 100_000

/** One seller per ten charges with one page each; the first seller has many pages. */
export async function seedPeople(session: Session, charges: number): Promise<{ sellers: number }> {
  const sellers = Math.min(mostSellers, Math.max(20, Math.round(charges / 10)))
  await session.query(`
    create temp table sellers as
    select n, pg_temp.id_at(joined_at, 'seller', n) as id, joined_at
    from (select n, now() - interval '400 days' + n * interval '30 days' / ${sellers} as joined_at
      from generate_series(1, ${sellers}) n) person;
    create unique index on sellers (n);
    insert into users (id, name, email, email_key, password_hash, cpf, phone, role, active, created_at, updated_at)
    select id, (array['Ana','Bruno','Caio','Dalva','Érica','Fábio','Gilda','Hugo'])[1 + n % 8] || ' '
        || (array['Souza','Lima','Araújo','Conceição','Pereira','Nunes','Teles'])[1 + n % 7] || ' ' || n,
      'vendedor' || n || '@loja.example', 'vendedor' || n || '@loja.example', 'none', lpad(n::text, 11, '0'),
      '11987654321', 'user', n % 50 <> 7, joined_at, joined_at
    from sellers`)
  await session.query(`
    create temp table pages as
    select page.n, pg_temp.id_at(at, 'page', page.n) as id, seller.id as seller_id, at
    from (
      select n, case when n > ${sellers} then 1 else n end as owner,
        now() - interval '368 days' + n * interval '2 days' / ${sellers} as at
      from generate_series(1, ${Math.round(sellers * 1.1)}) n
    ) page join sellers seller on seller.n = page.owner;
    create unique index on pages (n);
    insert into charge_pages (
      id, seller_id, title, description, amount_cents, unique_link, slug, status, allow_anonymous, require_name,
      require_email, require_phone, require_cpf, expires_in_hours, max_payments, created_at, updated_at
    )
    select id, seller_id, (array['Mentoria','Curso','Consulta','Plano'])[1 + n % 4] || ' ' || n, 'Um encontro por semana',
      1000 + n % 50000, 'L' || md5('link' || n), 'pagina-' || n,
      case when n % 10 < 7 then 'active' when n % 10 = 7 then 'completed' when n % 10 = 8 then 'expired' else 'cancelled' end,
      true, false, false, false, false, 0, null, at, at
    from pages;
    insert into charge_page_slugs (slug, page_id) select 'pagina-' || n, id from pages;
    analyze sellers; analyze pages`)
  return { sellers }
}

export async function seedAdmin(session: Session): Promise<void> {
  await session.query(`
    insert into users (id, name, email, email_key, password_hash, role)
    values (pg_temp.id_at(now() - interval '401 days', 'admin', 1), 'Chefe', '${adminEmail}', '${adminEmail}', 'none', 'admin')`)
}
