/** German words for kinds of records, their states and their dates. */
import { is, open, undone, words } from '../entries.ts'
import { ANY_ENTITY, type DateEntry, type NounEntry, type StateEntry } from '../types.ts'

export const NOUNS: readonly NounEntry[] = [
  {
    entity: 'deal',
    words: words('deal, geschaft, verkaufschance, abschluss'),
    many: words('deals, geschafte, geschaften, verkaufschancen, abschlusse'),
  },
  {
    entity: 'company',
    words: words('firma, unternehmen, gesellschaft, organisation'),
    many: words('firmen, unternehmen, gesellschaften, organisationen'),
  },
  { entity: 'product', words: words('produkt'), many: words('produkte, produkten') },
  {
    entity: 'contact',
    words: words('kontakt, ansprechpartner, person'),
    many: words('kontakte, kontakten, ansprechpartner, personen, leute, leuten'),
  },
  {
    entity: 'activity',
    words: words('aktivitat'),
    many: words('aktivitaten'),
  },
  {
    entity: 'activity',
    words: words('anruf, telefonat'),
    many: words('anrufe, anrufen, telefonate'),
    where: is('type', 'call'),
  },
  {
    entity: 'activity',
    words: words('termin, treffen, besprechung, meeting, besuch'),
    many: words('termine, terminen, treffen, besprechungen, meetings, besuche'),
    where: is('type', 'meeting'),
  },
  {
    entity: 'activity',
    words: words('aufgabe'),
    many: words('aufgaben'),
    where: is('type', 'task'),
  },
  { entity: 'activity', words: [], many: words('emails, e-mails, mails'), where: is('type', 'email') },
  { entity: 'note', words: words('notiz'), many: words('notizen') },
]

export const STATES: readonly StateEntry[] = [
  {
    entity: 'deal',
    words: words('offen, offene, offenen, offener, offenes, laufende, laufenden, noch offen'),
    where: open,
  },
  {
    entity: 'deal',
    words: words('gewonnen, gewonnene, gewonnenen, gewonnener, gewonnenes'),
    verbs: words('gewonnen, gewinnen, abgeschlossen'),
    where: is('status', 'won'),
    date: 'closed_at',
  },
  {
    entity: 'deal',
    words: words('verloren, verlorene, verlorenen, verlorener, verlorenes'),
    verbs: words('verloren, verlieren'),
    where: is('status', 'lost'),
    date: 'closed_at',
  },
  {
    entity: 'deal',
    words: words('geschlossen, geschlossene, geschlossenen'),
    where: { field: 'status', op: 'in', value: ['won', 'lost'] },
    date: 'closed_at',
  },
  {
    entity: 'deal',
    words: words('uberfallig, uberfallige, uberfalligen'),
    where: { and: [open, { field: 'expected_close_date', op: 'lt', value: '$today' }] },
  },
  {
    entity: 'activity',
    words: words('uberfallig, uberfallige, uberfalligen'),
    where: { field: 'is_overdue', op: 'eq', value: true },
  },
  {
    entity: 'activity',
    words: words('offen, offene, offenen, geplant, geplante, geplanten, geplanter, geplantes, ausstehend'),
    where: undone,
    date: 'planned_at',
  },
  {
    entity: 'activity',
    words: words('erledigt, erledigte, erledigten, abgeschlossene, abgeschlossenen'),
    verbs: words('gemacht, erledigt, gefuhrt, gehabt'),
    where: is('status', 'completed'),
    date: 'happened_at',
  },
  {
    entity: 'activity',
    words: words('abgesagt, abgesagte, abgesagten'),
    where: is('status', 'cancelled'),
  },
]

export const DATES: readonly DateEntry[] = [
  {
    entity: 'activity',
    field: 'falls_due_at',
    words: words('fallig, fallige, falligen'),
    where: undone,
  },
  {
    entity: ANY_ENTITY,
    field: 'created_at',
    words: words('angelegt, erstellt, angelegte, angelegten'),
    verbs: words('angelegt, erstellt'),
  },
  {
    entity: 'deal',
    field: 'expected_close_date',
    words: words('schliessen, schliesst, schliessen voraussichtlich'),
    where: open,
  },
]
