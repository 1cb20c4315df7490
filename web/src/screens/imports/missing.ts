/** What the rows of an import name, and what happens where that is not here. */
import type { Schemas } from '@kith/client'
import type { ImportField } from './fields.ts'

type CreatableOf<R> = { [K in keyof R]: 'create' extends R[K] ? K : never }[keyof R]
type Rules = Required<Schemas['ImportOnMissing']>
export type Missing = keyof Rules
export type MissingRule = Rules[Missing]

/** Those of the service, which a test compares. */
export const DEFAULT_RULES: Readonly<Rules> = {
  owner: 'fail',
  author: 'empty',
  company: 'create',
  contact: 'fail',
  deal: 'fail',
  stage: 'fail',
  pipeline: 'fail',
  tag: 'create',
  option: 'fail',
}

export const MISSING_LABELS: Readonly<Record<Missing, string>> = {
  owner: 'Owners',
  author: 'Authors',
  company: 'Companies',
  contact: 'Contacts',
  deal: 'Deals',
  stage: 'Stages',
  pipeline: 'Pipelines',
  tag: 'Tags',
  option: 'Options',
}

/** The rules that allow `create`: one that the service does not allow, or a missing one, is an error of types. */
const CREATABLE: Readonly<Record<CreatableOf<Rules>, true>> = {
  company: true,
  contact: true,
  stage: true,
  pipeline: true,
  tag: true,
  option: true,
}

const BY_STEM: Readonly<Record<string, Missing>> = {
  owner: 'owner',
  assignee: 'owner',
  created_by: 'author',
  company: 'company',
  associated_company: 'company',
  contact: 'contact',
  associated_contact: 'contact',
  primary_contact: 'contact',
  team: 'contact',
  deal: 'deal',
  associated_deal: 'deal',
  stage: 'stage',
  pipeline: 'pipeline',
}

/** The rule that is about a field. */
function missingOf({ name, hasOptions }: ImportField): Missing | undefined {
  if (hasOptions) return 'option'
  if (name === 'tags') return 'tag'
  if (name === 'created_by') return 'author'
  return BY_STEM[/^(.+?)_(names?|external_ids?|ids?|domain)$/.exec(name)?.[1] ?? '']
}

export const missingIn = (mapped: readonly ImportField[]): Missing[] => [
  ...new Set(mapped.flatMap(field => missingOf(field) ?? [])),
]

export const rulesFor = (missing: Missing): { value: MissingRule; label: string }[] => [
  ...(missing in CREATABLE ? [{ value: 'create' as const, label: 'Create them' }] : []),
  { value: 'empty', label: missing === 'author' ? 'Take me instead' : 'Leave empty' },
  { value: 'fail', label: 'Fail the row' },
]
