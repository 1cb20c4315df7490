/** How phrases combine. A word that has no role in a rule leaves the question without a parse: nothing is dropped. */
import type { Rule } from '../chart.ts'
import { activityRules } from './activities.ts'
import { clauseRules } from './clauses.ts'
import { compareRules } from './compare.ts'
import { comparisonRules } from './comparisons.ts'
import { conditionRules } from './conditions.ts'
import { fieldRules } from './fields.ts'
import { groupRules } from './groups.ts'
import { questionRules } from './questions.ts'
import { rankingRules } from './rankings.ts'
import { recordRules } from './records.ts'
import { wantedRules } from './wanted.ts'

export const RULES: readonly Rule[] = [
  ...conditionRules,
  ...comparisonRules,
  ...recordRules,
  ...clauseRules,
  ...wantedRules,
  ...fieldRules,
  ...rankingRules,
  ...groupRules,
  ...activityRules,
  ...questionRules,
  ...compareRules,
]
