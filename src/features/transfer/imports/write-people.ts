/** Contacts and companies as sets: the rules of their operations, asked of all rows at once. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { HttpError } from '../../../kernel/errors.ts'
import type { Item } from '../../../kernel/resource.ts'
import { living, rows } from '../../../kernel/statements.ts'
import { company } from '../../../resources/companies/record.ts'
import { type Addresses, settleAddresses } from '../../../resources/contacts/addresses.ts'
import { type CompanyStanding, companyChange, NOWHERE } from '../../../resources/contacts/company-links.ts'
import { type ContactInput, companyLink, contact, nameless } from '../../../resources/contacts/record.ts'
import type { Metadata } from '../../../resources/custom-fields/change.ts'
import {
  type CustomInput,
  type CustomizableRecord,
  prepareInputs,
} from '../../../resources/shared/record-operations.ts'
import { insertLinks, insertRecords, patchRecords } from './bulk-sql.ts'
import { rowError } from './drafts.ts'
import { mergedIds } from './external.ts'
import { issueErrors, refusal } from './outcomes.ts'
import { authorOf, type SetWriter, stamps, type Write } from './write.ts'

/** A record as it stands, locked until the batch is written. */
type Present = CustomInput & Partial<CompanyStanding> & Addresses & { metadata?: Metadata }

const TIE_FIELDS = ['team_ids', 'associated_deal_ids']

export const companyWriter: SetWriter = {
  async prepare(tx, writes) {
    const single = writes.filter(({ input }) => TIE_FIELDS.some(field => input[field] !== undefined))
    const many = writes.filter(write => !single.includes(write))
    const present = await presentRecords(tx, company, many)
    const changes = await changesOf(tx, company, many, present, write => write.input)
    return { single, unchanged: unchangedOf(changes), run: (at, good) => run(at, company, changes, good) }
  },
}

export const contactWriter: SetWriter = {
  async prepare(tx, writes) {
    const present = await presentRecords(tx, contact, writes)
    const single = writes.filter(write => movesCompany(write, present.get(write.target ?? '')))
    const many = writes.filter(write => !single.includes(write))
    const changes = await changesOf(tx, contact, many, present, person)
    return {
      single,
      unchanged: unchangedOf(changes),
      async run(at, good) {
        await run(at, contact, changes, good)
        const joined = many.filter(write => good.has(write) && write.target === undefined)
        const ties = joined.flatMap(write =>
          companiesOf(personIn(write)).map((other, place) => ({ own: write.id, other, place })),
        )
        await insertLinks(at, companyLink, ties)
      },
    }
  },
}

/** The schema of contacts has read the row. */
const personIn = ({ input }: Write) => input as Partial<ContactInput>

/** A change of somebody's companies, or ties to deals: their own operations know what follows from that. */
function movesCompany({ input, target }: Write, now: Present | undefined): boolean {
  if (input.associated_deal_ids !== undefined) return true
  if (target === undefined || !now) return false
  const shown = now.company_hidden ? null : now.company_id
  const sameOne = input.company_id === undefined || input.company_id === shown
  return !(
    sameOne &&
    (input.company_ids === undefined || isDeepStrictEqual(input.company_ids, now.company_ids))
  )
}

function companiesOf(input: Partial<ContactInput>): string[] {
  const { set, join } = companyChange(NOWHERE, input)
  return [...new Set(set.company_ids ?? (join === undefined ? [] : [join]))]
}

/** The columns of a person, as contacts' own create and update would write them. */
function person(write: Write, now: Present = {}): CustomInput {
  const input = personIn(write)
  const { company_id: _one, company_ids: _all, ...rest } = input
  const addresses = settleAddresses(now, rest)
  const whole = { ...now, ...rest, ...addresses }
  const problem = nameless(whole)
  if (problem !== undefined)
    throw new HttpError(422, [{ type: 'value_error', loc: ['body'], msg: problem, input: null }])
  const primary = write.target === undefined ? companyChange(NOWHERE, input).set.company_id : undefined
  return { ...rest, ...addresses, ...(primary === undefined ? {} : { company_id: primary }) }
}

