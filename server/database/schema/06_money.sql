-- Payments, refunds, disputes, payments to be checked, withdrawals: one subject, the fate of money.

create table payments (
  end_to_end_id text collate "C" constraint payments_by_end_to_end_id primary key,
  provider text not null,
  txid text collate "C",
  charge_id uuid,
  seller_id uuid,
  amount_cents bigint not null constraint payments_amount_is_positive check (amount_cents > 0),
  paid_at timestamptz not null,
  received_at timestamptz not null default now(),
  xid xid8 not null default pg_current_xact_id(),
  fee_cents bigint not null default 0,
  page_id uuid,
  completed_page_id uuid,
  charge_day date,
  status_before text,
  disposition text not null constraint payments_disposition_is_known check (disposition in ('credited', 'suspense')),
  reason text constraint payments_reason_is_known check (
    reason in ('unknown_txid', 'wrong_amount', 'charge_already_paid')
  ),
  constraint payments_in_suspense_have_reason check ((disposition = 'suspense') = (reason is not null)),
  constraint payments_credited_have_charge check (
    disposition = 'suspense' or (charge_id is not null and seller_id is not null)
  ),
  constraint payments_fee_within_amount check (fee_cents between 0 and amount_cents),
  constraint payments_in_suspense_have_no_fee check (disposition = 'credited' or fee_cents = 0),
  constraint payments_to_fold_are_credited check (
    charge_day is not null and disposition = 'credited'
    or page_id is null and completed_page_id is null and status_before is null and charge_day is null
  )
);
create index payments_in_suspense_by_charge on payments (charge_id) where disposition = 'suspense' and charge_id is not null;
create index payments_by_xid on payments (xid);
create index payments_by_seller on payments (seller_id, xid) where charge_day is not null;
create index payments_in_suspense on payments (received_at, end_to_end_id) where disposition = 'suspense';
create index payments_by_time on payments using brin (paid_at) with (pages_per_range = 32, autosummarize = on);

comment on table payments is
  'Money that reached a provider, once per endToEndId however often the provider tells of it. The row is its ledger '
  'entry too: ledger_postings derives the postings from it.';
comment on column payments.txid is 'As the bank sent it; null where the payer used our key without a charge.';
comment on column payments.charge_id is
  'The charge that it names, also where that could not be credited. Checked by apply_payments(): a credited one is the '
  'charges.end_to_end_id of it.';
comment on column payments.received_at is 'When we booked it.';
comment on column payments.fee_cents is 'The fee of its charge; 0 while nobody is credited.';
comment on column payments.page_id is
  'The page whose payments_count it raises when it is folded; null where the booking counted it at once.';
comment on column payments.completed_page_id is 'The page that it completed, for the event of that.';
comment on column payments.charge_day is
  'São Paulo''s day of its charge, for the totals that it is folded into; null of a payment that changed no charge.';
comment on column payments.status_before is 'The status of its charge until it was paid; null while it was being created.';
comment on column payments.reason is 'The reason why no seller was credited.';
comment on column payments.xid is
  'The transaction that booked it, which gives the payments an order that can be read on: see number_events().';
comment on index payments_by_time is
  'Payments come in the order of their time, so a summary per range of blocks finds a day.';

create function apply_payments() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
begin
  -- With count_page_at_once(): no page begins to be counted at once between this look and the commit.
  perform pg_advisory_xact_lock_shared(1953066089, 5);
  if exists (
    select from charge_pages
    where id = any (array(select page_id from new_payments where page_id is not null)) and counted_at_once
  ) then
    raise exception 'a page began to be counted at once while it was paid' using errcode = 'serialization_failure';
  end if;

  if exists (
    select from new_payments payment
    left join lateral (
      select * from charges where charges.id = any (array[payment.charge_id]) offset 0
    ) charge on true
    where payment.charge_id is not null and charge.id is null
      or payment.disposition = 'credited' and (payment.seller_id, payment.amount_cents, payment.fee_cents)
        is distinct from (charge.seller_id, charge.amount_cents, charge.fee_cents)
      -- The payment of a charge never changes (charges_stay_paid), so a charge is credited once.
      or payment.disposition = 'credited'
        and (charge.paid_at is null or charge.end_to_end_id is distinct from payment.end_to_end_id)
      or payment.page_id <> charge.page_id
      or payment.completed_page_id <> charge.page_id
      or payment.charge_day <> sao_paulo_day(charge.created_at)
  ) then
    raise exception 'a payment names no charge of ours, or another seller, amount or fee than its charge, or another page or day, or another one paid the charge'
      using errcode = 'foreign_key_violation';
  end if;

  perform move_balances(array_agg(moved.id), array_agg(moved.change), array_agg(0::bigint))
  from (
    select 'seller-available:' || seller_id as id, sum(amount_cents - fee_cents)::bigint as change
    from new_payments where disposition = 'credited' group by seller_id
    union all
    select 'fee-revenue', sum(fee_cents)::bigint from new_payments having sum(fee_cents) > 0
    union all
    select 'psp-clearing:' || provider, -sum(amount_cents)::bigint from new_payments group by provider
    union all
    select 'suspense:' || provider, sum(amount_cents)::bigint
    from new_payments where disposition = 'suspense' group by provider
  ) moved
  having count(*) > 0;
  return null;
end
$$;
comment on function apply_payments() is
  'Refuses a payment that says otherwise than its charge, in place of a foreign key that would check row by row, and moves '
  'the balances as the lines of ledger_postings say: bookings write by the hundred, and this is once per statement. A page '
  'that is counted at once was counted by whoever books.';

create trigger payments_move_balances after insert on payments
referencing new table as new_payments for each statement execute function apply_payments();
comment on trigger payments_move_balances on payments is
  'With journal_moves_balances the only way a balance moves (ADR 4).';

create type decided_payment as (
  end_to_end_id text,
  provider text,
  txid text,
  amount_cents bigint,
  paid_at timestamptz,
  charge_id uuid,
  seller_id uuid,
  fee_cents bigint,
  charge_day date,
  charge_status text,
  reason text,
  is_late boolean,
  page_id uuid,
  counted_at_once boolean,
  page_status text,
  payments_count integer,
  max_payments integer,
  is_duplicate boolean,
  completes_page boolean,
  is_invoice boolean,
  is_unlisted boolean
);
comment on type decided_payment is 'A payment as book_payments() decided about it, and the state of its charge and page then.';

