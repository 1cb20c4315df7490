import { type KeyboardEvent, useRef, useState } from 'react'
import type { FieldType } from '#data/field-types.ts'
import { classes } from '#lib/classes.ts'
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

/** The value as the input shows it. */
function textOf(type: FieldType, value: unknown): string {
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
  if (NUMBERS.includes(type)) return parseNumber(trimmed) ?? trimmed
  if (type === 'datetime') return new Date(trimmed).toISOString()
  if (type === 'list') return trimmed.split(/[,\s]+/).filter(Boolean)
  return trimmed
}

export function TextEditor({ field, value, onCommit, onCancel }: EditorProps) {
  const initial = textOf(field.type, value)
  const [text, setText] = useState(initial)
  const [problem, setProblem] = useState('')
  const isDone = useRef(false)

  const commit = () => {
    if (isDone.current) return
    const next = valueOfText(field.type, text)
    if (field.isRequired && next === null) return setProblem(`${field.label} cannot be empty`)
    if (NUMBERS.includes(field.type) && typeof next === 'string') return setProblem('Write a number')
    isDone.current = true
    if (text === initial) onCancel()
    else onCommit(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (field.type !== 'long_text' || event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      commit()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      isDone.current = true
      onCancel()
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
      type={inputTypeOf(field.type)}
      inputMode={NUMBERS.includes(field.type) ? 'decimal' : undefined}
      onFocus={event => event.target.select()}
      onChange={event => setText(event.target.value)}
    />
  )
}
