/** English verbs that need a time, what one does when one has activities, and verbs for being in contact. */
import { is, open, undone, words } from '../entries.ts'
import { ANY_ENTITY, type DateEntry, type TouchEntry } from '../types.ts'

const notCancelled = { field: 'status', op: 'ne', value: 'cancelled' }
/** A meeting that one has may be over; a task that one has is not done. */
const having = { and: [notCancelled, { or: [{ field: 'type', op: 'ne', value: 'task' }, undone] }] }

export const DATES: readonly DateEntry[] = [
  { entity: 'activity', field: 'falls_due_at', words: words('due, are due, is due'), where: undone },
  { entity: 'activity', field: 'falls_due_at', words: words('was due, were due, had been due, fell due') },
  {
    entity: 'activity',
    field: 'planned_at',
    words: words('planned for, planned, scheduled, scheduled for, on, on for, happening'),
    where: undone,
  },
  {
    entity: 'activity',
    field: 'happened_at',
    words: words('held, made, done, took place, logged, happened, completed'),
    where: is('status', 'completed'),
  },
  {
    entity: ANY_ENTITY,
    field: 'created_at',
    words: words('created, added, entered'),
    verbs: words('create, created, add, added, enter, entered, get'),
  },
  { entity: ANY_ENTITY, field: 'created_at', words: words('older') },
  { entity: ANY_ENTITY, field: 'updated_at', words: words('updated, changed, modified') },
  {
    entity: 'activity',
    field: 'happened_at',
    words: words('sent, we sent'),
    verbs: words('send, sent, write, wrote'),
    where: {
      and: [
        is('type', 'email'),
        is('status', 'completed'),
        { field: 'direction', op: 'ne', value: 'inbound' },
      ],
    },
  },
  {
    entity: 'activity',
    field: 'happened_at',
    words: words('received, we received'),
    verbs: words('receive, received'),
    where: { and: [is('status', 'completed'), is('direction', 'inbound')] },
  },
  {
    entity: 'deal',
    field: 'expected_close_date',
    words:
      words(`closing, close, closes, expected to close, due to close, set to close, supposed to close, should close,
      will close, going to close, likely to close, expected, due, should we be closing, should we close, slated,
      slated for, landing, are we closing, expected to come in, coming in, to close`),
    verbs: words('expect to close, expect, be closing'),
    where: open,
  },
]

export const HAVING: readonly DateEntry[] = [
  {
    entity: 'activity',
    field: 'when',
    words: words('have, has, got, have on'),
    where: having,
  },
  {
    entity: 'activity',
    field: 'planned_at',
    words:
      words(`have to do, has to do, still have to do, need to do, have due, has due, have planned, have scheduled,
      have coming up, have to finish, have to send, still have to send, have to make, still have to make`),
    where: undone,
  },
]

export const TOUCHES: readonly TouchEntry[] = [
  {
    types: ['call', 'meeting', 'email'],
    words:
      words(`spoken to, spoken with, speak to, speak with, spoke to, spoke with, talked to, talked with, talk to,
      talk with, contacted, contact, been in touch with, in touch with, been in contact with, in contact with,
      heard from, reached, reached out to, touched, interacted with, been contacted, been spoken to, been touched,
      been reached, spoken, talked`),
  },
  { types: ['call'], words: words('called, call, phoned, phone, rung, been called') },
  {
    types: ['meeting'],
    words: words('met, meet, met with, meet with, visited, visit, seen, been visited'),
  },
  { types: ['email'], words: words('emailed, email, written to, been emailed') },
]
