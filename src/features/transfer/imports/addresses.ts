/** Email addresses and phone numbers of a row: several in a cell, several columns, and what kind each is. */
import type { Item } from '../../../kernel/resource.ts'
import { isRecord } from '../../../lib/values.ts'
import { lettersOf } from './aliases.ts'
import type { Column } from './analyse.ts'
import { isEmailLike } from './infer.ts'
import { checkedPhone, readPhones } from './phones.ts'
import { put, type RowError, rowError } from './row-values.ts'
import { parsed, readList } from './values.ts'

export type AddressKind = 'email' | 'phone'

/** The part of a draft that is used here. */
interface Row {
  cells: readonly string[]
  input: Item
  warnings: RowError[]
  /** what kind of address the main ones are, where the file says so */
  mainTypes: { email?: string; phone?: string }
}

type Reader = (row: Row, text: string) => void

/** `name`: the field that the column is mapped to. */
export function addressReader(
  name: string,
  destination:
    | { at: 'addresses'; one: AddressKind }
    | { at: 'main address'; one: AddressKind; isListed: boolean },
  column: Column,
  columns: readonly Column[],
): Reader {
  const { one } = destination
  const label = labelColumn(column, columns)
  const typeIn = (draft: Row) => {
    const type = label === undefined ? '' : (draft.cells[label.index] ?? '')
    return typeOf(one, type) ?? typeOf(one, column.header) ?? 'work'
  }
  const isOwn = isExport(columns)
  const entry = (value: string, type: string) => ({ [one]: value, type, is_primary: false })
  if (destination.at === 'addresses')
    return (draft, text) => {
      const json = /^\s*\[/.test(text) ? parsed(text) : undefined
      const isWhole = Array.isArray(json) && json.every(isRecord)
      const type = typeIn(draft)
      const entries = isWhole ? json : readAddresses(one, text, isOwn).map(value => entry(value, type))
      put(draft.input, name, entries, true)
    }
  return (draft, text) => {
    const type = typeIn(draft)
    const [first = '', ...rest] = readAddresses(one, text, isOwn)
    const more = draft.input[one] === undefined ? rest : [first, ...rest]
    if (draft.input[one] === undefined) {
      draft.input[one] = first
      if (destination.isListed) draft.mainTypes[one] = type
    }
    if (more.length === 0) return
    if (destination.isListed)
      put(
        draft.input,
        `${one}s`,
        more.map(value => entry(value, type)),
        true,
      )
    else {
      const message = `Only the first ${one} is kept`
      draft.warnings.push(rowError('value_left_out', message, more.join('; '), column.header, name))
    }
  }
}

/** "E-mail 1 - Label" beside "E-mail 1 - Value" says what kind of address it is. */
export function labelColumn({ header }: Column, columns: readonly Column[]): Column | undefined {
  const stem = /^(.*) - Value$/i.exec(header)?.[1]?.toLowerCase()
  if (stem === undefined) return undefined
  return columns.find(column => {
    const other = column.header.toLowerCase()
    return other === `${stem} - label` || other === `${stem} - type`
  })
}

const TYPES: [type: string, word: RegExp][] = [
  ['mobile', /mobil|cell|handy/],
  ['home', /home|personal|privat/],
  ['other', /other|fax|pager/],
  ['work', /work|business|office|main/],
]

function typeOf(one: AddressKind, text: string): string | undefined {
  const letters = lettersOf(text)
  const type = TYPES.find(([, word]) => word.test(letters))?.[0]
  return type === 'mobile' && one === 'email' ? undefined : type
}

/** If not all parts are email addresses, the cell is one text, which is then refused as a whole. */
function readAddresses(one: AddressKind, text: string, isOwn: boolean): string[] {
  if (one === 'email') return readEmails(text)
  return isOwn ? readPhones(text) : readPhones(text).map(checkedPhone)
}

/** Files of Kith have the numbers that are stored, and may have texts that the API accepts. */
const isExport = (columns: readonly Column[]): boolean =>
  ['id', 'created_at', 'updated_at'].every(name => columns.some(({ header }) => header === name))

function readEmails(text: string): string[] {
  const parts = readList(text).flatMap(part =>
    (part.includes('<') ? [part] : part.split(/\s+(?=\S+@)/)).map(bare),
  )
  return parts.length > 0 && parts.every(isEmailLike) ? parts : [bare(text)]
}

/** `Ann Lee <ann@x.example>` and `mailto:ann@x.example` */
const bare = (text: string): string =>
  (/<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text)?.[1] ?? text).trim().replace(/^mailto:/i, '')

/** A main address that is not one of work needs an entry in the list to say so; the same address is listed once. */
export function settleTypes({ input, mainTypes }: Pick<Row, 'input' | 'mainTypes'>): void {
  for (const one of ['email', 'phone'] as const) {
    const main = input[one]
    const type = mainTypes[one]
    const list: unknown = input[`${one}s`]
    const entries = Array.isArray(list) ? list : []
    if (typeof main === 'string' && type !== undefined && type !== 'work')
      input[`${one}s`] = [{ [one]: main, type, is_primary: true }, ...entries]
    const all: unknown = input[`${one}s`]
    if (Array.isArray(all) && all.length > 1) input[`${one}s`] = distinctEntries(one, all)
  }
}

function distinctEntries(one: AddressKind, entries: readonly unknown[]): unknown[] {
  const taken = new Set<string>()
  return entries.filter(entry => {
    const value = isRecord(entry) ? entry[one] : undefined
    if (typeof value !== 'string') return true
    const key = one === 'email' ? value.trim().toLowerCase() : value.replace(/[^\d+]/g, '') || value
    if (taken.has(key)) return false
    taken.add(key)
    return true
  })
}
