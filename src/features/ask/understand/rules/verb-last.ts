/** Clauses that end with their verb, as in German: "Firmen, die keine Deals haben", "Deals, die wir gewonnen haben". */
import { type About, clauseOn } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { byOne } from './conditions.ts'
import { everyOf } from './questions.ts'
import { dated, type Time } from './shared.ts'

export const verbLastRules = ruleSet(rule => {
  rule('Clause = That *Records HaveVerb', 0.2, of => ({ kind: 'some', of }))
  rule('Clause = That No *Records HaveVerb', 0, of => ({ kind: 'none', of }))
  rule('Happened = That *Subject *Verb HaveVerb', 0, byOne)
  rule('Condition = That *Condition Be', 0.1, about => about)
  // the time stands between: "haben wir im Oktober gewonnen", "sind heute fällig"
  rule('Condition = HaveVerb *Subject TimePreposition? *Time *Verb', 0, then)
  rule('Condition = That *Subject TimePreposition? *Time *Verb HaveVerb', 0, then)
  rule('Meaning = DoAll *Noun *Records', 0, (of, object) =>
    everyOf(of, clauseOn(of.entity, { kind: 'some', of: object })),
  )
  rule('Condition = Be TimePreposition? *Time *State|Dated', 0, (time, about) => dated(about, time))
})

function then(subject: About, time: Time, action: About): About | undefined {
  const done = byOne(subject, action)
  return done && dated(done, time)
}
