/** The kinds of record that searches and answers name: how each is called, and the page that shows one. */
import {
  BookOpen,
  Building2,
  FileText,
  Handshake,
  ListChecks,
  type LucideIcon,
  Mail,
  MessageCircleQuestion,
  Mic,
  Package,
  StickyNote,
  Users,
} from 'lucide-react'
import { kith } from '#data/client.ts'
import { GROUP_OF_KIND, type Kind } from '#data/groups.ts'
import { hasScreen, type ScreenName } from './screens.ts'

interface FoundKind {
  label: string
  icon: LucideIcon
  /** the screen that shows a record of this kind */
  screen: ScreenName
  pathOf: (id: string) => string | Promise<string>
}

const pageOf =
  (kind: Kind) =>
  (id: string): string =>
    `/${GROUP_OF_KIND[kind]}/${id}`

/** A note has no page: it is on that of its record. */
async function notePath(note_id: string): Promise<string> {
  const note = await kith.request('GET', '/api/notes/{note_id}', { path: { note_id } })
  const kind = (Object.keys(GROUP_OF_KIND) as Kind[]).find(name => name === note.entity_type)
  const linked = note.contact_ids?.[0]
  if (kind && note.entity_id) return pageOf(kind)(note.entity_id)
  return linked ? pageOf('contact')(linked.id) : '/'
}

async function messagePath(message_id: string): Promise<string> {
  const message = await kith.request('GET', '/api/chats/messages/{message_id}', { path: { message_id } })
  return `/ask/${message.chat_id}`
}

const KINDS: Readonly<Record<string, FoundKind>> = {
  contact: { label: 'Contact', icon: Users, screen: 'record', pathOf: pageOf('contact') },
  company: { label: 'Company', icon: Building2, screen: 'record', pathOf: pageOf('company') },
  deal: { label: 'Deal', icon: Handshake, screen: 'record', pathOf: pageOf('deal') },
  activity: { label: 'Activity', icon: ListChecks, screen: 'record', pathOf: pageOf('activity') },
  product: { label: 'Product', icon: Package, screen: 'record', pathOf: pageOf('product') },
  note: { label: 'Note', icon: StickyNote, screen: 'record', pathOf: notePath },
  kb_page: { label: 'Page', icon: BookOpen, screen: 'knowledge', pathOf: id => `/knowledge/${id}` },
  email_draft: { label: 'Draft', icon: Mail, screen: 'mail', pathOf: id => `/mail/${id}` },
  email_template: { label: 'Template', icon: FileText, screen: 'mail', pathOf: () => '/mail?box=templates' },
  chat_message: { label: 'Chat', icon: MessageCircleQuestion, screen: 'ask', pathOf: messagePath },
  transcription: { label: 'Recording', icon: Mic, screen: 'recordings', pathOf: id => `/recordings/${id}` },
}

/** For `entity_types` of the search: only what a screen can show. */
export const FOUND_KINDS: string = Object.keys(KINDS)
  .filter(kind => KINDS[kind] && hasScreen(KINDS[kind].screen))
  .join(',')

export const kindLabel = (kind: string): string => KINDS[kind]?.label ?? kind
export const kindIcon = (kind: string): LucideIcon => KINDS[kind]?.icon ?? FileText
export const recordPath = async (kind: string, id: string): Promise<string> =>
  (await KINDS[kind]?.pathOf(id)) ?? '/'
