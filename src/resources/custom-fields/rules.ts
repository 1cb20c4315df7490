/** The rules between the parts of a definition and its type. */
import { date, datetime, type Issue, type Loc, type Schema } from '../../kernel/schema/index.ts'
import type { Definition, FieldType, Option, Validation } from './definition.ts'
import { compilePattern, UnsafePattern } from './pattern.ts'
import type { CustomFieldInput } from './record.ts'
import { RATING, TEXT_LIMITS, valueSchema } from './value-schemas.ts'

const CHOICES: readonly FieldType[] = ['select', 'multi_select']
const NUMBERS: readonly FieldType[] = ['number', 'currency', 'rating']
const MOMENTS: readonly FieldType[] = ['date', 'datetime']
const NEVER_UNIQUE: readonly FieldType[] = ['boolean', 'multi_select', 'json']
const MAX_RATING = 100

/** Which rules a type of field can have. */
const RULES: Record<keyof Validation, (type: FieldType) => boolean> = {
  min: type => NUMBERS.includes(type) || MOMENTS.includes(type),
  max: type => NUMBERS.includes(type) || MOMENTS.includes(type),
  min_length: type => type in TEXT_LIMITS || type === 'multi_select',
  max_length: type => type in TEXT_LIMITS || type === 'multi_select',
  // matching a pattern against a long text would take too long
  pattern: type => type in TEXT_LIMITS && type !== 'long_text',
  entity_type: type => type === 'reference',
}

/** The parts of a definition that depend on each other, as a request has them and as they are stored. */
type Declared = Pick<
  CustomFieldInput,
  'field_type' | 'is_unique' | 'default_value' | 'options' | 'validation'
>
type Settled<Given> = Given & Pick<Definition, 'default_value' | 'options' | 'validation'>

type Report = (loc: Loc, sentence: string, input: unknown) => void

/** The definition with its options, rules and default in the form to store; problems are added to `issues`. */
export function settle<Given extends Declared>(declared: Given, issues: Issue[]): Settled<Given> {
  const report: Report = (loc, sentence, input) =>
    issues.push({
      type: 'value_error',
      loc: ['body', ...loc],
      msg: `Value error, ${sentence}`,
      input,
      ctx: { error: {} },
    })
  const type = declared.field_type
  const settled: Settled<Given> = {
    ...declared,
    default_value: declared.default_value ?? null,
    options: settledOptions(type, declared.options ?? null, report),
    validation: settledRules(type, declared.validation ?? null, report, issues),
  }
  if (settled.is_unique && NEVER_UNIQUE.includes(type)) {
    report(['is_unique'], `a field of the type ${type} cannot be unique`, true)
  }
  if (settled.default_value === null || issues.length > 0) return settled
  if (settled.is_unique) {
    report(['default_value'], 'a unique field cannot have a default', settled.default_value)
    return settled
  }
  const default_value = valueSchema(settled).check(settled.default_value, ['body', 'default_value'], issues)
  return { ...settled, default_value }
}

function settledOptions(
  type: FieldType,
  options: NonNullable<CustomFieldInput['options']> | null,
  report: Report,
): Option[] | null {
  if (!CHOICES.includes(type)) {
    if (options?.length) report(['options'], `a field of the type ${type} has no options`, options)
    return null
  }
  const seen = new Set<string>()
  return (options ?? []).map((option, i) => {
    if (seen.has(option.value)) report(['options', i, 'value'], 'this option is there already', option.value)
    seen.add(option.value)
    return {
      value: option.value,
      label: option.label ?? option.value,
      color: option.color ?? null,
      position: option.position ?? i,
      is_archived: option.is_archived,
    }
  })
}

function settledRules(
  type: FieldType,
  rules: Validation | null,
  report: Report,
  issues: Issue[],
): Validation | null {
  if (!rules || Object.values(rules).every(value => value == null)) return null
  const applies = <T>(name: keyof Validation, value: T): value is T & {} => {
    if (value == null || RULES[name](type)) return value != null
    report(['validation', name], `${name} does not apply to a field of the type ${type}`, value)
    return false
  }
  const bound = (name: 'min' | 'max', value: number | string) =>
    boundOf(type, value, ['validation', name], report, issues)
  const { min, max, min_length, max_length, pattern, entity_type } = rules
  const settled: Validation = {
    ...(applies('min', min) ? { min: bound('min', min) } : {}),
    ...(applies('max', max) ? { max: bound('max', max) } : {}),
    ...(applies('min_length', min_length) ? { min_length } : {}),
    ...(applies('max_length', max_length) ? { max_length } : {}),
    ...(applies('pattern', pattern) ? { pattern: patternOf(pattern, report) } : {}),
    ...(applies('entity_type', entity_type) ? { entity_type } : {}),
  }
  checkOrder('min', 'max', settled, report)
  checkOrder('min_length', 'max_length', settled, report)
  const limit = TEXT_LIMITS[type]
  for (const name of ['min_length', 'max_length'] as const) {
    const value = settled[name]
    if (limit !== undefined && value != null && value > limit) {
      report(['validation', name], `a field of the type ${type} holds at most ${limit} characters`, value)
    }
  }
  return settled
}

function boundOf(
  type: FieldType,
  value: number | string,
  loc: string[],
  report: Report,
  issues: Issue[],
): number | string {
  if (MOMENTS.includes(type)) {
    const schema: Schema<string> = type === 'date' ? date() : datetime()
    return schema.check(value, ['body', ...loc], issues)
  }
  if (typeof value !== 'number') report(loc, `a bound of a field of the type ${type} is a number`, value)
  else if (type === 'rating' && !(Number.isInteger(value) && value >= 0 && value <= MAX_RATING)) {
    report(loc, `a rating lies between 0 and ${MAX_RATING}`, value)
  }
  return value
}

function patternOf(pattern: string, report: Report): string {
  try {
    compilePattern(pattern)
  } catch (error) {
    if (!(error instanceof UnsafePattern)) throw error
    report(['validation', 'pattern'], error.message, pattern)
  }
  return pattern
}

function checkOrder(
  low: 'min' | 'min_length',
  high: 'max' | 'max_length',
  rules: Validation,
  report: Report,
): void {
  const least = rules[low]
  const most = rules[high]
  if (least == null || most == null || typeof least !== typeof most || least <= most) return
  report(['validation', high], `${high} must not be less than ${low}`, most)
}

/** A rating goes from 1 to 5 by default; other limits must leave a choice. */
export function ratingProblem({
  field_type,
  validation,
}: Pick<Definition, 'field_type' | 'validation'>): string | undefined {
  if (field_type !== 'rating') return undefined
  const { min, max } = { ...RATING, ...validation }
  return Number(min) > Number(max) ? `min ${min} is above max ${max}` : undefined
}