create function book_payments(
  ids text[], providers text[], txids text[], amounts bigint[], moments timestamptz[], booked_at timestamptz,
  answered_by timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  attempt integer := 1;
  decided decided_payment[];
  credited integer;
  counted_pages integer;
  completed_pages uuid[];
  to_check integer;
  ended uuid[];
  found_pages integer;
  changed integer;
  notices text[];
begin
  loop
    begin
      -- A page that others are paying at this moment is waited for, so that this attempt finds it unchanged.
      if attempt > 1 then
        perform from charge_pages
        where id = any (array(select page_id from charges where txid = any (txids))) and counted_at_once
        order by id::text for update;
      end if;

      -- The rule, decided without a lock: what is written below has to find everything as it was here.
      with given as materialized (
        select payment.*
        from unnest(ids, providers, txids, amounts, moments) with ordinality
          payment (end_to_end_id, provider, txid, amount_cents, paid_at, place)
        where not exists (select from payments booked where booked.end_to_end_id = any (array[payment.end_to_end_id]))
      ), named as materialized (
        -- A bank's clock may be behind: nobody pays a charge before it is there.
        select given.end_to_end_id, given.provider, given.txid, given.amount_cents,
          greatest(given.paid_at, charge.created_at) as paid_at, given.place, charge.id as charge_id, charge.seller_id, charge.fee_cents, charge.created_at,
          charge.status as charge_status, charge.page_id, page.is_invoice, page.is_unlisted, page.counted_at_once, page.status as page_status,
          page.payments_count, page.max_payments,
          case
            when charge.id is null then 'unknown_txid'
            when charge.paid_at is not null then 'charge_already_paid'
            when charge.provider <> given.provider then 'unknown_txid'
            when charge.amount_cents <> given.amount_cents then 'wrong_amount'
          end as own_reason,
          -- Late money is real money. A payment made in time but reported late is not late. Nor is that of yesterday's
          -- code of an invoice which is still to be paid; a debit that was cancelled is.
          charge.closed_as is not null and (charge.closed_as <> 'expired' or given.paid_at > charge.expires_at)
            and not (page.is_invoice and page.status = 'active' and given.txid not like 'd0%') as is_late,
          -- Those that wait for the fold are from before the page was counted at once.
          case when page.max_payments is not null then
            page.payments_count + case
              when page.folded_below > (select below from folded_payments where is_only)
              then coalesce((
                select waiting.count from page_payments waiting
                where waiting.seller_id = page.seller_id and waiting.page_id = page.id
              ), 0)
              else 0
            end
          end as page_took
        from given
        left join charges charge on charge.txid = any (array[given.txid])
        left join charge_pages page on page.id = any (array[charge.page_id])
      ), first_of_charge as (
        -- A charge takes the first payment that fits it.
        select *, case
            when place > min(place) filter (where own_reason is null) over (partition by charge_id)
            then 'charge_already_paid' else own_reason
          end as reason
        from named
      ), of_page as (
        select *, page_took + count(*) filter (where reason is null) over (partition by page_id order by place) as page_takes
        from first_of_charge
      )
      select
        array_agg(
          row(
            end_to_end_id, provider, txid, amount_cents, paid_at, charge_id, seller_id,
            case when reason is null then fee_cents else 0 end, sao_paulo_day(created_at), charge_status, reason, is_late,
            page_id, counted_at_once, page_status, payments_count, max_payments,
            -- The page had all its payments before this one.
            page_takes > max_payments,
            page_status = 'active' and page_takes = greatest(max_payments, page_took + 1),
            is_invoice, is_unlisted
          )::decided_payment
          order by end_to_end_id
        ),
        count(*) filter (where reason is null), count(*) filter (where reason is not null or is_late or page_takes > max_payments)
      into decided, credited, to_check
      from of_page;
      if decided is null then return; end if;

      -- Pages before charges, charges before payments, each in the order of ids, like every writer. A completed page takes
      -- no more charges from here on: creations hold its row until their commit.
      counted_pages := (
        select count(distinct page_id) from unnest(decided) payment where reason is null and counted_at_once
      );
      completed_pages := '{}';
      ended := '{}';
      if counted_pages > 0 then
        with page_change as materialized (
          select page_id, payments_count, page_status, max_payments, count(*)::integer as added,
            bool_or(completes_page) as is_complete
          from unnest(decided) payment where reason is null and counted_at_once
          group by page_id, payments_count, page_status, max_payments
          order by page_id
        ), counted as (
          update charge_pages page
          set payments_count = page.payments_count + page_change.added, updated_at = booked_at,
            status = case when page_change.is_complete then 'completed' else page.status end
          from page_change
          where page.id = any (array[page_change.page_id]) and page.max_payments is not distinct from page_change.max_payments
            and (
              page.max_payments is null
              or page.status = page_change.page_status and page.payments_count = page_change.payments_count
            )
          returning page.id, page_change.is_complete
        )
        select count(*), array_agg(id) filter (where is_complete) into found_pages, completed_pages from counted;
        if found_pages < counted_pages then
          raise exception 'a page changed meanwhile' using errcode = 'serialization_failure';
        end if;
        if completed_pages is not null then
          ended := array(
            select charge_id from open_charges where page_id = any (completed_pages)
            except
            select charge_id from unnest(decided) payment where reason is null
          );
        end if;
      end if;

      -- A completed page takes no more money, so its other open codes end, and are removed at the bank.
      with charge_change as materialized (
        select charge_id, charge_status, end_to_end_id, paid_at, is_late, is_duplicate
        from unnest(decided) payment where reason is null
        union all
        select id, null, null, null, false, false from unnest(ended) other (id)
        order by charge_id
      ), changed_charges as (
        update charges charge
        set
          status = case when change.paid_at is not null then 'paid' when charge.status = 'creating' then 'failed' else 'cancelled' end,
          end_to_end_id = change.end_to_end_id, paid_at = change.paid_at,
          is_late = change.is_late, is_duplicate = coalesce(change.is_duplicate, false),
          removal = case when change.paid_at is null then 'due' else charge.removal end,
          removal_not_before = case
            when change.paid_at is null and charge.status = 'creating' then answered_by else charge.removal_not_before
          end,
          updated_at = booked_at
        from charge_change change
        where charge.id = any (array[change.charge_id])
          and (charge.status = change.charge_status or change.paid_at is null and charge.status in ('creating', 'pending'))
        returning charge.id, charge.seller_id
      )
      select count(*), array_agg(id || ' ' || seller_id) into changed, notices from changed_charges;
      if changed < credited + cardinality(ended) then
        raise exception 'a charge changed meanwhile' using errcode = 'serialization_failure';
      end if;

      insert into payments (
        end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, received_at, fee_cents, page_id,
        completed_page_id, charge_day, status_before, disposition, reason
      )
      select
        end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, booked_at, fee_cents,
        case when reason is null and not counted_at_once then page_id end,
        case when reason is null and completes_page and not is_unlisted then page_id end,
        case when reason is null then charge_day end,
        case when reason is null then nullif(charge_status, 'creating') end,
        case when reason is null then 'credited' else 'suspense' end, reason
      from unnest(decided) payment;

      perform pay_invoices(array_agg(charge_id), booked_at)
      from unnest(decided) payment where reason is null and is_invoice having count(*) > 0;

      -- For an admin to check. A duplicate matters more than being late.
      if to_check > 0 then
        insert into unmatched_payments (id, end_to_end_id, reason, received_at)
        select new_id(booked_at), end_to_end_id,
          coalesce(reason, case when is_duplicate then 'duplicate' else 'late' end), booked_at
        from unnest(decided) payment
        where reason is not null or is_duplicate or is_late;
      end if;

      -- As events/events.ts writes and reads them. A notice takes 8,000 bytes, an event 74.
      perform pg_notify('tilinta_charges', array_to_string(notices[first : first + 99], ','))
      from generate_series(1, cardinality(notices), 100) first;
      if cardinality(ended) > 0 then perform pg_notify('tilinta_removals', ''); end if;
      return;
    -- Without a clause for conflicts, which would log a second record for each payment: another booking came first.
    exception when serialization_failure or unique_violation then
      if attempt = 5 then raise; end if;
      attempt := attempt + 1;
    end;
  end loop;
end
$$;
comment on function book_payments(text[], text[], text[], bigint[], timestamptz[], timestamptz, timestamptz) is
  'Books those of these payments that are not booked yet, in this order: the one place that decides whom a payment credits, '
  'whether it is late or a duplicate, and when a page is full (ADR 56). Whatever changed between the decision and the writing '
  'undoes both, and both are done again. Name each payment once. What was being created at the bank is answered by answered_by.';
revoke execute on function book_payments(text[], text[], text[], bigint[], timestamptz[], timestamptz, timestamptz) from public;

create function price_due_charge(
  of_payment text, of_charge uuid, amount bigint, fee bigint, parts jsonb, priced_at timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  before charges;
begin
  if exists (select from payments where end_to_end_id = of_payment) then return; end if;
  select * into before from charges where id = of_charge for update;
  if before.id is null or before.paid_at is not null then return; end if;
  insert into due_payments (
    end_to_end_id, charge_id, amount_cents, original_cents, discount_cents, fine_cents, interest_cents, difference_cents,
    our_cents, computed_by
  ) values (
    of_payment, of_charge, amount, (parts ->> 'originalCents')::bigint, (parts ->> 'discountCents')::bigint,
    (parts ->> 'fineCents')::bigint, (parts ->> 'interestCents')::bigint, (parts ->> 'differenceCents')::bigint,
    (parts ->> 'ourCents')::bigint, parts ->> 'computedBy'
  );
  if before.amount_cents = amount then return; end if;
  update charges
  set amount_cents = amount, fee_cents = fee, net_cents = amount - fee, updated_at = priced_at,
    asked_for = jsonb_build_object('amount_cents', amount_cents, 'fee_cents', fee_cents, 'net_cents', net_cents)
  where id = of_charge;
end
$$;
comment on function price_due_charge(text, uuid, bigint, bigint, jsonb, timestamptz) is
  'Gives the unpaid charge of an invoice whose bank computes its amount the amount of the payment that is booked next, in one '
  'transaction and under the lock of its page. Nothing when that payment is booked already, or the charge is paid.';
revoke execute on function price_due_charge(text, uuid, bigint, bigint, jsonb, timestamptz) from public;

create trigger payments_are_final before update or delete or truncate on payments
for each statement execute function refuse_history_change();
comment on trigger payments_are_final on payments is 'Money that came stays as it came.';

create table untold_sales (
  seller_id uuid constraint untold_sales_by_seller primary key,
  after_sequence bigint not null,
  since timestamptz not null
) with (fillfactor = 70);

comment on column untold_sales.since is 'When the first untold sale was booked, about: who waits longest is told first.';
comment on table untold_sales is
  'The sellers of whose sales somebody may still be mailed, the payer or they, and the last event of which all were told. However many payments come, '
  'it has one row for a seller. number_events_until() adds it; who writes the mails moves and deletes it, under the lock of '
  'numbered_events, so that no event is numbered meanwhile.';

create table folded_payments (
  below xid8 not null default '0',
  is_only boolean not null default true constraint folded_payments_has_one_row primary key,
  constraint folded_payments_is_only check (is_only)
);
insert into folded_payments default values;

comment on table folded_payments is
  'How far the payments are in the totals: those of transactions below this one are (ADR 13). Only fold_payments() moves '
  'it, in the transaction that adds them.';

create view unfolded_payments as
select
  seller_id, page_id, charge_day, sao_paulo_day(paid_at) as paid_day, status_before, amount_cents, fee_cents
from payments
where charge_day is not null and xid >= (select below from folded_payments where is_only) and xid <= '9223372036854775807';
comment on view unfolded_payments is
  'Payments that no total includes yet. The upper bound excludes nothing: a range is estimated as narrow, as it is, while '
  'a beginning alone is estimated as a third of the table.';

create view page_payments as
select seller_id, page_id, count(*)::integer as count from unfolded_payments where page_id is not null
group by seller_id, page_id;
comment on view page_payments is 'Payments that charge_pages.payments_count does not include yet.';

create function count_page_at_once(of_page uuid, of_seller uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform from charge_pages where id = of_page and seller_id = of_seller and not counted_at_once for update;
  if not found then return; end if;
  -- Waits for every booking that is under way, which may have taken the page for one without a limit.
  perform pg_advisory_xact_lock(1953066089, 5);
  update charge_pages
  set counted_at_once = true, folded_below = pg_snapshot_xmax(pg_current_snapshot())
  where id = of_page;
end
$$;
comment on function count_page_at_once(uuid, uuid) is
  'From its commit on the payments of the page are counted by who books them, so that it may have a limit. Call it in a '
  'transaction of its own: bookings wait for it.';
revoke execute on function count_page_at_once(uuid, uuid) from public;

create function number_events_until(last xid8) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off set plan_cache_mode = force_generic_plan as $$
declare
  done xid8;
  numbered bigint;
  sellers uuid[];
begin
  select until into done from numbered_events for update;

  with booked as materialized (
    select end_to_end_id, xid, received_at, seller_id, charge_id, completed_page_id, disposition from payments
    where xid > done and xid <= last and seller_id is not null
  ), subjects as materialized (
    select charge_id as id from booked
    union
    select completed_page_id from booked
    union
    select subject_id from event_drafts where xid <= last
  ), drafted as materialized (
    -- All that is known of these subjects: a transaction that waited for another one may have the smaller id of both. What
    -- follows from a payment waits for the payment.
    delete from event_drafts
    where (xid <= last or subject_id in (select id from subjects))
      and not (
        type in ('charge.refunded', 'charge.disputed', 'page.deleted')
        and subject_id in (
          select charge_id from payments where xid > greatest(done, last) and charge_id is not null
          union all
          select completed_page_id from payments where xid > greatest(done, last) and completed_page_id is not null
        )
      )
    returning *
  ), fresh as (
    select
      xid, 1 as stage, 0::bigint as id, end_to_end_id, received_at as occurred_at, seller_id, charge_id as subject_id,
      'charge.paid' as type, null::jsonb as state
    from booked
    where disposition = 'credited'
    union all
    select xid, 1, 0, booked.end_to_end_id, booked.received_at, seller_id, unmatched.id, 'payment.unmatched', null
    from booked
    join unmatched_payments unmatched on unmatched.end_to_end_id = any (array[booked.end_to_end_id])
    where disposition = 'suspense'
    union all
    select booked.xid, 3, 0, booked.end_to_end_id, booked.received_at, booked.seller_id, page.id, 'page.completed', null
    from booked
    join charge_pages page on page.id = any (array[booked.completed_page_id])
      and (page.deleted_at is null or page.deleted_at > booked.received_at)
    union all
    select
      xid,
      case
        when type in ('charge.created', 'charge.expired', 'charge.cancelled') then 0 when type = 'page.deleted' then 4 else 2
      end,
      id, '', occurred_at, seller_id, subject_id, type, state
    from drafted
  ), placed as (
    -- Events of one subject keep their order, whichever transaction began first; a payment comes before what followed from it.
    select *, max(xid) over (partition by subject_id order by stage, id, end_to_end_id) as place from fresh
  ), coming as materialized (
    select seller_id, count(*) as count from fresh group by seller_id
  ), moved as (
    update event_sequences kept set last_sequence = kept.last_sequence + coming.count
    from coming where kept.seller_id = any (array[coming.seller_id])
    returning kept.seller_id, kept.last_sequence
  ), started as (
    -- Apart from the others: a clause for conflicts would log a lock for each row, and nobody else adds one.
    insert into event_sequences (seller_id, last_sequence)
    select seller_id, count from coming
    where not exists (select from event_sequences kept where kept.seller_id = any (array[coming.seller_id]))
    returning seller_id, last_sequence
  ), counted as (
    select seller_id, last_sequence from moved union all select seller_id, last_sequence from started
  ), added as (
    insert into events (sequence, occurred_at, seller_id, subject_id, type, state)
    select
      counted.last_sequence - count(*) over (partition by seller_id) + row_number() over (
        partition by seller_id
        order by place, xid < place, case when xid < place then stage else abs(stage - 1) end, id, end_to_end_id
      ),
      occurred_at, seller_id, subject_id, type, state
    from placed join counted using (seller_id)
    returning seller_id, sequence, type, occurred_at
  ), untold as (
    insert into untold_sales (seller_id, after_sequence, since)
    select seller_id, min(sequence) - 1, min(occurred_at) from added where type = 'charge.paid'
    group by seller_id order by seller_id
    on conflict do nothing
  )
  select (select count(*) from added), (select array_agg(seller_id) from counted) into numbered, sellers;

  update numbered_events set until = last where until < last;
  -- As events/events.ts reads them. A notice takes 8,000 bytes, an id 37.
  perform pg_notify('tilinta_events', array_to_string(sellers[first : first + 199], ','))
  from generate_series(1, cardinality(sellers), 200) first;
  return numbered;
end
$$;
comment on function number_events_until(xid8) is
  'Gives the drafts, and the payments, of transactions up to this one their numbers. Planned once in a session: its plan never depends on the values, and planning costs as much as a hundred events.';
revoke execute on function number_events_until(xid8) from public;

create function number_events(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  done xid8;
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  last xid8;
begin
  select until into done from numbered_events for update skip locked;
  if not found then return 0; end if;
  select max(xid) into last
  from (
    select xid
    from (
      (select xid from payments where xid > done and xid < ended order by xid limit at_most)
      union all
      (select xid from event_drafts where xid < ended order by xid limit at_most)
    ) waiting
    order by xid limit at_most
  ) oldest;
  if last is null then return 0; end if;
  return number_events_until(last);
end
$$;
comment on function number_events(integer) is
  'Numbers the oldest events, about so many, whole transactions only, and returns how many. All transactions below the '
  'oldest that is under way have ended, so none commits later with a smaller id. While another one numbers, it returns 0.';
revoke execute on function number_events(integer) from public;

create function renumber_restored_payments() returns boolean
language plpgsql set search_path = pg_catalog, public as $$
begin
  -- In one statement, whose own snapshot knows of every transaction that it sees: others may be booking.
  if not exists (
    select from payments where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from event_drafts where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from numbered_events where until >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from folded_payments where below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from journal where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from entered_statements where below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from reserve_progress where below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from charge_pages where folded_below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from audit_records where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from withdrawals where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from refunds where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from manual_entries where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from recorded_states where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from chain_checkpoints where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from chain_head where until >= pg_snapshot_xmax(pg_current_snapshot())
  ) then
    return false;
  end if;
  -- Whatever is renumbered must have been folded and numbered, so nobody books in between.
  perform from chain_head where is_only for update;
  lock table charge_pages, payments, journal, event_drafts, audit_records, withdrawals, refunds, manual_entries,
    recorded_states, chain_checkpoints in share row exclusive mode;
  perform fold_payments_below('9223372036854775807');
  perform enter_statements_below('9223372036854775807');
  perform number_events_until('9223372036854775807');
  alter table payments disable trigger payments_are_final;
  update payments set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  alter table payments enable trigger payments_are_final;
  alter table journal disable trigger journal_is_final;
  update journal set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  alter table journal enable trigger journal_is_final;
  update audit_records set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update withdrawals set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update refunds set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update manual_entries set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update recorded_states set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update chain_checkpoints set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update account_days set first_xid = '0', last_xid = '1' where first_xid is not null;
  update chain_head set until = '0';
  update numbered_events set until = '2';
  update folded_payments set below = '3';
  update entered_statements set below = '3';
  update reserve_progress set below = '3';
  update charge_pages set folded_below = '0' where folded_below > '0';
  return true;
end
$$;
comment on function renumber_restored_payments() is
  'A restored dump holds transaction ids that this PostgreSQL has yet to reach, behind which new payments would be '
  'skipped. All are folded, numbered and entered first; then all get the first of all ids, and what is not sealed yet the second. The sales of the dump''s last '
  'seconds are not held in reserve. The owner calls it at each start.';
revoke execute on function renumber_restored_payments() from public;

create view ledger_postings as
select
  kind, reference, line, seller_id, debit_account, credit_account, may_overdraw, amount_cents, occurred_at, booked_at,
  number
from journal
union all
select
  case when disposition = 'credited' then 'payment' else 'unmatched-payment' end, end_to_end_id, 1,
  case when disposition = 'credited' then seller_id end, 'psp-clearing:' || provider,
  case when disposition = 'credited' then 'seller-available:' || seller_id else 'suspense:' || provider end,
  false, amount_cents, paid_at, received_at, 0
from payments
union all
select
  'payment', end_to_end_id, 2, seller_id, 'seller-available:' || seller_id, 'fee-revenue', false, fee_cents, paid_at,
  received_at, 0
from payments
where fee_cents > 0;
comment on view ledger_postings is
  'Every posting: those of the journal, and of each payment the gross amount in and then the fee out, so a seller''s '
  'statement shows both lines. A line names its debit and its credit account, so all add up to zero.';

create table statement_lines (
  seller_id uuid not null,
  at timestamptz not null,
  number bigint not null,
  amount_cents bigint not null,
  fee_cents bigint not null,
  balance_cents bigint not null,
  charge_id uuid,
  kind text collate "C" not null,
  reference text collate "C" not null,
  constraint statement_lines_by_seller primary key (seller_id, at, number)
);

comment on table statement_lines is
  'Each seller''s statement: every movement of the available balance, with the balance after it (ADR 44). Derived from payments and '
  'journal by enter_statements_below() alone. A moment''s balance is that of the last line before it.';
comment on column statement_lines.at is 'When it was booked, and never before the line above: a month that has been closed stays as it is.';
comment on column statement_lines.number is 'Counts a seller''s lines: 1, 2, 3 … without holes.';
comment on column statement_lines.amount_cents is 'Gross of a payment; below zero when it leaves the balance.';
comment on column statement_lines.fee_cents is 'The fee of a payment, which a statement shows as a line of its own.';
comment on column statement_lines.charge_id is 'The charge of a payment.';
comment on column statement_lines.kind is 'The kind of the journal''s posting, or ''payment''.';

create table entered_statements (
  below xid8 not null default '0',
  closed_until timestamptz not null default '-infinity',
  is_only boolean not null default true constraint entered_statements_has_one_row primary key,
  constraint entered_statements_is_only check (is_only)
);
insert into entered_statements default values;

comment on table entered_statements is
  'How far the movements are in the statements: those of transactions below this one are. Its lock lets one server enter at a time.';
comment on column entered_statements.closed_until is 'No line is entered before it any more.';

create view balance_movements as
select
  xid, seller_id, received_at as at, 0::bigint as place, 'payment' collate "C" as kind, end_to_end_id as reference,
  amount_cents, fee_cents, charge_id
from payments
where disposition = 'credited'
union all
select
  xid, substr(case when credit_account like 'seller-available:%' then credit_account else debit_account end, 18)::uuid,
  booked_at, number, kind collate "C", reference,
  case when credit_account like 'seller-available:%' then amount_cents else -amount_cents end, 0, null
from journal
where credit_account like 'seller-available:%' or debit_account like 'seller-available:%';
comment on view balance_movements is
  'Movements of the available balance of sellers, in the order of xid, at, place and reference.';

create table account_days (
  account text collate "C" not null,
  day date not null,
  credits_cents bigint not null,
  debits_cents bigint not null,
  balance_cents bigint not null,
  first_xid xid8,
  last_xid xid8,
  constraint account_days_by_account primary key (account, day)
) with (fillfactor = 70);

comment on table account_days is
  'The movements of each account and day, and the balance after them, so that a balance as of any day is one row. All sellers'' accounts of a '
  'kind are one; ''seller-debt'' is the part of seller-available that lies below zero. Only enter_statements_below() writes it.';
comment on column account_days.account is 'As in ledger_accounts, but without the seller.';
comment on column account_days.day is 'São Paulo''s day of the booking.';
comment on column account_days.balance_cents is 'The account''s credits less its debits, up to the end of this day.';
comment on column account_days.first_xid is
  'The first transaction that moved it on this day, so that its postings are read from there on. Null where only other days moved it, and of debts.';

create function accounts_of_payments(provider text, disposition text, amount_cents bigint, fee_cents bigint)
returns table (account text, change_cents bigint)
language sql immutable as $$
  select * from (values
    ('psp-clearing:' || provider, -amount_cents),
    (case when disposition = 'credited' then 'seller-available' else 'suspense:' || provider end, amount_cents - fee_cents),
    ('fee-revenue', fee_cents)
  ) side (account, change_cents)
  where side.change_cents <> 0
$$;
comment on function accounts_of_payments(text, text, bigint, bigint) is
  'The accounts that a payment changes, or many of one provider and disposition by their sums; sellers'' accounts are one.';

create view account_postings as
select
  xid, booked_at as at,
  case when side.account like 'seller-%' then split_part(side.account, ':', 1) else side.account end as account,
  side.change_cents
from journal
cross join lateral (values (credit_account, amount_cents), (debit_account, -amount_cents)) side (account, change_cents);
comment on view account_postings is 'The changes of accounts that the journal books.';

create view account_movements as
select xid, received_at as at, side.account, side.change_cents
from payments
cross join lateral accounts_of_payments(provider, disposition, amount_cents, fee_cents) side
union all
select xid, at, account, change_cents from account_postings;
comment on view account_movements is 'Every change of every account; sellers'' accounts of a kind are one.';

create function statement_tail(of_seller uuid) returns table (
  at timestamptz, number bigint, amount_cents bigint, fee_cents bigint, balance_cents bigint, charge_id uuid, kind text,
  reference text, is_settled boolean
)
language sql stable set search_path = pg_catalog, public set enable_seqscan = off set enable_indexonlyscan = off
set plan_cache_mode = force_generic_plan as $$
  with mark as materialized (
    select below, closed_until from entered_statements where is_only
  ), last as materialized (
    select line.at, line.number, line.balance_cents from statement_lines line
    where line.seller_id = of_seller order by line.at desc, line.number desc limit 1
  ), moved as materialized (
    -- The upper bounds exclude nothing: a range is estimated as narrow, as it is.
    select
      payment.xid, payment.received_at as at, 0::bigint as place, 'payment' collate "C" as kind,
      payment.end_to_end_id as reference, payment.amount_cents, payment.fee_cents, payment.charge_id
    from payments payment
    where payment.seller_id = of_seller and payment.charge_day is not null
      and payment.xid >= (select below from mark) and payment.xid <= '9223372036854775807'
    union all
    select
      posting.xid, posting.booked_at, posting.number, posting.kind collate "C", posting.reference,
      case when posting.credit_account = 'seller-available:' || of_seller then 1 else -1 end * posting.amount_cents, 0, null
    from journal posting
    where posting.xid >= (select below from mark) and posting.xid <= '9223372036854775807'
      and 'seller-available:' || of_seller in (posting.credit_account, posting.debit_account)
  )
  select
    greatest((select closed_until from mark), last.at, max(moved.at) over place),
    coalesce(last.number, 0) + row_number() over place, moved.amount_cents, moved.fee_cents,
    (coalesce(last.balance_cents, 0) + sum(moved.amount_cents - moved.fee_cents) over place)::bigint,
    moved.charge_id, moved.kind, moved.reference, moved.xid < pg_snapshot_xmin(pg_current_snapshot())
  from moved left join last on true
  window place as (order by moved.xid, moved.at, moved.place, moved.reference)
  order by 2
$$;
comment on function statement_tail(uuid) is
  'The lines of a seller that are not entered yet, as enter_statements_below() will enter them. Unsettled ones may still '
  'get others before them, by transactions that have not ended.';

create function enter_statements_below(bound xid8) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  done xid8;
  closed timestamptz;
  entered bigint;
begin
  select below, closed_until into done, closed from entered_statements for update;
  with moved as materialized (
    select * from balance_movements where xid >= done and xid < bound
  ), seller as materialized (
    select moved.seller_id, last.at, last.number, last.balance_cents
    from (select distinct seller_id from moved) moved
    left join lateral (
      select line.at, line.number, line.balance_cents from statement_lines line
      where line.seller_id = moved.seller_id order by line.at desc, line.number desc limit 1
    ) last on true
  ), added as (
    insert into statement_lines (
      seller_id, at, number, amount_cents, fee_cents, balance_cents, charge_id, kind, reference
    )
    select
      moved.seller_id, greatest(closed, seller.at, max(moved.at) over place),
      coalesce(seller.number, 0) + row_number() over place, moved.amount_cents, moved.fee_cents,
      coalesce(seller.balance_cents, 0) + sum(moved.amount_cents - moved.fee_cents) over place,
      moved.charge_id, moved.kind, moved.reference
    from moved join seller using (seller_id)
    window place as (partition by moved.seller_id order by moved.xid, moved.at, moved.place, moved.reference)
    order by 1, 3
    returning at, balance_cents, balance_cents - amount_cents + fee_cents as balance_before
  ), debts as (
    select sao_paulo_day(at) as day, sum(least(balance_cents, 0) - least(balance_before, 0)) as change_cents
    from added where balance_cents < 0 or balance_before < 0 group by 1
  ), paid as (
    -- Summed up before they are spread over their accounts, which costs a third.
    select
      provider, disposition, sao_paulo_day(greatest(closed, received_at)) as day, sum(amount_cents)::bigint as amount_cents,
      sum(fee_cents)::bigint as fee_cents, min(xid) as first_xid, max(xid) as last_xid
    from payments where xid >= done and xid < bound group by 1, 2, 3
  ), changes as (
    select side.account, paid.day, side.change_cents, paid.first_xid, paid.last_xid
    from paid cross join lateral accounts_of_payments(provider, disposition, amount_cents, fee_cents) side
    union all
    select account, sao_paulo_day(greatest(closed, at)), change_cents, xid, xid
    from account_postings where xid >= done and xid < bound
    union all
    select 'seller-debt', day, change_cents, null, null from debts
  ), moved_days as materialized (
    select account, day, sum(greatest(change_cents, 0)) as credits, sum(greatest(-change_cents, 0)) as debits,
      min(first_xid) as first_xid, max(last_xid) as last_xid
    from changes group by 1, 2
  ), touched_days as (
    select account, day, credits, debits, first_xid, last_xid from moved_days
    union all
    -- Late movements change the balances of the days after their own, too.
    select later.account, later.day, 0, 0, null, null
    from (select account, min(day) as day from moved_days group by 1) oldest
    join account_days later on later.account = oldest.account and later.day > oldest.day
    where not exists (select from moved_days moved where moved.account = later.account and moved.day = later.day)
  ), added_days as (
    insert into account_days as kept (account, day, credits_cents, debits_cents, balance_cents, first_xid, last_xid)
    select account, day, credits, debits, sum(credits - debits) over (partition by account order by day) + coalesce((
      select earlier.balance_cents from account_days earlier
      where earlier.account = touched.account and earlier.day < touched.day order by earlier.day desc limit 1
    ), 0), first_xid, last_xid
    from touched_days touched order by 1, 2
    on conflict (account, day) do update set
      credits_cents = kept.credits_cents + excluded.credits_cents,
      debits_cents = kept.debits_cents + excluded.debits_cents,
      first_xid = least(kept.first_xid, excluded.first_xid),
      last_xid = greatest(kept.last_xid, excluded.last_xid),
      balance_cents = excluded.balance_cents + kept.credits_cents - kept.debits_cents
  ), marked as (
    update entered_statements set below = bound where below < bound
  )
  select count(*) into entered from moved;
  return entered;
end
$$;
comment on function enter_statements_below(xid8) is
  'Enters the movements of transactions below this one into the statements and the days of accounts, and returns how many.';
revoke execute on function enter_statements_below(xid8) from public;

create function enter_statements(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  done xid8;
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  bound xid8;
begin
  select below into done from entered_statements for update skip locked;
  if not found or done >= ended then return 0; end if;
  -- The first transaction is taken whole, however much it booked.
  select xid into bound
  from (
    (select xid from payments where xid > done and xid < ended order by xid offset at_most limit 1)
    union all
    (select xid from journal where xid > done and xid < ended order by xid offset at_most limit 1)
  ) too_many
  order by xid limit 1;
  if bound = (
    select xid
    from (
      (select xid from payments where xid >= done order by xid limit 1)
      union all
      (select xid from journal where xid >= done order by xid limit 1)
    ) oldest
    order by xid limit 1
  ) then
    bound := (bound::text::bigint + 1)::text::xid8;
  end if;
  return enter_statements_below(least(coalesce(bound, ended), ended));
end
$$;
comment on function enter_statements(integer) is
  'Enters the oldest movements, about so many of payments and of postings, whole transactions only, and returns how many. All transactions below the oldest '
  'that is under way have ended, so no movement is passed that commits late. While another one enters, it returns 0.';
revoke execute on function enter_statements(integer) from public;

create function close_statements(until timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  done xid8;
begin
  select below into done from entered_statements for update;
  -- An open transaction, of any database, holds back the entering of what was booked after its beginning.
  update entered_statements set closed_until = waits.since
  from (
    select least(until, min(at)) as since from account_movements where xid >= done and xid <= '9223372036854775807'
  ) waits
  where closed_until < waits.since;
end
$$;
comment on function close_statements(timestamptz) is
  'Closes the statements until then, or until the oldest movement that is not entered yet: what is entered later gets a later moment.';
revoke execute on function close_statements(timestamptz) from public;

create table disputes (
  id uuid constraint disputes_by_id primary key,
  provider text not null,
  psp_dispute_id text collate "C",
  end_to_end_id text collate "C" not null constraint disputes_payment_exists references payments (end_to_end_id),
  charge_id uuid constraint disputes_charge_exists references charges (id),
  seller_id uuid constraint disputes_seller_exists references users (id),
  amount_cents bigint not null constraint disputes_amount_is_positive check (amount_cents > 0),
  blocked_cents bigint not null default 0,
  debited_cents bigint not null default 0 constraint disputes_debit_is_not_negative check (debited_cents >= 0),
  movements integer not null default 0,
  reason text not null constraint disputes_reason_is_known check (
    reason in ('fraud', 'account_takeover', 'coercion', 'unauthorised_access', 'operational', 'other')
  ),
  details text not null default '',
  state text not null constraint disputes_state_is_known check (
    state in ('open', 'defended', 'accepted', 'rejected', 'cancelled')
  ),
  respond_until timestamptz,
  opened_at timestamptz not null,
  reported_at timestamptz,
  closed_at timestamptz,
  settled_at timestamptz,
  analysis text not null default '',
  defence text,
  defence_state text not null default 'none' constraint disputes_defence_state_is_known check (
    defence_state in ('none', 'waiting', 'sent', 'kept', 'refused')
  ),
  defended_by uuid constraint disputes_defender_exists references users (id),
  defended_at timestamptz,
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  registered_by uuid constraint disputes_registrar_exists references users (id),
  closed_by uuid constraint disputes_closer_exists references users (id),
  admin_notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint disputes_by_psp_dispute_id unique (provider, psp_dispute_id),
  constraint disputes_blocked_within_amount check (blocked_cents between 0 and amount_cents),
  constraint disputes_charge_comes_with_seller check ((charge_id is null) = (seller_id is null)),
  constraint disputes_of_uncredited_block_nothing check (charge_id is not null or blocked_cents = 0),
  constraint disputes_are_told_or_registered check ((psp_dispute_id is null) = (registered_by is not null)),
  constraint disputes_decided_are_closed check ((state in ('open', 'defended')) = (closed_at is null)),
  constraint disputes_settled_block_nothing check (settled_at is null or (closed_at is not null and blocked_cents = 0)),
  constraint disputes_defence_has_state check ((defence is null) = (defence_state = 'none')),
  constraint disputes_waiting_defence_has_attempt check ((defence_state = 'waiting') = (next_attempt_at is not null))
) with (fillfactor = 80);
create index disputes_by_payment on disputes (end_to_end_id, opened_at, id);
create index disputes_by_seller on disputes (seller_id, opened_at desc, id desc) where seller_id is not null;
create index disputes_by_time on disputes (opened_at desc, id desc);
create index disputes_live on disputes (respond_until, id) where settled_at is null;
create index disputes_to_defend on disputes (next_attempt_at) where defence_state = 'waiting';

comment on table disputes is
  'Payments that payers contest at their bank (MED). Until it is decided, the money is blocked (ADR 12).';
comment on column disputes.psp_dispute_id is 'The bank''s name for it; null where an admin registered it.';
comment on column disputes.charge_id is 'Null for an uncredited payment.';
comment on column disputes.amount_cents is 'All or a part of the payment.';
comment on column disputes.blocked_cents is 'The amount in the seller''s blocked account for it now.';
comment on column disputes.debited_cents is 'The amount that the bank has taken for it.';
comment on column disputes.movements is
  'How often money was blocked or released for it: the number names each ledger transaction.';
comment on column disputes.respond_until is 'The bank''s deadline for the seller''s defence.';
comment on column disputes.reported_at is
  'Time of the bank''s last change: an older state that arrives later is ignored.';
comment on column disputes.closed_at is 'When the banks decided.';
comment on column disputes.settled_at is 'From when on nothing is blocked for it, nor ever will be.';
comment on column disputes.analysis is 'The bank''s words about its decision.';
comment on column disputes.defence_state is
  '''waiting'' to be sent to the bank; ''kept'' where the provider takes no defences.';
comment on column disputes.next_attempt_at is 'When a job sends the defence, or retries.';

create table refunds (
  id uuid constraint refunds_by_id primary key,
  end_to_end_id text collate "C" not null constraint refunds_payment_exists references payments (end_to_end_id),
  psp_refund_id text collate "C" not null constraint refunds_psp_refund_id_is_plain check (
    psp_refund_id ~ '^[!-~]{1,64}$'
  ),
  provider text not null,
  charge_id uuid constraint refunds_charge_exists references charges (id),
  seller_id uuid constraint refunds_seller_exists references users (id),
  amount_cents bigint not null constraint refunds_amount_is_positive check (amount_cents > 0),
  fee_cents bigint not null,
  origin text not null constraint refunds_origin_is_known check (origin in ('seller', 'admin', 'bank')),
  status text not null constraint refunds_status_is_known check (status in ('processing', 'completed', 'refused')),
  reason text not null default '',
  failure_reason text,
  return_id text collate "C",
  requested_by uuid constraint refunds_requester_exists references users (id),
  is_dispute boolean not null default false,
  dispute_id uuid constraint refunds_dispute_exists references disputes (id),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  processed_at timestamptz,
  settled_at timestamptz,
  sending_at timestamptz,
  mac text,
  xid xid8 not null default pg_current_xact_id(),
  constraint refunds_by_psp_refund_id unique (end_to_end_id, psp_refund_id),
  constraint refunds_fee_within_amount check (fee_cents between 0 and amount_cents),
  constraint refunds_charge_comes_with_seller check ((charge_id is null) = (seller_id is null)),
  constraint refunds_of_uncredited_have_no_fee check (charge_id is not null or fee_cents = 0),
  constraint refunds_of_ours_have_requester check ((origin = 'bank') = (requested_by is null)),
  constraint refunds_of_bank_are_completed check (
    origin <> 'bank' or (status = 'completed' and failure_reason is null)
  ),
  constraint refunds_processing_have_attempt check ((status = 'processing') = (next_attempt_at is not null)),
  constraint refunds_processed_have_moment check ((status = 'processing') = (processed_at is null)),
  constraint refunds_refused_have_reason check (
    status = 'completed' or (status = 'refused') = (failure_reason is not null)
  ),
  constraint refunds_for_disputes_come_from_bank check (origin = 'bank' or not is_dispute),
  constraint refunds_with_dispute_are_for_disputes check (dispute_id is null or is_dispute)
) with (fillfactor = 80);
create index refunds_by_charge on refunds (charge_id, created_at, id) where charge_id is not null;
create index refunds_by_dispute on refunds (dispute_id) where dispute_id is not null;
create index refunds_by_settlement on refunds (settled_at) where settled_at is not null;
create index refunds_to_settle on refunds (next_attempt_at) where status = 'processing';
create index refunds_under_way_by_seller on refunds (seller_id) where status = 'processing';

comment on table refunds is
  'Money that goes back to a payer: asked for by a seller or an admin, or taken by the bank itself.';
comment on column refunds.xid is 'The transaction that wrote it: see chain_head.';
comment on column refunds.psp_refund_id is
  'Its one name at the provider: ours, or the bank''s where the bank began it. A registered debit takes the bank''s '
  'name later.';
comment on column refunds.charge_id is 'Null for the refund of an uncredited payment.';
comment on column refunds.fee_cents is
  'The part of the fee that goes back with it; the rest of the amount is the seller''s.';
comment on column refunds.failure_reason is 'Kept when the provider pays after all: then both are true.';
comment on column refunds.return_id is 'The bank''s own id of the transfer (rtrId).';
comment on column refunds.is_dispute is 'The bank took it because of a dispute.';
comment on column refunds.dispute_id is 'Which dispute, as far as it is known.';
comment on column refunds.next_attempt_at is 'When a job asks the provider again.';
comment on column refunds.processed_at is 'When we learnt how it ended.';
comment on column refunds.settled_at is
  'The bank''s own time of the end, by which our day is compared with the bank''s.';

comment on column refunds.mac is
  'HMAC of the request with a key that the database doesn''t have: without it nothing is sent. Null for what the bank began.';
comment on column refunds.sending_at is 'When a worker was last about to send it: nobody settles it by hand in the minute after.';

create trigger refunds_keep_their_facts
before update of end_to_end_id, provider, charge_id, seller_id, amount_cents, fee_cents, origin, status on refunds
for each row when (
  (old.end_to_end_id, old.provider, old.charge_id, old.seller_id, old.amount_cents, old.fee_cents, old.origin)
  is distinct from
  (new.end_to_end_id, new.provider, new.charge_id, new.seller_id, new.amount_cents, new.fee_cents, new.origin)
  or old.status = 'completed' and new.status <> 'completed'
) execute function refuse_changed_facts();
comment on trigger refunds_keep_their_facts on refunds is 'Money that went back stays returned, in its amount.';

create table refund_requests (
  id uuid constraint refund_requests_by_id primary key,
  charge_id uuid not null constraint refund_requests_charge_exists references charges (id),
  seller_id uuid not null constraint refund_requests_seller_exists references users (id),
  asked_by uuid not null constraint refund_requests_asker_exists references users (id),
  reason text not null,
  asked_at timestamptz not null,
  decided_by uuid constraint refund_requests_decider_exists references users (id),
  decided_at timestamptz,
  refund_id uuid constraint refund_requests_refund_exists references refunds (id),
  constraint refund_requests_decided_have_decider check ((decided_by is null) = (decided_at is null)),
  constraint refund_requests_refunded_are_decided check (refund_id is null or decided_at is not null)
);
create unique index refund_requests_one_waiting on refund_requests (charge_id) where decided_at is null;
create index refund_requests_waiting on refund_requests (seller_id, asked_at) where decided_at is null;
create index refund_requests_by_charge on refund_requests (charge_id, asked_at);
create index refund_requests_by_asker on refund_requests (asked_by);
create index refund_requests_by_decider on refund_requests (decided_by) where decided_by is not null;
create unique index refund_requests_by_refund on refund_requests (refund_id) where refund_id is not null;

comment on table refund_requests is
  'Sales of the counter that somebody there asks to undo. No money moves before an owner or a manager confirms.';
comment on column refund_requests.asked_by is 'The person at the counter.';
comment on column refund_requests.refund_id is 'Null while it waits, and where it was declined.';

create table unmatched_payments (
  id uuid constraint unmatched_payments_by_id primary key,
  end_to_end_id text collate "C" not null
    constraint unmatched_payments_by_end_to_end_id unique
    constraint unmatched_payments_payment_exists references payments (end_to_end_id),
  txid text collate "C",
  amount_cents bigint not null,
  paid_at timestamptz not null,
  named_charge_id uuid,
  reason text not null constraint unmatched_payments_reason_is_known check (
    reason in ('unknown_txid', 'wrong_amount', 'charge_already_paid', 'late', 'duplicate')
  ),
  status text not null default 'open' constraint unmatched_payments_status_is_known check (
    status in ('open', 'accepted', 'returning', 'returned')
  ),
  accepted_charge_id uuid
    constraint unmatched_payments_by_accepted_charge unique
    constraint unmatched_payments_accepted_charge_exists references charges (id),
  suggested_charge_id uuid constraint unmatched_payments_suggested_charge_exists references charges (id),
  refund_id uuid constraint unmatched_payments_refund_exists references refunds (id),
  decided_by uuid constraint unmatched_payments_decider_exists references users (id),
  decided_at timestamptz,
  admin_notes text not null default '',
  received_at timestamptz not null,
  constraint unmatched_payments_accepted_have_charge check (
    (status = 'accepted' and reason not in ('late', 'duplicate')) = (accepted_charge_id is not null)
  ),
  constraint unmatched_payments_returning_have_refund check (status <> 'returning' or refund_id is not null)
);
create index refunds_by_xid on refunds (xid);
create index unmatched_payments_by_time on unmatched_payments (received_at, id);
create index unmatched_payments_open on unmatched_payments (received_at, id) where status = 'open';
create index unmatched_payments_by_refund on unmatched_payments (refund_id) where refund_id is not null;

comment on table unmatched_payments is
  'Payments that an admin accepts or returns: nobody could be credited, or they were credited late or as a duplicate.';
comment on column unmatched_payments.txid is
  'The payment''s. Like amount_cents, paid_at and named_charge_id filled in by a trigger.';
comment on column unmatched_payments.named_charge_id is 'The charge that the payment names.';
comment on column unmatched_payments.accepted_charge_id is
  'The charge that an accepted payment became; one that was credited before has its charge already.';
comment on column unmatched_payments.suggested_charge_id is
  'The charge of this amount that the bank calls paid though no payment names it: payers'' banks lose the txid.';
comment on column unmatched_payments.refund_id is 'The refund by which the payment is returned.';
comment on column unmatched_payments.received_at is 'When the payment was booked.';

create function describe_unmatched_payment() returns trigger
language plpgsql set enable_seqscan = off as $$
begin
  select payment.txid, payment.amount_cents, payment.paid_at, payment.charge_id
  into new.txid, new.amount_cents, new.paid_at, new.named_charge_id
  from payments payment where payment.end_to_end_id = new.end_to_end_id;
  return new;
end
$$;
comment on function describe_unmatched_payment() is
  'Copies what a payment never changes, so that lists and totals of unmatched payments read no payments. Without '
  'sequential scans, '
  'because the plan is kept from when there were few payments.';

create trigger unmatched_payments_copy_their_payment before insert on unmatched_payments
for each row execute function describe_unmatched_payment();
comment on trigger unmatched_payments_copy_their_payment on unmatched_payments is
  'Fills in txid, amount_cents, paid_at and named_charge_id.';

create trigger unmatched_payments_keep_their_payment
before update of end_to_end_id, txid, amount_cents, paid_at, named_charge_id on unmatched_payments
for each row when (
  (old.end_to_end_id, old.txid, old.amount_cents, old.paid_at, old.named_charge_id)
  is distinct from
  (new.end_to_end_id, new.txid, new.amount_cents, new.paid_at, new.named_charge_id)
) execute function refuse_changed_facts();
comment on trigger unmatched_payments_keep_their_payment on unmatched_payments is 'They say what the payment says.';

create function pay_as_accepted(
  of_payment text, amount bigint, fee bigint, accepted_at timestamptz, answered_by timestamptz
) returns table (charge_id uuid, completed_page_id uuid)
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
#variable_conflict use_column
declare
  wanted uuid;
  received_cents bigint;
  moment timestamptz;
  page charge_pages;
  before charges;
  after charges;
  took integer;
  completes boolean;
begin
  select
    case payment.reason when 'wrong_amount' then payment.charge_id else unmatched.suggested_charge_id end,
    payment.amount_cents, payment.paid_at
  into wanted, received_cents, moment
  from payments payment
  join unmatched_payments unmatched on unmatched.end_to_end_id = payment.end_to_end_id
  where payment.end_to_end_id = of_payment and unmatched.status = 'open'
    and payment.reason in ('wrong_amount', 'unknown_txid');

  -- Pages before charges, like every writer.
  select * into page from charge_pages where id = (select page_id from charges where id = wanted) for update;
  select * into before from charges where id = wanted for update;
  if before.id is null or before.paid_at is not null or amount > received_cents then return; end if;
  took := page.payments_count + coalesce((
    select waiting.count from page_payments waiting where waiting.seller_id = page.seller_id and waiting.page_id = page.id
  ), 0);
  completes := page.status = 'active' and took + 1 >= page.max_payments;

  update charges
  set
    amount_cents = amount, fee_cents = fee, net_cents = amount - fee, status = 'paid', end_to_end_id = of_payment,
    paid_at = greatest(moment, created_at), updated_at = accepted_at,
    is_late = closed_as is not null and (closed_as <> 'expired' or moment > expires_at),
    is_duplicate = coalesce(took >= page.max_payments, false),
    -- Nobody may pay its code again.
    removal = case when closed_as is null then 'due' else removal end,
    removal_not_before = case when status = 'creating' then answered_by else removal_not_before end,
    asked_for = case when amount_cents <> amount then jsonb_build_object(
      'amount_cents', amount_cents, 'fee_cents', fee_cents, 'net_cents', net_cents
    ) end
  where id = before.id
  returning * into after;

  -- count_changed_charges() leaves a charge that gets its payment to the booking, which this is none of.
  perform add_charge_changes(array[
    row(
      before.seller_id, before.status, before.created_at, null, -1, before.amount_cents, before.fee_cents,
      before.net_cents, 0, 0
    )::charge_change,
    row(
      after.seller_id, after.status, after.created_at, after.paid_at, 1, after.amount_cents, after.fee_cents,
      after.net_cents, 0, 0
    )::charge_change
  ]);
  insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents)
  select kept.*
  from (values
    (
      'charge-created', sao_paulo_day(before.created_at), before.status, -1::bigint, -before.amount_cents,
      -before.fee_cents, -before.net_cents
    ),
    ('charge-created', sao_paulo_day(after.created_at), 'paid', 1, after.amount_cents, after.fee_cents, after.net_cents),
    ('charge-paid', sao_paulo_day(after.paid_at), 'paid', 1, after.amount_cents, after.fee_cents, after.net_cents)
  ) kept (subject, day, status, count, gross_cents, fee_cents, net_cents)
  where kept.status <> 'creating';

  update charge_pages
  set payments_count = payments_count + 1, updated_at = accepted_at,
    status = case when completes then 'completed' else status end
  where id = page.id;
  if page.is_invoice then
    perform pay_invoices(array[after.id], accepted_at);
  elsif completes and page.deleted_at is null then
    insert into event_drafts (occurred_at, seller_id, subject_id, type)
    values (accepted_at, page.seller_id, page.id, 'page.completed');
  end if;
  return query select after.id, case when completes then page.id end;
end
$$;
comment on function pay_as_accepted(text, bigint, bigint, timestamptz, timestamptz) is
  'Lets an unmatched payment that an admin accepts pay the charge that it names with another amount, or that is suggested for it, '
  'and count on its page, as a booking would. The charge then has the amount that came. No row when that charge is paid '
  'already, or there is none. What is being created at the bank is answered by answered_by.';
revoke execute on function pay_as_accepted(text, bigint, bigint, timestamptz, timestamptz) from public;

create function shared_target(pix_key text, bank_data jsonb) returns text
language sql immutable parallel safe
return coalesce(
  pix_key,
  ltrim(regexp_replace(fold_text(bank_data ->> 'agency'), '[^a-z0-9]', '', 'g'), '0')
    || ' ' || ltrim(regexp_replace(fold_text(bank_data ->> 'account'), '[^a-z0-9]', '', 'g'), '0')
);
comment on function shared_target(text, jsonb) is
  'One name for a destination, however its bank data are spelled: withdrawals to it are added up. The bank''s name counts for '
  'nothing, since people write it in many ways: two banks'' accounts of one number ask for a second person, one never for two.';

create table withdrawals (
  id uuid constraint withdrawals_by_id primary key,
  seller_id uuid not null constraint withdrawals_seller_exists references users (id),
  amount_cents bigint not null constraint withdrawals_amount_is_possible check (amount_cents between 1 and 999999999),
  method text not null constraint withdrawals_method_is_known check (method in ('pix', 'bank_transfer')),
  pix_key text,
  pix_key_kind text constraint withdrawals_pix_key_kind_is_known check (
    pix_key_kind in ('cpf', 'cnpj', 'email', 'phone', 'evp')
  ),
  bank_data jsonb,
  payout_id text collate "C"
    constraint withdrawals_by_payout_id unique
    constraint withdrawals_payout_id_is_plain check (payout_id ~ '^[A-Za-z0-9]{1,35}$'),
  status text not null default 'pending' constraint withdrawals_status_is_known check (
    status in ('pending', 'approved', 'processing', 'completed', 'rejected', 'cancelled')
  ),
  provider text,
  end_to_end_id text collate "C",
  admin_notes text not null default '',
  failure_reason text,
  decided_by uuid constraint withdrawals_decider_exists references users (id),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  approved_at timestamptz,
  sent_at timestamptz,
  processed_at timestamptz,
  settled_at timestamptz,
  search_text text generated always as (fold_text(pix_key)) stored,
  returned_cents bigint not null default 0,
  returned_at timestamptz,
  return_reason text,
  sending_at timestamptz,
  paid_after_refusal_at timestamptz,
  api_key_id uuid constraint withdrawals_api_key_exists references api_keys (id),
  held_until timestamptz,
  hold_reasons jsonb not null default '[]' constraint withdrawals_hold_reasons_are_a_list check (
    jsonb_typeof(hold_reasons) = 'array' and (hold_reasons <> '[]') = (held_until is not null)
  ),
  first_approved_by uuid constraint withdrawals_first_approver_exists references users (id),
  request_mac text,
  approval_mac text,
  xid xid8 not null default pg_current_xact_id(),
  constraint withdrawals_are_approved_by_two_others check (
    first_approved_by is null or (first_approved_by <> seller_id and first_approved_by <> decided_by)
  ),
  constraint withdrawals_by_pix_have_key check (
    (method = 'pix') = (pix_key is not null and pix_key_kind is not null and payout_id is not null)
  ),
  constraint withdrawals_by_transfer_have_bank_data check ((method = 'bank_transfer') = (bank_data is not null)),
  constraint withdrawals_sent_have_provider check (
    status not in ('processing', 'completed') or (provider is not null and approved_at is not null)
  ),
  constraint withdrawals_ended_have_moment check (
    (status in ('completed', 'rejected', 'cancelled')) = (processed_at is not null)
  ),
  constraint withdrawals_failed_are_rejected check (failure_reason is null or status = 'rejected'),
  constraint withdrawals_are_decided_by_another check (decided_by is null or decided_by <> seller_id),
  constraint withdrawals_return_within_amount check (returned_cents between 0 and amount_cents),
  constraint withdrawals_returned_have_reason check ((returned_at is null) = (return_reason is null)),
  constraint withdrawals_returned_were_approved check (
    returned_at is null or (status in ('completed', 'rejected') and approved_at is not null)
  ),
  constraint withdrawals_that_came_back_were_paid check (
    returned_cents = 0 or (returned_at is not null and provider is not null)
  ),
  constraint withdrawals_partly_returned_are_completed check (
    returned_at is null or (status = 'completed') = (returned_cents > 0 and returned_cents < amount_cents)
  )
) with (fillfactor = 80);
create index withdrawals_by_seller on withdrawals (seller_id, created_at desc, id desc);
create index withdrawals_by_time on withdrawals (created_at desc, id desc);
create index withdrawals_by_status on withdrawals (status, created_at desc, id desc);
create index withdrawals_to_pay on withdrawals (next_attempt_at) where status in ('approved', 'processing');
create index withdrawals_paid_by_seller on withdrawals (seller_id, processed_at desc) where status = 'completed';
create index withdrawals_by_payment on withdrawals (processed_at desc) where status = 'completed';
create index withdrawals_paid_from_browser on withdrawals (seller_id, md5(coalesce(pix_key, bank_data::text)))
where status = 'completed' and api_key_id is null;
create index withdrawals_paid_by_hand on withdrawals (processed_at) where status = 'completed' and sent_at is null;
create index withdrawals_returned on withdrawals (seller_id) where returned_cents > 0;
create index withdrawals_approved_by_seller on withdrawals (seller_id, approved_at) where approved_at is not null;
create index withdrawals_approved_by_target on withdrawals (md5(shared_target(pix_key, bank_data)), approved_at)
where approved_at is not null;
create index withdrawals_by_settlement on withdrawals (settled_at) where settled_at is not null;
create index withdrawals_by_search_text on withdrawals using gin (search_text gin_trgm_ops);
create index withdrawals_by_leaving on withdrawals (seller_id, (coalesce(held_until, created_at)));
create index withdrawals_by_hold on withdrawals (held_until) where held_until is not null;
create index withdrawals_by_end_to_end_id on withdrawals (end_to_end_id) where end_to_end_id is not null;

comment on table withdrawals is
  'A seller''s request to be paid out. No grant lets the server change the amount or the destination afterwards.';
comment on column withdrawals.xid is 'The transaction that wrote it: see chain_head.';
comment on column withdrawals.pix_key is 'Null for a bank transfer.';
comment on column withdrawals.bank_data is 'Null for a Pix.';
comment on column withdrawals.first_approved_by is
  'The first of two administrators who approved it; null where one was enough.';
comment on column withdrawals.api_key_id is
  'The API key that requested it; null in the browser. A key may only pay where the browser''s withdrawals arrived.';
comment on column withdrawals.request_mac is
  'HMAC of the request with a key that the database doesn''t have: without it nobody approves it.';
comment on column withdrawals.approval_mac is 'The same of the approval: without it nothing is sent, nor paid by hand.';
comment on column withdrawals.held_until is
  'Until then nobody approves it, and nothing sends it. It stays when the moment has passed.';
comment on column withdrawals.hold_reasons is 'The reasons for which it is held, words of the contract.';
comment on index withdrawals_approved_by_target is 'A destination''s last day, for the second approval: many small ones count together.';
comment on index withdrawals_by_payment is 'The last ones that were paid: sellers are told how long they took.';
comment on index withdrawals_paid_by_hand is
  'Payments that people may mark weeks after the bank made them: the bank''s statement is compared with them.';
comment on index withdrawals_by_leaving is 'The seller''s last day, for the daily limit: held ones count when they may leave.';
comment on index withdrawals_by_hold is 'Withdrawals that leave on a day to come, for the daily limit of the platform.';
comment on column withdrawals.payout_id is
  'The payout''s one name at the provider, made with the request: whatever happens, it is never sent under a second.';
comment on column withdrawals.provider is
  'The provider that pays it out, from the moment that the money is on its way.';
comment on column withdrawals.end_to_end_id is 'The endToEndId of the Pix that paid it.';
comment on column withdrawals.failure_reason is 'The provider''s, where it refused the payout.';
comment on column withdrawals.next_attempt_at is
  'When a job next asks the provider; its claim moves it into the future.';
comment on column withdrawals.sent_at is 'When it was handed to the provider, as the ledger says.';
comment on column withdrawals.processed_at is 'When it ended, however it did.';
comment on column withdrawals.settled_at is
  'The bank''s own time of the end, by which our day is compared with the bank''s. Null for what a person paid by '
  'hand.';
comment on column withdrawals.search_text is 'The Pix key, folded.';
comment on column withdrawals.returned_cents is
  'The part that came back after it had been paid. All of it makes the withdrawal rejected, a part leaves it completed.';
comment on column withdrawals.returned_at is
  'When the money went back to the balance after the approval: it could not be paid by hand, or it came back.';
comment on column withdrawals.return_reason is 'Why, for the seller.';
comment on column withdrawals.sending_at is 'When a worker was last about to send it: nobody settles it by hand in the minute after.';
comment on column withdrawals.paid_after_refusal_at is
  'When the bank turned out to have paid what was taken as not paid: the money then left the balance a second time.';

create table destinations (
  id uuid constraint destinations_by_id primary key,
  seller_id uuid not null constraint destinations_seller_exists references users (id),
  target text not null,
  method text not null constraint destinations_method_is_known check (method in ('pix', 'bank_transfer')),
  pix_key text,
  pix_key_kind text constraint destinations_pix_key_kind_is_known check (
    pix_key_kind in ('cpf', 'cnpj', 'email', 'phone', 'evp')
  ),
  bank_data jsonb,
  first_used_at timestamptz not null,
  last_used_at timestamptz not null,
  confirmed_by text constraint destinations_confirmation_is_known check (confirmed_by in ('password', 'second_factor')),
  removed_at timestamptz,
  owner text constraint destinations_owner_is_known check (
    owner in ('confirmed_by_bank', 'confirmed_by_person', 'other')
  ),
  owner_reason text not null default '',
  owner_said_by uuid constraint destinations_owner_sayer_exists references users (id),
  owner_said_at timestamptz,
  owner_mac text collate "C",
  constraint destinations_by_target unique (seller_id, target),
  constraint destinations_by_pix_have_key check ((method = 'pix') = (pix_key is not null and pix_key_kind is not null)),
  constraint destinations_by_transfer_have_bank_data check ((method = 'bank_transfer') = (bank_data is not null))
);
create index withdrawals_by_xid on withdrawals (xid);

comment on table destinations is 'Keys and accounts to which a seller asked to be paid. A new one waits before anything goes there.';
comment on column destinations.target is 'The parts that decide where the money arrives, in one text.';
comment on column destinations.first_used_at is
  'When the first withdrawal to it was requested, since it was removed if it was: its hold counts from here.';
comment on column destinations.confirmed_by is 'How the seller proved at its first use who they are; null where nobody asked.';
comment on column destinations.owner is
  'Holder by the word of the bank or of a person; null without one. A key that is the seller''s document needs no word.';
comment on column destinations.owner_said_by is 'The administrator; null for the bank''s own answer.';
comment on column destinations.owner_mac is
  'HMAC over the good word: one that is written here by somebody else does not count. A bad one needs none.';
comment on column destinations.removed_at is
  'When its owner removed it last, also by a freeze of the account: its next use is its first, and what was requested before '
  'proves nothing.';

create table withdrawal_rules (
  seller_id uuid constraint withdrawal_rules_by_seller primary key
    constraint withdrawal_rules_seller_exists references users (id),
  every text not null constraint withdrawal_rules_period_is_known check (every in ('day', 'week', 'month')),
  above_cents bigint not null constraint withdrawal_rules_amount_is_no_debt check (above_cents >= 0),
  destination_id uuid not null constraint withdrawal_rules_destination_exists references destinations (id),
  next_at timestamptz not null,
  paused_because text constraint withdrawal_rules_pause_is_known check (paused_because in ('by_owner', 'frozen', 'failed')),
  failure text not null default '',
  last_withdrawal_id uuid constraint withdrawal_rules_last_exists references withdrawals (id),
  mac text collate "C"
);
create index withdrawal_rules_due on withdrawal_rules (next_at) where paused_because is null;

comment on table withdrawal_rules is
  'Sellers who are paid all of their available balance each day, week or month, once it is more than an amount.';
comment on column withdrawal_rules.next_at is 'Six in the morning in São Paulo, when it looks next.';
comment on column withdrawal_rules.failure is 'Why it paused, for its seller.';
comment on column withdrawal_rules.last_withdrawal_id is 'The withdrawal that it requested last: when that failed, it pauses.';
comment on column withdrawal_rules.mac is
  'HMAC with a key derived from SECRETS_KEY, over what its seller chose and where that goes: without it nothing is requested.';

create table reserve_holds (
  seller_id uuid not null constraint reserve_holds_seller_exists references users (id),
  due_on date not null,
  held_cents bigint not null constraint reserve_holds_hold_something check (held_cents > 0),
  drawn_cents bigint not null default 0,
  released_at timestamptz,
  constraint reserve_holds_by_seller primary key (seller_id, due_on),
  constraint reserve_holds_draw_within_what_is_held check (drawn_cents between 0 and held_cents)
) with (fillfactor = 80);
create index reserve_holds_due on reserve_holds (due_on, seller_id) where released_at is null;

comment on table reserve_holds is
  'Each seller''s money in seller-reserved by the day on which it is due (docs/ledger.md). Written under the lock of the seller''s '
  'available balance.';
comment on column reserve_holds.due_on is 'São Paulo''s day from which on it is available.';
comment on column reserve_holds.held_cents is 'The sum of all that was held until that day.';
comment on column reserve_holds.drawn_cents is 'The part that a refund, a dispute or a correction took before.';
comment on column reserve_holds.released_at is 'When the rest became available; null while it is held.';

create table reserve_progress (
  below xid8 not null default '0',
  is_only boolean not null default true constraint reserve_progress_has_one_row primary key,
  constraint reserve_progress_is_only check (is_only)
);
insert into reserve_progress default values;

comment on table reserve_progress is
  'How far the sales are held: of transactions below this one, what the settings hold is in seller-reserved. Its lock lets one '
  'server hold at a time.';

create table manual_entries (
  id uuid constraint manual_entries_by_id primary key,
  kind text not null constraint manual_entries_kind_is_known check (
    kind in ('own_payout', 'bank_tariff', 'capital_in', 'yield', 'correction')
  ),
  direction text constraint manual_entries_direction_is_known check (direction in ('credit', 'debit')),
  amount_cents bigint not null constraint manual_entries_amount_is_possible check (amount_cents between 1 and 999999999),
  provider text not null,
  seller_id uuid constraint manual_entries_seller_exists references users (id),
  reason text not null,
  reference text,
  reverses text,
  created_by uuid not null constraint manual_entries_author_exists references users (id),
  created_at timestamptz not null,
  approved_by uuid constraint manual_entries_approver_exists references users (id),
  booked_at timestamptz,
  refused_by uuid constraint manual_entries_refuser_exists references users (id),
  refused_at timestamptz,
  mac text,
  constraint manual_entries_refused_have_moment check ((refused_by is null) = (refused_at is null)),
  constraint manual_entries_refused_are_not_booked check (refused_at is null or booked_at is null),
  xid xid8 not null default pg_current_xact_id(),
  constraint manual_entries_correct_a_seller check (
    (kind = 'correction') = (seller_id is not null) and (kind = 'correction') = (direction is not null)
  ),
  constraint manual_entries_are_approved_by_another check (approved_by <> created_by),
  constraint manual_entries_correct_another check (created_by <> seller_id and (approved_by is null or approved_by <> seller_id)),
  constraint manual_entries_approved_are_booked check (approved_by is null or booked_at is not null)
);
create index manual_entries_by_reversed on manual_entries (reverses) where reverses is not null;
create index manual_entries_by_xid on manual_entries (xid);
create index manual_entries_waiting on manual_entries (id) where booked_at is null and refused_at is null;

comment on table manual_entries is
  'Bookings of administrators: the bank''s lists can''t tell of it. Another entry corrects a wrong one; no row is changed.';
comment on column manual_entries.xid is 'The transaction that wrote it: see chain_head.';
comment on column manual_entries.direction is 'The way in which a correction moves the seller''s balance.';
comment on column manual_entries.reference is 'Evidence: the transfer''s endToEndId, or the bank''s reference.';
comment on column manual_entries.reverses is 'The event that it reverses, as it was named; all entries for one never exceed its amount.';
comment on column manual_entries.approved_by is 'The second administrator; null where there was only one.';
comment on column manual_entries.booked_at is 'When it was booked; null while it waits for a second administrator.';
comment on column manual_entries.mac is
  'HMAC of the proposal with a key that the database doesn''t have: without it nobody books it.';
comment on column manual_entries.refused_by is 'The administrator who refused it while it waited, or its author, who withdrew it.';

create table hand_settlements (
  subject_id uuid constraint hand_settlements_by_subject primary key,
  subject text not null constraint hand_settlements_subject_is_known check (subject in ('withdrawal', 'refund')),
  outcome text not null constraint hand_settlements_outcome_is_known check (outcome in ('paid', 'not_paid')),
  end_to_end_id text collate "C",
  reason text not null,
  proposed_by uuid not null constraint hand_settlements_proposer_exists references users (id),
  proposed_at timestamptz not null,
  confirmed_by uuid constraint hand_settlements_confirmer_exists references users (id),
  settled_at timestamptz,
  mac text,
  constraint hand_settlements_paid_have_id check ((outcome = 'paid') = (end_to_end_id is not null)),
  constraint hand_settlements_are_confirmed_by_another check (confirmed_by is null or confirmed_by <> proposed_by)
);

comment on table hand_settlements is
  'A person''s word for what became of a payout or refund that the bank does not answer for. From the first word on it is not sent again.';
comment on column hand_settlements.subject_id is 'The id of the withdrawal or of the refund.';
comment on column hand_settlements.end_to_end_id is 'The transfer in the Pix network, of one that was paid.';
comment on column hand_settlements.confirmed_by is 'The second administrator; null where there was only one.';
comment on column hand_settlements.mac is
  'HMAC of the words with a key that the database doesn''t have: without it they don''t count.';
comment on column hand_settlements.settled_at is 'When it took effect; null while it waits.';

create table hand_payouts (
  withdrawal_id uuid constraint hand_payouts_by_withdrawal primary key
    constraint hand_payouts_withdrawal_exists references withdrawals (id),
  claimed_by uuid constraint hand_payouts_claimer_exists references users (id),
  claimed_at timestamptz,
  bank_id text collate "C",
  constraint hand_payouts_claims_have_moment check ((claimed_by is null) = (claimed_at is null)),
  constraint hand_payouts_tell_something check (claimed_by is not null or bank_id is not null)
);
create unique index hand_payouts_by_bank_id on hand_payouts (bank_id) where bank_id is not null;

comment on table hand_payouts is
  'Payments that a person makes from the platform''s account: who is making one now, and the bank''s id of one that was made.';
comment on column hand_payouts.claimed_by is
  'The administrator who was shown how to pay it and has not said yet what became of it.';
comment on column hand_payouts.bank_id is 'The bank''s id of the transfer: one transfer pays one withdrawal.';

create table remittances (
  sequence integer constraint remittances_by_sequence primary key
    constraint remittances_sequence_has_six_digits check (sequence between 1 and 999999),
  id uuid not null constraint remittances_by_id unique,
  file text not null,
  file_digest text collate "C" not null,
  made_by uuid not null constraint remittances_maker_exists references users (id),
  made_at timestamptz not null,
  mac text collate "C"
);

create table remittance_entries (
  sequence integer not null constraint remittance_entries_remittance_exists references remittances (sequence),
  line integer not null constraint remittance_entries_line_is_positive check (line >= 1),
  withdrawal_id uuid not null constraint remittance_entries_withdrawal_exists references withdrawals (id),
  state text not null constraint remittance_entries_state_is_known check (
    state in ('sent', 'paid', 'refused', 'returned', 'dropped')
  ),
  reason text not null,
  constraint remittance_entries_by_line primary key (sequence, line)
);
create unique index remittance_entries_open on remittance_entries (withdrawal_id) where state = 'sent';

comment on table remittances is 'Files of payments for the platform''s bank (CNAB 240). A number is written once.';
comment on column remittances.file is
  'As it was given out: the same key answers the same file. Empty after thirty days, because it names people.';
comment on column remittances.file_digest is 'SHA-256 of the file, in hex.';
comment on column remittances.mac is
  'HMAC with a key derived from SECRETS_KEY, over the digest, the lines, who made it and when: without it the file is not given out again.';
comment on table remittance_entries is 'Payments of a remittance, with what the bank''s return said of them.';
comment on column remittance_entries.reason is 'Why the bank refused or returned it; empty otherwise.';

create trigger withdrawals_keep_their_request
before update of seller_id, amount_cents, method, pix_key, pix_key_kind, bank_data, payout_id on withdrawals
for each row when (
  (old.seller_id, old.amount_cents, old.method, old.pix_key, old.pix_key_kind, old.bank_data, old.payout_id)
  is distinct from
  (new.seller_id, new.amount_cents, new.method, new.pix_key, new.pix_key_kind, new.bank_data, new.payout_id)
) execute function refuse_changed_facts();
comment on trigger withdrawals_keep_their_request on withdrawals is
  'The amount, the destination and the payout''s name are those of the request, for the owner too.';

grant select, insert on payments to tilinta_app;
grant execute on function book_payments(text[], text[], text[], bigint[], timestamptz[], timestamptz, timestamptz) to tilinta_app;
grant select on ledger_postings to tilinta_app;
grant select on statement_lines, entered_statements, balance_movements, account_days, account_movements to tilinta_app;
grant execute on function enter_statements(integer), close_statements(timestamptz) to tilinta_app;
grant select, update (after_sequence, since), delete on untold_sales to tilinta_app;
grant select on folded_payments, unfolded_payments, page_payments to tilinta_app;
create table receipt_verifications (
  charge_id uuid constraint receipt_verifications_by_charge primary key
    constraint receipt_verifications_charge_exists references charges (id),
  count bigint not null constraint receipt_verifications_count_is_positive check (count >= 1),
  last_at timestamptz not null
) with (fillfactor = 70);

comment on table receipt_verifications is
  'How often the receipt of a charge was verified, for its seller. Written by verifications alone: no payment waits for it.';
comment on column receipt_verifications.count is 'Each network counts once a day.';

grant execute on function count_page_at_once(uuid, uuid) to tilinta_app;
grant execute on function price_due_charge(text, uuid, bigint, bigint, jsonb, timestamptz) to tilinta_app;
grant execute on function pay_as_accepted(text, bigint, bigint, timestamptz, timestamptz) to tilinta_app;
grant select, insert on disputes, refunds, unmatched_payments, withdrawals to tilinta_app;
grant select, insert, update (decided_by, decided_at, refund_id) on refund_requests to tilinta_app;
grant update (
  amount_cents, blocked_cents, debited_cents, movements, reason, details, state, respond_until, reported_at, closed_at,
  settled_at, analysis, defence, defence_state, defended_by, defended_at, next_attempt_at, attempts, closed_by,
  admin_notes, updated_at
) on disputes to tilinta_app;
grant update (
  psp_refund_id, status, failure_reason, return_id, dispute_id, next_attempt_at, attempts, processed_at, settled_at,
  sending_at, mac
) on refunds to tilinta_app;
grant update (status, accepted_charge_id, suggested_charge_id, refund_id, decided_by, decided_at, admin_notes) on unmatched_payments
  to tilinta_app;
grant update (
  status, provider, end_to_end_id, admin_notes, failure_reason, decided_by, next_attempt_at, attempts, approved_at,
  sent_at, processed_at, settled_at, returned_cents, returned_at, return_reason, sending_at,
  paid_after_refusal_at, held_until, hold_reasons, first_approved_by, request_mac, approval_mac
) on withdrawals to tilinta_app;
grant select, insert, update (
  first_used_at, last_used_at, confirmed_by, removed_at, owner, owner_reason, owner_said_by, owner_said_at, owner_mac
), delete on destinations to tilinta_app;
grant select, insert on reserve_holds to tilinta_app;
grant update (held_cents, drawn_cents, released_at) on reserve_holds to tilinta_app;
grant select, update (below) on reserve_progress to tilinta_app;
grant select, insert, update (approved_by, booked_at, refused_by, refused_at, mac) on manual_entries to tilinta_app;
grant select, insert, update (every, above_cents, destination_id, next_at, paused_because, failure, last_withdrawal_id, mac), delete
  on withdrawal_rules to tilinta_app;
grant select, insert, update (file, mac) on remittances to tilinta_app;
grant select, insert, update (state, reason) on remittance_entries to tilinta_app;
grant select, insert, delete on hand_settlements to tilinta_app;
grant select, insert, update (claimed_by, claimed_at, bank_id), delete on hand_payouts to tilinta_app;
grant select, insert, update (count, last_at) on receipt_verifications to tilinta_app;
grant update (outcome, end_to_end_id, reason, proposed_by, proposed_at, confirmed_by, settled_at, mac) on hand_settlements to tilinta_app;
