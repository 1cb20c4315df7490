/** Activities, notes and recordings. */
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { rows } from '../../../kernel/statements.ts'
import {
  companiesOf,
  day,
  fact,
  linked,
  linkedNames,
  linkedNamesSelect,
  nameOf,
  prose,
  type Source,
  strings,
  texts,
  unlessProse,
  userName,
} from './source.ts'

export const activity: Source = {
  entityType: 'activity',
  label: 'Activity',
  table: 'activities',
  group: 'activities',
  select: ctx => sql`r.type, r.subject, r.description, r.status, r.priority, r.due_at, r.due_date, r.start_at,
    r.happened_at, r.outcome, r.location, ${userName('assignee_id')} as assignee, ${linkedNamesSelect(ctx, 'activity')}`,
  text: row => ({
    name: row.subject,
    identities: [row.subject],
    phones: [],
    facts: [
      row.subject,
      ...fact('Type', row.type),
      ...fact('Status', row.status),
      ...fact('Priority', row.priority),
      ...fact('Due', row.due_date ?? day(row.due_at)),
      ...fact('On', day(row.happened_at ?? row.start_at)),
      ...fact('Outcome', unlessProse(row.outcome)),
      ...fact('Location', row.location),
      ...fact('Tags', strings(row.tags).join(', ')),
    ],
    context: [...linkedNames(row), ...texts(row.assignee)],
    around: row.around,
    texts: texts([...texts(row.description), ...prose(row.outcome)].join('\n')),
  }),
}

/** The first line, used as the name of a note without a title. */
const beginning = (content: string) => {
  const line = content
    .replace(/^[#>\s*-]+/, '')
    .replace(/\n.*$/s, '')
    .trim()
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line
}

export const note: Source = {
  entityType: 'note',
  label: 'Note',
  table: 'notes',
  group: 'notes',
  select: ctx => sql`r.title, r.content, ${linkedNamesSelect(ctx, 'note')},
    ${linked(ctx, 'note_activities', 'note_id', 'activity_id', 'activities', 'subject')} as activities`,
  text: row => ({
    name: row.title || beginning(row.content) || 'Note',
    identities: texts(row.title),
    phones: [],
    facts: fact('Tags', strings(row.tags).join(', ')),
    context: [...linkedNames(row), ...row.activities],
    around: row.around,
    texts: [row.content],
  }),
}

const segmentsOf = (ctx: Ctx) =>
  sql`(select coalesce(json_agg(s.text order by s.place), '[]')
    from ${rows(ctx, 'transcription_segments')} s where s.transcription_id = r.id)`

/** One line per segment, unless the text has been edited. */
const transcriptLines = (text: string | null, segments: string[]): string | null =>
  text !== null && segments.join(' ') === text ? segments.join('\n') : text

export const transcription: Source = {
  entityType: 'transcription',
  label: 'Transcription',
  table: 'transcriptions',
  group: 'transcriptions',
  select: ctx => sql`r.file_name, r.text, r.summary, ${segmentsOf(ctx)} as segments,
    ${nameOf(ctx, 'activities', 'subject', 'activity_id')} as activity,
    ${nameOf(ctx, 'contacts', 'full_name', 'contact_id')} as contact,
    ${nameOf(ctx, 'companies', 'name', 'company_id')} as company, ${nameOf(ctx, 'deals', 'name', 'deal_id')} as deal,
    ${companiesOf(ctx, sql`select r.contact_id`, sql`select r.deal_id`)} as around`,
  text: row => ({
    name: row.file_name,
    identities: [row.file_name],
    phones: [],
    facts: [],
    context: texts(row.activity, row.contact, row.company, row.deal),
    around: row.around,
    texts: texts(row.summary, transcriptLines(row.text, row.segments)),
  }),
}
