/** The settings of an import: what is proposed, merged with what the client has chosen. */
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import type { Item, RecordType } from '../../../kernel/resource.ts'
import type { Column } from './analyse.ts'
import { importFields, isExternal } from './fields.ts'
import { checkMapping, fieldNamed, type Mapped, type Mapping, mappingOf, proposed } from './mapping.ts'
import { checkMatchOn } from './match.ts'
import { withNewFields } from './new-fields.ts'
import { type ImportOptions, mergedOptions, type OnMissing } from './options.ts'
import { type Profile, profileOf, sourceOf } from './profiles.ts'
import { type Existing, knownNames, loadExisting, missingOf } from './relations.ts'
import { checkValueMapping, mergedValues, suggestValues, type ValueMapping } from './value-mapping.ts'
import { type Warning, warningsFor } from './warnings.ts'

export interface Settings {
  columns: Column[]
  mapping: Mapping
  value_mapping: ValueMapping
  options: ImportOptions
  warnings: Warning[]
}

export interface Change {
  mapping?: Record<string, unknown>
  value_mapping?: Record<string, unknown>
  options?: ImportOptions
}

/** `before`: the settings so far, where the file is read as before. */
export async function settingsOf(
  ctx: Ctx,
  record: RecordType,
  fileColumns: readonly Column[],
  change: Change,
  /** warnings about data of the file that is not in its columns */
  notices: readonly Warning[],
  before?: Pick<Settings, 'mapping' | 'value_mapping' | 'options'>,
): Promise<Settings> {
  const fields = await importFields(ctx, record)
  const existing = await loadExisting(ctx, record)
  const profile = profileFor(fileColumns, change.options, before?.options)
  const source = change.options?.source ?? before?.options.source ?? (profile && sourceOf(profile))
  const guessable = source ? fields : new Map([...fields].filter(([, field]) => !isExternal(field)))
  // With another profile the columns mean something else.
  const isSameProfile = before && (before.options.profile ?? undefined) === profile
  const columns = isSameProfile ? [...fileColumns] : proposed(record, fileColumns, guessable, profile)
  const begun = isSameProfile ? before.mapping : mappingOf(columns)
  const chosenMapping = change.mapping ? checkMapping(record, columns, fields, begun, change.mapping) : begun
  const isMaking = change.options?.create_fields === true && 'metadata' in record.input.fields
  const mapping = isMaking ? withNewFields(columns, chosenMapping, change.mapping ?? {}) : chosenMapping
  await checkMatchOn(ctx, record, matchOnOf(change.options))
  const fieldOf = fieldNamed(record, fields)
  const mapped = columns.flatMap(column => {
    const name = mapping[column.header]
    const field = name == null ? undefined : fieldOf(name)
    return field ? [{ column, field }] : []
  })
  const chosen = mergedOptions(before?.options ?? { duplicate_strategy: 'skip' }, change.options ?? {})
  const options = isSameProfile
    ? chosen
    : mergedOptions(proposedOptions(profile, proposedMissing(mapped, existing)), chosen)
  requireSource(mapped, options)
  const fresh = mapped.filter(
    ({ column }) => !before || before.mapping[column.header] !== mapping[column.header],
  )
  const suggested = Object.fromEntries(
    fresh.flatMap(({ column, field }) => {
      const values = suggestValues(column, field, existing, options.pipeline ?? null)
      return values ? [[column.header, values] as const] : []
    }),
  )
  const requested = checkValueMapping(columns, change.value_mapping ?? {})
  const value_mapping = mergedValues({ ...before?.value_mapping, ...suggested }, requested)
  const warnings = [
    ...notices,
    ...warningsFor({ columns, mapping, mapped, value_mapping, options, existing }),
  ]
  return { columns, mapping, value_mapping, options, warnings }
}

function profileFor(
  columns: readonly Column[],
  change: ImportOptions | undefined,
  before: ImportOptions | undefined,
): Profile | undefined {
  if (change?.profile !== undefined) return change.profile ?? undefined
  return before ? (before.profile ?? undefined) : profileOf(columns)
}

/** Records of another product have their own owners, stages and pipelines: `fail` would fail most rows. */
function proposedOptions(profile: Profile | undefined, missing: Partial<OnMissing>): ImportOptions {
  if (!profile) return { on_missing: missing }
  const source = sourceOf(profile)
  return {
    profile,
    ...(source === undefined ? {} : { source }),
    on_missing: {
      owner: 'empty',
      company: 'create',
      contact: 'create',
      deal: 'empty',
      stage: 'create',
      pipeline: 'create',
      tag: 'create',
    },
  }
}

/** Ids without their system would be taken for ids of another system. */
function requireSource(mapped: readonly Mapped[], options: ImportOptions): void {
  const external = mapped.find(({ field }) => isExternal(field))
  if (!external || options.source != null) return
  const sentence = `${external.field.name} needs options.source, the system that the ids come from`
  throw errors.invalidValue(['body', 'mapping', external.column.header], sentence, external.field.name)
}

const matchOnOf = (options: ImportOptions | undefined): string[] =>
  options?.match_on == null ? [] : [options.match_on].flat()

/** Where no value of a column exists, `fail` would fail every row: owners are left out, stages are created. */
function proposedMissing(mapped: readonly Mapped[], existing: Existing): Partial<OnMissing> {
  const proposals: Partial<OnMissing> = {}
  for (const { column, field } of mapped) {
    const isKnown = knownNames(field, existing)
    if (!isKnown || field.destination.at !== 'link' || column.samples.length === 0) continue
    if ((column.values ?? column.samples).some(isKnown)) continue
    const missing = missingOf(field.destination.field, '')
    if (missing === 'owner') proposals.owner = 'empty'
    if (missing === 'stage' || missing === 'pipeline') proposals[missing] = 'create'
  }
  return proposals
}

/** As the columns of the table store them. */
export const storedSettings = ({ columns, mapping, value_mapping, options, warnings }: Settings): Item => ({
  columns: JSON.stringify(columns),
  mapping: JSON.stringify(mapping),
  value_mapping: JSON.stringify(value_mapping),
  options: JSON.stringify(options),
  warnings: JSON.stringify(warnings),
})
