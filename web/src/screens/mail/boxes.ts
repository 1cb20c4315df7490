/** The kinds of mail that the screen lists. */
import type { Schemas } from '@kith/client'
import { useNavigate } from '@tanstack/react-router'
import { FileText, type LucideIcon, Mail, Send, Timer } from 'lucide-react'
import { useCreate } from '#data/records.ts'

export type Draft = Schemas['EmailDraft']
export type Template = Schemas['EmailTemplate']

interface Box {
  label: string
  icon: LucideIcon
  statuses: readonly Draft['status'][]
  empty: { title: string; text: string }
}

export const BOXES = {
  drafts: {
    label: 'Drafts',
    icon: Mail,
    statuses: ['failed', 'draft'],
    empty: { title: 'No drafts', text: 'Write a mail: it is saved here as you type.' },
  },
  scheduled: {
    label: 'Scheduled',
    icon: Timer,
    statuses: ['scheduled'],
    empty: { title: 'Nothing is scheduled', text: 'A mail that you send later waits here.' },
  },
  sent: {
    label: 'Sent',
    icon: Send,
    statuses: ['sent'],
    empty: { title: 'Nothing sent yet', text: 'Mails that you send are listed here and with their contact.' },
  },
} as const satisfies Record<string, Box>

export type BoxName = keyof typeof BOXES
export const BOX_NAMES = Object.keys(BOXES) as BoxName[]

export const TABS = [
  ...BOX_NAMES.map(name => ({ name, label: BOXES[name].label, icon: BOXES[name].icon })),
  { name: 'templates', label: 'Templates', icon: FileText },
] as const

export type TabName = (typeof TABS)[number]['name']

export const tabOf = (value: unknown): TabName => TABS.find(({ name }) => name === value)?.name ?? 'drafts'

export const recipientsText = ({ to, cc, bcc }: Draft): string =>
  [...to, ...cc, ...bcc].map(({ name, email }) => name || email).join(', ')

/** In the address of a mail that is not a draft yet. */
export const NEW = 'new'

export const NEW_DRAFT: Draft = {
  ...{ id: '', created_at: '', updated_at: '', account_id: '', user_id: '' },
  ...{ to: [], cc: [], bcc: [], subject: '', body_html: '', body_text: '', attachments: [], metadata: {} },
  ...{ template_id: null, contact_id: null, company_id: null, deal_id: null, activity_id: null },
  ...{ in_reply_to: null, message_id: null, status: 'draft', scheduled_at: null, sent_at: null, error: null },
}

/** Opens a new mail; with the text of a template it is a draft at once. */
export function useNewDraft() {
  const navigate = useNavigate()
  const create = useCreate('emailDrafts')
  return async (template?: Template) => {
    const open = (id: string) => navigate({ to: '/mail/$id', params: { id } })
    if (!template) return open(NEW)
    const body = { subject: template.subject, body_html: template.body_html, template_id: template.id }
    const draft = await create.mutateAsync(body).catch(() => undefined)
    if (draft) await open(draft.id)
  }
}
