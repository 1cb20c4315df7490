/** The options of a custom field of the type select or multi_select, as cells name them: by value or by label. */
import type { Definition, Option } from '../../../resources/custom-fields/definition.ts'
import { MAX_CHOICES, MAX_OPTION } from '../../../resources/custom-fields/value-schemas.ts'

export interface Choices {
  fieldId: string
  /** The option that a text names: "In progress" is in_progress. */
  find(text: string): string | undefined
  /** Notes an option to be created; one that is too long, or one too many, is not. */
  add(text: string): void
  /** the options to be created */
  readonly added: readonly string[]
}

const keyOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')

export function choicesFor({ id, field_type, options }: Definition): Choices | undefined {
  if (field_type !== 'select' && field_type !== 'multi_select') return undefined
  const declared = options ?? []
  const offered = declared.filter(option => !option.is_archived)
  const byKey = new Map<string, string>()
  for (const part of ['value', 'label'] as const) {
    for (const option of offered) {
      if (!byKey.has(keyOf(option[part]))) byKey.set(keyOf(option[part]), option.value)
    }
  }
  const isValue = (list: readonly Option[], text: string) => list.some(({ value }) => value === text.trim())
  const added: string[] = []
  return {
    fieldId: id,
    added,
    find: text => (isValue(offered, text) ? text.trim() : byKey.get(keyOf(text))),
    add(text) {
      const value = text.trim()
      const isFull = declared.length + added.length >= MAX_CHOICES
      if (byKey.has(keyOf(value)) || isValue(declared, value) || isFull || [...value].length > MAX_OPTION)
        return
      byKey.set(keyOf(value), value)
      added.push(value)
    },
  }
}
