/** The fields that columns can be mapped to, as people know them. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { kith } from '#data/client.ts'
import type { Field } from '#data/field-types.ts'
import { useFields } from '#data/fields.ts'
import { keys } from '#data/keys.ts'
import { useMembers, usePipelines } from '#data/people.tsx'
import { humanize } from '#lib/format.ts'
import { IMPORT_KINDS, type ImportKind } from './kinds.ts'

export interface ImportField {
  /** as the service names it */
  name: string
  label: string
  /** beside the label */
  detail?: string
  /** the values that it takes, where there are few */
  choices?: readonly Choice[]
  /** a custom field with options, to which an import can add */
  hasOptions?: boolean
}

export interface Choice {
  value: string
  label: string
}

/** Few files have them: they come last in the choice. */
const RARE = /^id$|_ids?$|_(at|by)$|^created_by|^enrichment|^metadata$/

const NO_FIELDS: readonly Field[] = []

const LABELS: Readonly<Record<string, string>> = {
  id: 'Id in Kith',
  external_id: 'Id in the other system',
  external_ids: 'Ids in other systems',
  full_name: 'Full name',
  company_domain: 'Company, by its domain',
  created_by: 'Created by, id in Kith',
  created_by_name: 'Created by',
  metadata: 'Custom fields as JSON',
}

/**
 * `company_name` and `company_id` are two ways to say which company. `company_names` are all companies of a record that
 * has one main company.
 */
function linked(
  name: string,
  fields: readonly Field[],
): { field: Field; label: string; detail: string } | undefined {
  const [, stem, way] = /^(.+)_(names?|external_ids?|ids?)$/.exec(name) ?? []
  if (!stem || !way) return undefined
  const field = fields.find(({ key }) => key === `${stem}_id` || key === `${stem}_ids`)
  if (!field) return undefined
  const isSeveral = way.endsWith('s') && field.key === `${stem}_id`
  const ids = way.endsWith('s') ? 'ids' : 'id'
  const source = way.startsWith('name')
    ? ''
    : `${ids} in ${way.startsWith('ext') ? 'the other system' : 'Kith'}`
  const all = field.kind && isSeveral ? `All ${IMPORT_KINDS[field.kind].many}` : field.label
  return { field, label: all, detail: source }
}

export function describe(name: string, fields: readonly Field[]): Omit<ImportField, 'choices'> {
  const own = fields.find(({ key }) => key === name)
  if (LABELS[name]) return { name, label: LABELS[name] }
  const link = linked(name, fields)
  if (link) return { name, label: link.label, ...(link.detail ? { detail: link.detail } : {}) }
  if (own) return { name, label: own.label }
  return name.startsWith('cf.')
    ? { name, label: humanize(name.slice(3)), detail: 'new field' }
    : { name, label: humanize(name) }
}

/** All fields of a kind; `mapped` are those of the import, which may be of the product that wrote the file. */
export function useImportFields(kind: ImportKind, mapped: readonly string[]): readonly ImportField[] {
  const own = useFields(kind === 'note' ? 'contact' : kind)
  const fields = kind === 'note' ? NO_FIELDS : own
  const { members } = useMembers()
  const { pipelines, stages } = usePipelines()
  const { data: template } = useQuery({
    queryKey: keys.other('imports', 'template', { kind }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/imports/template/{entity_type}', { path: { entity_type: kind }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const further = mapped.join(',')
  return useMemo(() => {
    const all = new Set([...namesIn(template ?? ''), ...further.split(',').filter(Boolean)])
    const names = [...all].sort((a, b) => Number(RARE.test(a)) - Number(RARE.test(b)))
    const choicesOf = (name: string): readonly Choice[] | undefined => {
      const field = fields.find(({ key }) => key === name) ?? linked(name, fields)?.field
      if (name.endsWith('_id') || !field) return undefined
      if (field.type === 'stage') return named([...new Set(stages.map(stage => stage.name))])
      if (field.type === 'pipeline') return named(pipelines.map(pipeline => pipeline.name))
      if (field.type === 'user') return members.map(({ email, name: label }) => ({ value: email, label }))
      return field.options?.map(({ value, label }) => ({ value, label }))
    }
    return names.map(name => {
      const choices = choicesOf(name)
      const hasOptions = name.startsWith('cf.') && choices !== undefined
      return { ...describe(name, fields), ...(choices ? { choices } : {}), hasOptions }
    })
  }, [template, further, fields, members, pipelines, stages])
}

const named = (names: readonly string[]): Choice[] => names.map(name => ({ value: name, label: name }))

/** The template is one line of CSV. */
const namesIn = (template: string): string[] =>
  template
    .trim()
    .split(',')
    .map(cell => cell.replaceAll('"', ''))
    .filter(Boolean)

/** The key that a custom field for this column would have. */
export function newKey(header: string): string {
  const words = header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return `cf.${(/^[a-z]/.test(words) ? words : `field_${words}`).slice(0, 60).replace(/_+$/, '')}`
}
