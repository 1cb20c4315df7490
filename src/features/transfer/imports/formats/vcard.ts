/**
 * Reads vCards 2.1, 3.0 and 4.0 (RFC 2426, RFC 6350). Each card is a row; repeated properties have numbered columns, as in
 * files of Google Contacts, and properties without a field here have columns of their own, so that nothing is lost
 * without a warning.
 */
import { lookup } from '../../../../kernel/lookup.ts'
import { listCell } from '../../exports/csv-text.ts'
import { CsvError } from '../csv-parser.ts'
import type { Encoding } from '../encoding.ts'
import type { Keyed } from './table.ts'
import { type Property, propertiesOf, textOf } from './vcard-lines.ts'

/** The column that distinguishes a table made of vCards from those of other products. */
export const UID_HEADING = 'vCard UID'

export async function* vcardRecords(path: string, encoding: Encoding): AsyncGenerator<Keyed> {
  let number = 1
  let card: Property[] | undefined
  for await (const property of propertiesOf(path, encoding, () => number)) {
    const marks = property.value.trim().toUpperCase() === 'VCARD' ? property.name : ''
    if (marks === 'BEGIN') {
      if (card) throw new CsvError(number, `card ${number} has no END:VCARD`)
      card = []
    } else if (!card)
      throw new CsvError(
        number,
        `before card ${number} there is a line outside of a card: “${property.name}”`,
      )
    else if (marks === 'END') {
      yield rowOf(card, number)
      card = undefined
      number++
    } else card.push(property)
  }
  if (card) throw new CsvError(number, `card ${number} has no END:VCARD`)
}

/** Properties that describe the card and not the person. */
const ABOUT_THE_CARD =
  /^(?:VERSION|PRODID|REV|SOURCE|CLASS|SORT-STRING|KIND|X-ABLABEL|X-ABSHOWAS|X-ABUID|CLIENTPIDMAP)$/

const SOCIAL = lookup<string>({
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
  instagram: 'Instagram',
  twitter: 'Twitter',
})

function rowOf(card: readonly Property[], number: number): Keyed {
  const cells = new Map<string, string>([[UID_HEADING, '']])
  const labels = labelsOf(card, number)
  for (const property of preferredFirst(card)) {
    if (ABOUT_THE_CARD.test(property.name)) continue
    const text = textOf(property, number)
    if (text.trim() === '') continue
    if (property.binaryLength === undefined) put(cells, property, text, labels)
    else
      putNext(cells, `${headingOf(property.name)} (binary)`, `${property.binaryLength} characters of Base64`)
  }
  return cells
}

/** Preferred values first (TYPE=PREF in 3.0, PREF=1 in 4.0); of addresses, those of work. */
function preferredFirst(card: readonly Property[]): Property[] {
  const rank = (property: Property) => {
    const types = typesOf(property)
    const pref = types.includes('pref') ? 1 : Number(property.params.get('PREF')?.[0])
    return (
      (pref >= 1 && pref <= 100 ? pref : 101) * 2 +
      (property.name === 'ADR' && !types.includes('work') ? 1 : 0)
    )
  }
  return card.toSorted((a, b) => rank(a) - rank(b))
}

const typesOf = ({ params }: Property): string[] => (params.get('TYPE') ?? []).map(type => type.toLowerCase())

/** item1.X-ABLabel:_$!<Work>!$_ names the kind of item1.EMAIL */
const labelsOf = (card: readonly Property[], number: number): ReadonlyMap<string, string> =>
  new Map(
    card
      .filter(({ name, group }) => name === 'X-ABLABEL' && group !== '')
      .map(property => [property.group, textOf(property, number).replace(/^_\$!<(.*)>!\$_$/, '$1')]),
  )

type Write = (cells: Map<string, string>, text: string, label: string) => void

const single =
  (heading: string): Write =>
  (cells, text) =>
    putNext(cells, heading, unescaped(text))
const parts =
  (...headings: string[]): Write =>
  (cells, text) =>
    putParts(cells, text, headings)
const labelled =
  (heading: string): Write =>
  (cells, text, label) =>
    putLabelled(cells, heading, withoutScheme(unescaped(text)), label)