async function presentRecords(
  tx: Ctx,
  record: CustomizableRecord,
  writes: readonly Write[],
): Promise<Map<string, Present>> {
  const ids = writes.flatMap(({ target }) => target ?? [])
  if (ids.length === 0) return new Map()
  const standing =
    record.table === 'contacts'
      ? sql`, exists (select from ${rows(tx, 'companies')} c where c.id = r.company_id and c.deleted_at is not null)
          as company_hidden,
        array(select l.company_id from ${rows(tx, 'company_people')} l
          join ${living(tx, 'companies')} c on c.id = l.company_id where l.person_id = r.id
          order by l.person_position, l.id) as company_ids`
      : sql``
  const found = await query(
    tx,
    sql<{ id: string; now: Present } & CompanyStanding>`select r.id, to_jsonb(r) as now ${standing}
      from ${living(tx, record.table)} r where r.id = any(${ids}::uuid[])
      order by r.id for no key update`,
  )
  return new Map(found.map(({ id, now, ...more }) => [id, { ...now, ...more }]))
}

interface Change {
  write: Write
  /** the whole row of a new record, or what changes of one that is there */
  columns: Item
}

/** What each row comes to. What is wrong with a row is noted on its draft. */
async function changesOf(
  tx: Ctx,
  record: CustomizableRecord,
  writes: readonly Write[],
  present: ReadonlyMap<string, Present>,
  columnsOf: (write: Write, now?: Present) => CustomInput,
): Promise<Change[]> {
  const sound = writes.flatMap(write => {
    const now = write.target === undefined ? undefined : present.get(write.target)
    if (write.target !== undefined && !now) {
      write.draft.errors.push(rowError('reference_not_found', `${record.label} not found`, null))
      return []
    }
    try {
      const columns = columnsOf(write, now)
      const metadata = columns.metadata && now ? { ...now.metadata, ...columns.metadata } : columns.metadata
      const ids =
        columns.external_ids && now ? mergedIds(now.external_ids, columns.external_ids) : columns.external_ids
      return [
        {
          write,
          now,
          columns: {
            ...columns,
            ...(metadata === undefined ? {} : { metadata }),
            ...(ids === undefined ? {} : { external_ids: ids }),
          },
        },
      ]
    } catch (error) {
      const told = refusal(error)
      if (!told) throw error
      write.draft.errors.push(...told)
      return []
    }
  })
  const checked = await prepareInputs(
    tx,
    record,
    sound.map(({ write, now, columns }) => ({
      input: columns,
      ...(write.target === undefined ? {} : { id: write.target, before: now?.metadata ?? {} }),
    })),
  )
  return sound.flatMap(({ write, now }, i) => {
    const prepared = checked[i]
    if (!prepared) return []
    const { input, issues, conflict } = prepared
    if (issues.length > 0) write.draft.errors.push(...issueErrors(issues))
    if (conflict !== undefined) write.draft.errors.push(rowError('conflict', conflict, null))
    if (write.draft.errors.length > 0) return []
    return [{ write, columns: now ? difference(input, now) : input }]
  })
}

const isTime = /^\d{4}-\d{2}-\d{2}T/

/** What of the input is not there already. */
function difference(input: Item, now: Item): Item {
  const changed = Object.entries(input).filter(([name, value]) => {
    if (value === undefined) return false
    const old = now[name] ?? null
    if (typeof value === 'string' && typeof old === 'string' && isTime.test(value) && isTime.test(old)) {
      return Date.parse(value) !== Date.parse(old)
    }
    return !isDeepStrictEqual(value ?? null, old)
  })
  return Object.fromEntries(changed)
}

const unchangedOf = (changes: readonly Change[]): Set<Write> =>
  new Set(
    changes
      .filter(({ write, columns }) => write.target !== undefined && Object.keys(columns).length === 0)
      .map(({ write }) => write),
  )

async function run(
  tx: Ctx,
  record: CustomizableRecord,
  changes: readonly Change[],
  good: ReadonlySet<Write>,
): Promise<void> {
  const mine = changes.filter(({ write }) => good.has(write))
  const made = mine.filter(({ write }) => write.target === undefined)
  const changed = mine.flatMap(({ write: { target }, columns }) =>
    target !== undefined && Object.keys(columns).length > 0 ? [{ ...columns, id: target }] : [],
  )
  await insertRecords(
    tx,
    record.table,
    made.map(({ write, columns }) => ({
      ...columns,
      ...stamps(write.draft),
      id: write.id,
      created_by: authorOf(write.draft, tx),
    })),
  )
  await patchRecords(tx, record.table, changed)
}
