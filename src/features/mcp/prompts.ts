/** Prompts: work that people ask of a model often, with the steps in which the tools do it. */
import { errors } from '../../kernel/errors.ts'
import { isRecord } from '../../lib/values.ts'

interface Prompt {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  text(values: Record<string, string>): string
}

const CITE = 'Give the id of each record that you rely on. Say what the records do not hold; do not guess.'
const UNCHANGED = 'Change nothing.'

const PROMPTS: readonly Prompt[] = [
  {
    name: 'account_brief',
    title: 'Account brief',
    description: 'What we know about a company, on one page',
    arguments: [{ name: 'company', description: 'Its name or id', required: true }],
    text: ({ company = '' }) =>
      `Write a brief on the company ${quoted(company)}, one page at most.
1. Find it with search; read it with get and timeline: true. If several fit, ask which one is meant.
2. With query, list its open deals (stage, amount, expected close date, owner), its closed deals of the last two years, its contacts with their roles, and its last ten activities and notes.
3. Write: who they are; the people and what each wants; what is open and its value; what happened last and when; what is overdue or has been silent for more than 30 days; three next steps.
${CITE} ${UNCHANGED}`,
  },
  {
    name: 'meeting_prep',
    title: 'Meeting preparation',
    description: 'What to know before a meeting with a person or a company',
    arguments: [
      { name: 'with', description: 'The person or company, by name or id', required: true },
      { name: 'purpose', description: 'What the meeting is for', required: false },
    ],
    text: ({ with: whom = '', purpose = '' }) =>
      `Prepare a meeting with ${quoted(whom)}${purpose === '' ? '' : ` about ${quoted(purpose)}`}.
1. Find them with search and read them with get and timeline: true. Read the planned meeting, if query finds one in activities.
2. With query, list their company, their open deals, open tasks, and the last five activities and notes; read the notes that bear on the purpose.
3. Write: who will be there and what they care about; where we stand; promises that we made and have not kept; questions to ask; objections to expect; the outcome to aim for.
${CITE} ${UNCHANGED}`,
  },
  {
    name: 'pipeline_review',
    title: 'Pipeline review',
    description: 'Where the open deals stand and which need attention',
    arguments: [
      { name: 'pipeline', description: 'The name of a pipeline; all when absent', required: false },
      { name: 'owner', description: 'The name of a member; all when absent', required: false },
    ],
    text: ({ pipeline = '', owner = '' }) =>
      `Review the open deals${pipeline === '' ? '' : ` of the pipeline ${quoted(pipeline)}`}${owner === '' ? '' : ` of ${quoted(owner)}`}.
1. Read the stages with describe_schema for deal.
2. With query, add up amount and weighted_amount by stage and by month of expected_close_date; list deals whose expected close date has passed, deals without an activity in the last 21 days, and deals without a next activity.
3. Write: the totals by stage; what is likely to close this month and this quarter; each deal at risk with its reason and a next step; what has changed in the last seven days.
${CITE} ${UNCHANGED}`,
  },
]

const quoted = (text: string): string => `"${text.replaceAll('"', "'")}"`
const MAX_ARGUMENT = 500

export const listedPrompts = () => PROMPTS.map(({ text: _, ...prompt }) => prompt)

export function promptOf(name: string, given: unknown) {
  const prompt = PROMPTS.find(one => one.name === name)
  if (!prompt) throw errors.notFound('Prompt')
  const values: Record<string, string> = {}
  for (const { name: key, required } of prompt.arguments) {
    const value = isRecord(given) && Object.hasOwn(given, key) ? given[key] : undefined
    if (typeof value === 'string' && value.trim() !== '') values[key] = value.trim().slice(0, MAX_ARGUMENT)
    else if (required) throw errors.invalidValue([key], 'this argument is needed', null)
  }
  const content = { type: 'text' as const, text: prompt.text(values) }
  return { description: prompt.description, messages: [{ role: 'user' as const, content }] }
}
