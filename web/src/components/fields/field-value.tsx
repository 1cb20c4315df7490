/** How the value of a field is shown, in tables and on record pages. */
import { Check, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Badge } from '#components/badge.tsx'
import { RecordAnchor } from '#components/record-link.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { ADDRESS_KEY, type AddressList, addressesOf } from '#data/addresses.ts'
import { isDay } from '#data/due.ts'
import { type Field, type FieldType, readField } from '#data/field-types.ts'
import { GROUP_OF_KIND } from '#data/groups.ts'
import { nameOf } from '#data/names.ts'
import { useMembers, usePipelines } from '#data/people.tsx'
import { useRecord } from '#data/records.ts'
import { formatDate, formatMoney, formatNumber, formatPercent, humanize } from '#lib/format.ts'

interface Reference {
  id: string
  name: string
}

interface LinkProps {
  /** -1: links are no tab stops, for a table, which is one itself */
  tabIndex?: -1
}

interface FieldValueProps extends LinkProps {
  field: Field
  record: object
  /** names without links, for elements that are links themselves */
  isPlain?: boolean
}

export function FieldValue({ field, record, isPlain, ...link }: FieldValueProps): ReactNode {
  const value = readField(record, field)
  if (value === null || value === undefined || value === '') return null
  if (field.type === 'reference' && !(value as Reference).name)
    return <UnnamedLink field={field} id={(value as Reference).id} isPlain={isPlain === true} {...link} />
  if (isPlain && LINKED.includes(field.type)) return plainText(value)
  switch (field.type) {
    case 'user':
      return <Member id={String(value)} />
    case 'stage':
      return <Stage id={String(value)} />
    case 'pipeline':
      return 'pipeline' in record ? (record.pipeline as Reference).name : null
    case 'reference':
      return <RecordLink field={field} reference={value as Reference} {...link} />
    case 'references':
      return <References field={field} references={value as Reference[]} {...link} />
    case 'money':
      return formatMoney(Number(value), 'currency' in record ? String(record.currency) : 'EUR')
    default:
      return <PlainValue field={field} value={value} {...link} />
  }
}

/** Shown as links, and as plain text in elements that are links themselves. */
const LINKED: readonly FieldType[] = ['reference', 'references', 'email', 'phone', 'emails', 'phones', 'url']

const plainText = (value: unknown): string =>
  [value]
    .flat()
    .map(one => (typeof one === 'object' && one !== null ? nameIn(one) : String(one)))
    .join(', ')

const nameIn = (value: object): string => {
  const { name, email, phone } = value as Record<string, unknown>
  return String(name ?? email ?? phone ?? '')
}

interface PlainValueProps extends LinkProps {
  field: Field
  value: unknown
}

/** Values that are shown without looking anything up. */
export function PlainValue({ field, value, ...link }: PlainValueProps): ReactNode {
  switch (field.type) {
    case 'number':
      return formatNumber(Number(value))
    case 'percent':
      return formatPercent(Number(value))
    case 'boolean':
      return value ? <Check size={14} className="text-ink-2" aria-label="Yes" /> : null
    case 'date':
      return formatDate(String(value))
    case 'due':
      return isDay(String(value)) ? formatDate(String(value)) : <TimeAgo time={String(value)} />
    case 'datetime':
      return <TimeAgo time={String(value)} />
    case 'select':
      return <OptionBadge field={field} value={String(value)} />
    case 'multi_select':
    case 'categories':
      return <Badges field={field} values={[value].flat().map(String)} />
    case 'list':
      return [value].flat().join(', ')
    case 'rating':
      return <Rating value={Number(value)} />
    case 'url':
      return <WebLink address={String(value)} {...link} />
    case 'email':
    case 'phone':
      return <AddressLink kind={field.type} value={String(value)} {...link} />
    case 'emails':
    case 'phones':
      return <Addresses list={field.type} value={value} {...link} />
    case 'json':
      return JSON.stringify(value)
    default:
      return String(value)
  }
}

interface AddressLinkProps extends LinkProps {
  kind: 'email' | 'phone'
  value: string
}

/** Opens the program for mails or calls. */
export const AddressLink = ({ kind, value, ...link }: AddressLinkProps) => (
  <a
    href={kind === 'email' ? `mailto:${value}` : `tel:${value.replaceAll(/[^\d+*#,;]/g, '')}`}
    className="hover:underline"
    {...link}
  >
    {value}
  </a>
)

