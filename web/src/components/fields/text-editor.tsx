import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { toast } from '#components/toast.tsx'
import { draftOf, forgetDraft, keepDraft } from '#data/drafts.ts'
import type { FieldType } from '#data/field-types.ts'
import { classes } from '#lib/classes.ts'
import { type Money, parseMoney } from '#lib/money.ts'
import { numberText, parseNumber } from '#lib/numbers.ts'
import type { EditorProps } from './field-editor.tsx'

const INPUT_TYPES: Partial<Record<FieldType, string>> = {
  date: 'date',
  datetime: 'datetime-local',
  email: 'email',
  phone: 'tel',
  url: 'url',
}
export const inputTypeOf = (type: FieldType): string => INPUT_TYPES[type] ?? 'text'

const NUMBERS: readonly FieldType[] = ['number', 'money', 'percent']

const CURRENCY_SIGN = /\p{Sc}/u

/** The value as the input shows it. */
export function textOf(type: FieldType, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (type === 'datetime') {
    const time = new Date(String(value))
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }
  if (typeof value === 'number') return numberText(value)
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** What is written; an empty input is null. A text that is no number remains one, and the service refuses it. */
export function valueOfText(type: FieldType, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  // without its sign, "€ 500" would become an amount in the currency of the record
  if (type === 'money' && CURRENCY_SIGN.test(trimmed)) return trimmed
  if (NUMBERS.includes(type)) return parseNumber(trimmed) ?? trimmed
  if (type === 'datetime') return new Date(trimmed).toISOString()
  if (type === 'list') return trimmed.split(/[,\s]+/).filter(Boolean)
  return trimmed
}

export function TextEditor({ field, record, value, onCommit, onCancel }: EditorProps) {
  const initial = textOf(field.type, value)
  const [text, setText] = useState(() => draftOf(record, field.key) ?? initial)
  const [problem, setProblem] = useState('')
  const isDone = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  const typed = useRef<string>(undefined)
  typed.current = text === initial ? undefined : text
  const { id } = record
  useEffect(
    () => () => {
      if (!isDone.current && typed.current !== undefined) keepDraft({ id }, field.key, typed.current)
    },
    [id, field.key],
  )

  const refuse = (reason: string) => {
    if (reason !== problem) toast(reason)
    setProblem(reason)
  }
  const commit = () => {
    if (isDone.current) return
    const own = 'currency' in record ? String(record.currency) : undefined
    const money: Money | string | undefined =
      field.type === 'money' && text.trim() && text !== initial ? parseMoney(text, own) : undefined
    if (typeof money === 'string') return refuse(money)
    const next = money ? money.amount : valueOfText(field.type, text)
    // the browser reports half a date as an empty text, which would empty the field
    if (input.current?.validity.badInput) return refuse('Write the whole date, or nothing')
    if (field.isRequired && next === null) return refuse(`${field.label} cannot be empty`)
    if (NUMBERS.includes(field.type) && typeof next === 'string') return refuse('Write a number')
    isDone.current = true
    if (text === initial) return cancel()
    keepDraft(record, field.key, text)
    const isOther = money?.currency !== undefined && money.currency !== own
    onCommit(next, undefined, isOther ? { currency: money.currency } : undefined)
  }
  const cancel = () => {
    isDone.current = true
    forgetDraft(record, field.key)
    onCancel()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (field.type !== 'long_text' || event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      commit()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      cancel()
    }
  }
  const shared = {
    value: text,
    'aria-label': field.label,
    'aria-invalid': problem !== '',
    title: problem,
    autoFocus: true,
    onBlur: commit,
    onKeyDown,
    className: classes(
      'w-full bg-transparent outline-none',
      problem && 'text-bad',
      field.type === 'long_text' && 'min-h-24 rounded-md bg-raised p-2 shadow-float',
    ),
  }
  if (field.type === 'long_text')
    return <textarea {...shared} onChange={event => setText(event.target.value)} />
  return (
    <input
      {...shared}
      ref={input}
      type={inputTypeOf(field.type)}
      inputMode={NUMBERS.includes(field.type) ? 'decimal' : undefined}
      onFocus={event => event.target.select()}
      onChange={event => setText(event.target.value)}
    />
  )
}
