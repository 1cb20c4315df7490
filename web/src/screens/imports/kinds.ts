/** What a file can be imported as, and how the states of an import are shown. */
import type { Schemas } from '@kith/client'
import { Building2, Handshake, ListChecks, type LucideIcon, Package, StickyNote, Users } from 'lucide-react'
import type { Tone } from '#data/field-types.ts'

export type Import = Schemas['Import']
export type ImportKind = Import['entity_type']
export type Status = Import['status']

interface KindLabels {
  one: string
  many: string
  icon: LucideIcon
  /** file names that say what the file has */
  names: RegExp
}

export const IMPORT_KINDS: Readonly<Record<ImportKind, KindLabels>> = {
  contact: { one: 'contact', many: 'contacts', icon: Users, names: /contact|people|person|kontakt|\.vcf$/i },
  company: { one: 'company', many: 'companies', icon: Building2, names: /compan|account|organi|firm/i },
  deal: { one: 'deal', many: 'deals', icon: Handshake, names: /deal|opportunit|pipeline/i },
  activity: {
    ...{ one: 'activity', many: 'activities', icon: ListChecks },
    names: /activit|task|calendar|event|\.ics$/i,
  },
  note: { one: 'note', many: 'notes', icon: StickyNote, names: /note/i },
  product: { one: 'product', many: 'products', icon: Package, names: /product|catalog|price/i },
}

export const KIND_NAMES = Object.keys(IMPORT_KINDS) as ImportKind[]

/** What a file probably has, by its name. */
export const kindOfFile = (name: string): ImportKind =>
  KIND_NAMES.find(kind => IMPORT_KINDS[kind].names.test(name)) ?? 'contact'

export const STATUSES: Readonly<Record<Status, { label: string; tone: Tone }>> = {
  uploaded: { label: 'Not started', tone: 'neutral' },
  validating: { label: 'Dry run', tone: 'accent' },
  ready: { label: 'Ready', tone: 'accent' },
  running: { label: 'Running', tone: 'accent' },
  completed: { label: 'Imported', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Stopped', tone: 'warn' },
  reverted: { label: 'Undone', tone: 'neutral' },
}

export const isBusy = ({ status }: { status: Status }): boolean =>
  status === 'validating' || status === 'running'
/** Its mapping can still be changed. */
export const isOpen = ({ status }: { status: Status }): boolean =>
  status === 'uploaded' || status === 'validating' || status === 'ready'

/** Records of these kinds have lists. */
export const listOf = (kind: ImportKind): string | undefined =>
  kind === 'note' ? undefined : IMPORT_KINDS[kind].many