const WRITES = lookup<Write>({
  UID: single(UID_HEADING),
  FN: single('Name'),
  N: parts('Last Name', 'First Name', 'Middle Name', 'Name Prefix', 'Name Suffix'),
  NICKNAME: single('Nickname'),
  ORG: parts('Company', 'Department', 'Unit'),
  TITLE: single('Job Title'),
  // not `Role`, which would be taken for the job title
  ROLE: single('Role in the company'),
  EMAIL: labelled('Email'),
  TEL: labelled('Phone'),
  URL: labelled('Website'),
  ADR: putAddress,
  BDAY: (cells, text) => putNext(cells, 'Birthday', dayOf(unescaped(text))),
  CATEGORIES: (cells, text) => putNext(cells, 'Categories', listCell(split(text, ','))),
  PHOTO: single('Photo'),
  NOTE: single('Description'),
  TZ: single('Time Zone'),
  LANG: single('Language'),
})

function put(
  cells: Map<string, string>,
  property: Property,
  text: string,
  labels: ReadonlyMap<string, string>,
): void {
  const label = labels.get(property.group) ?? labelOf(property)
  const write = WRITES[property.name] ?? single(socialHeading(property) ?? headingOf(property.name))
  write(cells, text, label)
}

const socialHeading = (property: Property): string | undefined =>
  property.name === 'X-SOCIALPROFILE' ? typesOf(property).flatMap(type => SOCIAL[type] ?? [])[0] : undefined

/** "X-PHONETIC-FIRST-NAME" → "X-Phonetic-First-Name" */
const headingOf = (name: string): string =>
  name.toLowerCase().replace(/(?<=^|-)[a-z]/g, letter => letter.toUpperCase())

/** `Name`, then `Name 2`, … */
function putNext(cells: Map<string, string>, heading: string, text: string): void {
  if (text.trim() === '') return
  let free = heading
  for (let n = 2; (cells.get(free) ?? '') !== ''; n++) free = `${heading} ${n}`
  cells.set(free, text)
}

function putParts(cells: Map<string, string>, text: string, headings: readonly string[]): void {
  const parts = split(text, ';')
  for (const [i, heading] of headings.entries()) putNext(cells, heading, parts[i] ?? '')
  // further units of a company
  for (const part of parts.slice(headings.length)) putNext(cells, headings.at(-1) ?? '', part)
}

/** "Email 1 - Value" with its kind in "Email 1 - Label" */
function putLabelled(cells: Map<string, string>, heading: string, text: string, label: string): void {
  const n = nextNumber(cells, heading, 'Value')
  cells.set(`${heading} ${n} - Value`, text)
  cells.set(`${heading} ${n} - Label`, label)
}

function nextNumber(cells: ReadonlyMap<string, string>, heading: string, part: string): number {
  let n = 1
  while (cells.has(`${heading} ${n} - ${part}`)) n++
  return n
}

const ADDRESS = ['PO Box', 'Extended', 'Street', 'City', 'Region', 'Postal Code', 'Country']

function putAddress(cells: Map<string, string>, text: string, label: string): void {
  const parts = split(text, ';')
  if (parts.every(part => part.trim() === '')) return
  const n = nextNumber(cells, 'Address', 'Street')
  for (const [i, name] of ADDRESS.entries()) {
    const part = parts[i] ?? ''
    if (part !== '' || name === 'Street') cells.set(`Address ${n} - ${name}`, part)
  }
  cells.set(`Address ${n} - Label`, label)
}

const KINDS: [word: string, label: string][] = [
  ['cell', 'Mobile'],
  ['fax', 'Fax'],
  ['pager', 'Pager'],
  ['home', 'Home'],
  ['work', 'Work'],
  ['other', 'Other'],
]

const labelOf = (property: Property): string => {
  const types = typesOf(property)
  return KINDS.find(([word]) => types.includes(word))?.[1] ?? ''
}

const withoutScheme = (text: string): string => text.trim().replace(/^(?:mailto|tel):/i, '')

/** 19900501 and 1990-05-01T00:00:00Z are 1990-05-01. */
const dayOf = (text: string): string =>
  text
    .trim()
    .replace(/^(\d{4})(\d{2})(\d{2})(?=T|$)/, '$1-$2-$3')
    .replace(/^(\d{4}-\d{2}-\d{2})T.*$/, '$1')

export const unescaped = (text: string): string =>
  text.replace(/\\([\\,;:nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign))

/** At each separator that is not escaped. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === separator) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)].map(part => unescaped(part).trim())
}
