/** When an activity is due: `due_at` is a time, `due_date` a day without one. People see one field with an optional time. */
import { today } from '../lib/format.ts'

/** `2026-01-31`, or a time of ISO 8601. */
export const isDay = (due: string): boolean => due.length === 10

/** The time where both are set: the service compares it, too. */
export const dueOf = (record: object): string | null => {
  const { due_at, due_date } = record as { due_at?: string | null; due_date?: string | null }
  return due_at ?? due_date ?? null
}

/** One is set and the other emptied, so that they never contradict each other. */
export const dueChanges = (due: unknown): { due_at: string | null; due_date: string | null } => {
  if (typeof due !== 'string' || due === '') return { due_at: null, due_date: null }
  return isDay(due) ? { due_at: null, due_date: due } : { due_at: due, due_date: null }
}

/** The inputs of a day and a time, in the reader's time zone. */
export function dueInputs(due: unknown): { day: string; time: string } {
  if (typeof due !== 'string' || due === '') return { day: '', time: '' }
  if (isDay(due)) return { day: due, time: '' }
  const time = new Date(due)
  return { day: today(time), time: time.toTimeString().slice(0, 5) }
}

/** A time without a day is of today. */
export function dueFrom(day: string, time: string): string | null {
  if (!time) return day || null
  return new Date(`${day || today()}T${time}`).toISOString()
}

/** A moment to compare with others: a day without a time lasts until its end. */
export const dueMoment = (due: string): Date => new Date(isDay(due) ? `${due}T23:59:59` : due)