/** One below the other with what it is for; in a table in one line. */
function Addresses({ list, value, ...link }: LinkProps & { list: AddressList; value: unknown }) {
  const addresses = addressesOf(list, value)
  const isTable = link.tabIndex === -1
  return (
    <span className={isTable ? '' : 'flex flex-col gap-0.5'}>
      {addresses.map(({ value: address, type, is_primary }, index) => (
        <span key={`${address} ${type}`}>
          {isTable && index > 0 && ', '}
          <AddressLink kind={ADDRESS_KEY[list]} value={address} {...link} />
          {!isTable && (
            <span className="ml-2 text-xs text-ink-3">
              {humanize(type)}
              {is_primary && addresses.length > 1 && ', primary'}
            </span>
          )}
        </span>
      ))}
    </span>
  )
}

function OptionBadge({ field, value }: { field: Field; value: string }) {
  const option = field.options?.find(one => one.value === value)
  return <Badge tone={option?.tone ?? 'neutral'}>{option?.label ?? humanize(value)}</Badge>
}

const Badges = ({ field, values }: { field: Field; values: string[] }) => (
  <span className="flex min-w-0 gap-1 overflow-hidden">
    {values.map(value => (
      <OptionBadge key={value} field={field} value={value} />
    ))}
  </span>
)

const Rating = ({ value }: { value: number }) => (
  <span role="img" aria-label={`${value} of 5`} className="inline-flex text-warn">
    {[1, 2, 3, 4, 5].map(step => (
      <Star key={step} size={13} fill={step <= value ? 'currentColor' : 'none'} />
    ))}
  </span>
)

/** Only http addresses become links: another scheme could run script. */
function WebLink({ address, ...link }: LinkProps & { address: string }) {
  const url = /^https?:\/\//i.test(address) ? address : `https://${address}`
  if (!URL.canParse(url)) return address
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="hover:underline" {...link}>
      {address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
    </a>
  )
}

export function Member({ id }: { id: string }) {
  const { byId } = useMembers()
  const name = byId.get(id)?.name ?? ''
  if (!name) return null
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Avatar name={name} />
      <span className="truncate">{name}</span>
    </span>
  )
}

export function Stage({ id }: { id: string }) {
  const { stageById } = usePipelines()
  const stage = stageById.get(id)
  if (!stage) return null
  const tone = stage.type === 'won' ? 'good' : stage.type === 'lost' ? 'bad' : 'accent'
  return <Badge tone={tone}>{stage.name}</Badge>
}

interface RecordLinkProps extends LinkProps {
  field: Field
  reference: Reference
}

export function RecordLink({ field, reference, ...link }: RecordLinkProps) {
  const group = GROUP_OF_KIND[field.kind ?? 'company']
  return (
    <RecordAnchor
      group={group}
      id={reference.id}
      className="flex min-w-0 items-center gap-1.5 hover:underline"
      {...link}
    >
      <Avatar name={reference.name} isSquare={field.kind !== 'contact'} />
      <span className="truncate">{reference.name}</span>
    </RecordAnchor>
  )
}

interface UnnamedLinkProps extends LinkProps {
  field: Field
  id: string
  isPlain: boolean
}

/** A record that the service gives by its id only, such as the parent of a company. */
export function UnnamedLink({ field, id, isPlain, ...link }: UnnamedLinkProps) {
  const group = GROUP_OF_KIND[field.kind ?? 'company']
  const { data, error } = useRecord(group, id)
  if (error && !data) return <span className="text-ink-3">In the trash</span>
  const name = data ? nameOf(data) : '…'
  return isPlain ? name : <RecordLink field={field} reference={{ id, name }} {...link} />
}

interface ReferencesProps extends LinkProps {
  field: Field
  references: Reference[]
}

function References({ field, references, ...link }: ReferencesProps) {
  const [first, ...others] = references
  if (!first) return null
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <RecordLink field={field} reference={first} {...link} />
      {others.length > 0 && (
        <span className="shrink-0 text-ink-3" title={others.map(({ name }) => name).join(', ')}>
          +{others.length}
        </span>
      )}
    </span>
  )
}
