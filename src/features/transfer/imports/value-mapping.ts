/** Values that cells of a column are replaced by: "Closed Won" is the stage Won, "Lunch" a meeting. */
import { errors } from '../../../kernel/errors.ts'
import { lettersOf } from './aliases.ts'
import type { Column } from './analyse.ts'
import { stageTypeOf } from './deal-status.ts'
import type { ImportField } from './fields.ts'
import type { StageInfo } from './lookups.ts'
import { type Existing, isOfPipeline, sameName } from './relations.ts'
import { choicesOf } from './values.ts'

/** Column → cell → the value that replaces it; null: no value. */
export type ValueMapping = Record<string, Record<string, string | null>>

/** Words that other products have for the values of our enumerations, by their letters and digits. */
const SYNONYMS: Record<string, Record<string, string>> = {
  type: {
    call: 'phonecall telephone anruf telefonat coldcall followupcall outboundcall',
    meeting:
      'lunch appointment demo presentation event termin besprechung coffee visit onlinemeeting webinar dinner',
    task: 'todo deadline followup aufgabe reminder sendletter sendquote',
    email: 'mail sentemail emailsent incomingemail newsletter',
    other: 'note sms linkedinmessage letter brief conversation postalmail whatsapp',
  },
  status: {
    planned: 'open notstarted todo scheduled pending new waiting deferred offen geplant false no 0 undone',
    in_progress: 'inprogress started inbearbeitung working ongoing waitingonsomeoneelse',
    completed: 'done complete closed finished erledigt held true yes 1 abgeschlossen',
    cancelled: 'canceled noshow rejected abgesagt storniert',
  },
  priority: {
    low: 'niedrig lowest minor 3',
    medium: 'normal mittel moderate default 2',
    high: 'hoch important major 1',
    urgent: 'critical highest dringend asap 0',
  },
  direction: {
    inbound: 'incoming received in eingehend',
    outbound: 'outgoing sent out ausgehend',
  },
}

/** Of HubSpot's tasks */
const NO_PRIORITY = /^(?:none|nopriority|keine|ohne)$/

/** For columns with few different values, suggestions for those that do not exist. */
export function suggestValues(
  column: Column,
  field: ImportField,
  existing: Existing,
  pipeline: string | null,
) {
  const values = column.values ?? []
  const isStage = field.destination.at === 'link' && field.destination.field === 'stage_id'
  const choices = choicesOf(field.json)
  const suggest = isStage
    ? (value: string) => stageFor(value, existing.stages, pipeline)
    : choices && choices.length > 0
      ? (value: string) => choiceFor(value, field.name, choices)
      : () => undefined
  const suggestions = values.flatMap(value => {
    const other = suggest(value)
    return other === undefined ? [] : [[value, other] as const]
  })
  return suggestions.length === 0 ? undefined : Object.fromEntries(suggestions)
}

function stageFor(value: string, stages: readonly StageInfo[], pipeline: string | null): string | undefined {
  const among = stages.filter(stage => (pipeline === null ? stage.is_default : isOfPipeline(stage, pipeline)))
  const same = among.find(stage => lettersOf(stage.name) === lettersOf(value))
  if (same) return sameName(same.name, value) ? undefined : same.name
  const type = stageTypeOf(value)
  return type === 'open' ? undefined : among.find(stage => stage.type === type)?.name
}

function choiceFor(value: string, field: string, choices: readonly string[]): string | null | undefined {
  const letters = lettersOf(value)
  if (choices.some(choice => lettersOf(choice) === letters)) return undefined
  if (field === 'priority' && NO_PRIORITY.test(letters)) return null
  const words = SYNONYMS[field] ?? {}
  return choices.find(choice => words[choice]?.split(' ').includes(letters))
}

/** As a client sends it: known columns, and texts or null. */
export function checkValueMapping(
  columns: readonly Column[],
  requested: Record<string, unknown>,
): ValueMapping {
  const headers = new Set(columns.map(column => column.header))
  for (const [header, values] of Object.entries(requested)) {
    const loc = ['body', 'value_mapping', header]
    if (!headers.has(header)) throw errors.invalidValue(loc, 'the file has no such column', values)
    const isGood =
      typeof values === 'object' &&
      values !== null &&
      !Array.isArray(values) &&
      Object.values(values).every(value => value === null || typeof value === 'string')
    if (!isGood)
      throw errors.invalidValue(loc, 'write it as {"cell": "value"}, with null for no value', values)
  }
  return requested as ValueMapping
}

export const mergedValues = (before: ValueMapping, change: ValueMapping): ValueMapping => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(change).map(([header, values]) => [header, { ...before[header], ...values }]),
  ),
})
