/** What the rows of an import name, and what happens where that is not here. */
import type { Schemas } from '@kith/client'
import type { ImportField } from './fields.ts'

export type Missing = keyof Schemas['ImportOnMissing']
export type MissingRule = 'fail' | 'empty' | 'create'

/** As the service has them. */
export const DEFAULT_RULES: Readonly<Record<Missing, MissingRule>> = {
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

const CREATABLE: readonly Missing[] = ['company', 'contact', 'stage', 'pipeline', 'tag', 'option']

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
  ...(CREATABLE.includes(missing) ? [{ value: 'create' as const, label: 'Create them' }] : []),
  { value: 'empty', label: missing === 'author' ? 'Take me instead' : 'Leave empty' },
  { value: 'fail', label: 'Fail the row' },
]
