/** Fragments that change the question before: "only the open ones", "and in France?", "sort by amount". */
import type { Rule } from '../chart.ts'
import { type About, type Clause, negated } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { RULES } from './index.ts'
import { AMOUNT, type Edit, isNumeric } from './shared.ts'

const narrow = (by: About | Clause): Edit => ({ kind: 'narrow', by })

const editRules = ruleSet(rule => {
  rule('Edit = Pronoun|Article? *Condition Suffix|Pronoun?', 0, narrow)
  rule('Edit = That|Pronoun? *Clause', 0.1, narrow)
  rule('Edit = Lack|Except|Not *Condition', 0, about => narrow(negated(about)))
  rule('Edit = Preposition? *Time', -0.5, time => ({ kind: 'time', time }))
  rule('Edit = Article? *Noun', 0, of => (of.where.length === 0 ? { kind: 'noun', of } : undefined))
  rule('Edit = Count Exists|Be? They?', 0, () => ({ kind: 'measure', measure: { kind: 'count' } }))
  rule('Edit = Ask They', 0, () => ({ kind: 'measure', measure: { kind: 'list' } }))
  rule('Edit = WhatIs|Ask? Article? *Statistic *Field', 0, (by, field) => ({ kind: 'sum', by, field }))
  rule('Edit = TheyWorth', 0, () => ({ kind: 'sum', by: 'sum', field: AMOUNT }))
  rule('Edit = Per Article? *Field', 0, field => ({ kind: 'group', field }))
  rule('Edit = SortedBy *Field *Direction?', 0, (field, direction) => ({
    kind: 'order',
    field,
    direction: direction ?? (isNumeric(field) ? 'desc' : 'asc'),
  }))
  rule('Edit = Ask? Be? Article? *Superlative Pronoun?', 0, ({ field, direction }) => ({
    kind: 'order',
    field,
    direction,
    limit: 1,
  }))
  rule('Edit = WhatIs? Article? *Field', 0.2, field => ({ kind: 'show', field }))
})

export const EDIT_RULES: readonly Rule[] = [...RULES, ...editRules]
