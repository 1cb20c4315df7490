/** The kinds of record whose trash people look into, with the group of the typed client. */
import {
  AudioLines,
  BookOpen,
  Building2,
  FileText,
  Handshake,
  ListChecks,
  ListFilter,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Package,
  Paperclip,
  StickyNote,
  Users,
} from 'lucide-react'
import { nameOf } from '#components/fields/reference-editor.tsx'
import type { WriteGroup } from '#data/groups.ts'
import { formatMoney } from '#lib/format.ts'

export const TRASH_GROUPS = [
  'contacts',
  'companies',
  'deals',
  'activities',
  'products',
  'notes',
  'documents',
  'emailDrafts',
  'emailTemplates',
  'chats',
  'transcriptions',
  'files',
  'views',
] as const satisfies readonly WriteGroup[]

export type TrashGroup = (typeof TRASH_GROUPS)[number]

export const TRASH_KINDS: Readonly<Record<TrashGroup, { label: string; one: string; icon: LucideIcon }>> = {
  contacts: { label: 'Contacts', one: 'contact', icon: Users },
  companies: { label: 'Companies', one: 'company', icon: Building2 },
  deals: { label: 'Deals', one: 'deal', icon: Handshake },
  activities: { label: 'Activities', one: 'activity', icon: ListChecks },
  products: { label: 'Products', one: 'product', icon: Package },
  notes: { label: 'Notes', one: 'note', icon: StickyNote },
  // a folder is restored with the pages that were deleted with it
  documents: { label: 'Pages', one: 'page', icon: BookOpen },
  emailDrafts: { label: 'Mails', one: 'mail', icon: Mail },
  emailTemplates: { label: 'Templates', one: 'template', icon: FileText },
  chats: { label: 'Chats', one: 'chat', icon: MessagesSquare },
  transcriptions: { label: 'Recordings', one: 'recording', icon: AudioLines },
  files: { label: 'Files', one: 'file', icon: Paperclip },
  views: { label: 'Views', one: 'view', icon: ListFilter },
}

export const groupOf = (kind: unknown): TrashGroup => TRASH_GROUPS.find(group => group === kind) ?? 'contacts'

/** The fields of a record in the trash that the screen shows. */
export interface Deleted {
  id: string
  deleted_at?: string
}

/** A note without a title is shown by its first line. */
export function titleOf(record: object): string {
  const name = nameOf(record) || ('file_name' in record && String(record.file_name))
  if (name) return name
  const content = 'content' in record ? String(record.content) : ''
  return content.split('\n')[0]?.slice(0, 120) || 'Untitled'
}

/** A detail that distinguishes two records of the same name. */
export function detailOf(record: object): string {
  const { email, city, amount, currency, type, sku } = record as Record<string, unknown>
  const sum = typeof amount === 'number' ? formatMoney(amount, String(currency)) : undefined
  return [email, city, sum, type, sku].filter(value => typeof value === 'string' && value).join(' · ')
}
