/**
 * The kinds of record that people work with, and the links between them, each declared once. Lists of accepted kinds,
 * timelines, merges, the search index, queries, imports and exports follow from this. The table `kinds` of the
 * database has the same kinds, for its triggers and checks; `kinds.test.ts` compares the two.
 */
import type { Link, Target } from '../kernel/links.ts'
import type { TableName } from '../kernel/statements.ts'

interface Kind extends Target {
  /** tags can be put on it */
  taggable?: true
  /** notes can be written on it; its link table is note_<table> */
  notable?: true
  /** files can be put on it */
  attachable?: true
  /** people can make it a favorite; it has the field `is_favorite` */
  favorite?: true
  /** `/api/favorites` has it: the contract fixes these, others are marked on the record (favorites/mark.ts) */
  bookmarked?: true
  /** custom fields can be declared for it; it has `metadata` */
  customizable?: true
  /** it has `categories` */
  categorized?: true
  /** it is written to files and read from them */
  exported?: true
  /** several can be merged into one */
  merged?: true
  /** fields with a sum of money in the record's `currency` */
  money?: readonly string[]
  /** a unique column besides the name by which people identify a record, such as an SKU */
  code?: string
}

const EVERYTHING = {
  taggable: true,
  notable: true,
  attachable: true,
  favorite: true,
  customizable: true,
  categorized: true,
  exported: true,
} as const

/** Error messages list kinds in this order: a new one goes to the end. */
const KINDS = {
  company: {
    table: 'companies',
    label: 'Company',
    name: 'name',
    ...EVERYTHING,
    bookmarked: true,
    merged: true,
  },
  contact: {
    table: 'contacts',
    label: 'Contact',
    name: 'full_name',
    ...EVERYTHING,
    bookmarked: true,
    merged: true,
  },
  deal: {
    ...{ table: 'deals', label: 'Deal', name: 'name', ...EVERYTHING, bookmarked: true },
    money: ['amount', 'weighted_amount'],
  },
  activity: {
    ...{ table: 'activities', label: 'Activity', name: 'subject' },
    ...{ taggable: true, notable: true, attachable: true, customizable: true, exported: true },
  },
  note: { table: 'notes', label: 'Note', name: 'title', taggable: true, attachable: true, exported: true },
  product: {
    ...{ table: 'products', label: 'Product', name: 'name', ...EVERYTHING },
    ...{ money: ['unit_price'], code: 'sku' },
  },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof KINDS
type Capability = Exclude<keyof Kind, keyof Target | 'money' | 'code'>
/** The names of the kinds that can do this. */
export type KindWith<C extends Capability> = {
  [K in KindName]: (typeof KINDS)[K] extends Record<C, true> ? K : never
}[KindName]

export const kindNames = Object.keys(KINDS) as KindName[]
export const isKindName = (name: string): name is KindName => Object.hasOwn(KINDS, name)

const can = <C extends Capability>(capability: C, name: KindName): name is KindWith<C> =>
  capability in KINDS[name]

export const kindsWith = <C extends Capability>(capability: C): KindWith<C>[] =>
  kindNames.filter(name => can(capability, name))

/** What ids in requests may point to. */
export const targets: typeof KINDS & { member: Target } = {
  ...KINDS,
  /** a person who works in the account: owner_id, assignee_id */
  member: { table: 'members', label: 'User', name: 'user_id', key: 'user_id', permanent: true },
}

/** The part of a kind that its record declares. */
export const kind = <K extends KindName>(
  name: K,
): { table: (typeof KINDS)[K]['table']; label: string; entityType: K } => ({
  table: KINDS[name].table,
  label: KINDS[name].label,
  entityType: name,
})

/** The same with its optional parts. */
export const declarationOf = (name: KindName): Kind => KINDS[name]

export const moneyFields: readonly string[] = kindNames.flatMap(name => declarationOf(name).money ?? [])

export const kindOfTable: ReadonlyMap<string, KindName> = new Map(
  kindNames.map(name => [KINDS[name].table, name]),
)

export interface LinkEnd {
  kind: KindName
  /** the column with the id of the record at this end */
  column: string
  /** the column with the order of the links of a record at this end; default `position` */
  order?: string
  /** the bit of `linked` in the record at this end (src/db/functions/linked.sql) */
  bit?: number
  /** the search index shows the other end's name in the text of a record at this end */
  shows?: true
}

/** The two ends of each table of links; the journal stores changes under the id of the first. */
export const LINKS: Partial<Record<TableName, readonly [LinkEnd, LinkEnd]>> = {
  company_people: [
    { kind: 'company', column: 'company_id', bit: 1, shows: true },
    { kind: 'contact', column: 'person_id', order: 'person_position', bit: 1, shows: true },
  ],
  deal_companies: [
    { kind: 'deal', column: 'deal_id', shows: true },
    { kind: 'company', column: 'company_id', order: 'company_position', bit: 2 },
  ],
  deal_contacts: [
    { kind: 'deal', column: 'deal_id', shows: true },
    { kind: 'contact', column: 'contact_id', order: 'contact_position', bit: 2 },
  ],
  deal_line_items: [
    { kind: 'deal', column: 'deal_id', shows: true },
    { kind: 'product', column: 'product_id' },
  ],
  ...linksFrom('activity', ['contact', 'company', 'deal']),
  ...linksFrom('note', kindsWith('notable')),
}

function linksFrom(own: 'activity' | 'note', kinds: readonly KindName[]): typeof LINKS {
  return Object.fromEntries(
    kinds.map(name => [
      `${own}_${KINDS[name].table}`,
      [
        { kind: own, column: `${own}_id`, shows: true },
        { kind: name, column: `${name}_id` },
      ],
    ]),
  )
}

/** The attributes of a link besides its ends. */
export const LINK_ATTRIBUTES: Partial<Record<string, readonly string[]>> = {
  company_people: ['role', 'is_primary'],
  deal_line_items: ['name', 'quantity', 'unit_price', 'discount', 'tax'],
}

export const links = Object.entries(LINKS).map(([table, ends]) => ({ table: table as TableName, ends }))

/** A table of links as seen from one of its ends. */
export function linkFrom(table: TableName, from: KindName): Link {
  const ends = LINKS[table]
  const own = ends?.find(end => end.kind === from)
  const other = ends?.find(end => end.kind !== from)
  if (!own || !other) throw new Error(`${table} does not link a ${from}`)
  return {
    table,
    own: own.column,
    other: other.column,
    target: KINDS[other.kind],
    ...(own.order === undefined ? {} : { order: own.order }),
    ...(own.bit === undefined ? {} : { bit: own.bit }),
  }
}
