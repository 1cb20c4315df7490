/** Conditions on records: values, states, negation, alternatives, times. */
import type { Condition } from '../../../records/query/spec.ts'
import { ANY_ENTITY } from '../../lexicon/types.ts'
import { Costly } from '../chart.ts'
import { type About, both, canHaveOthers, negated, union } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { boundsOf, DONE, dated, isMe, isOwner, neither, says, type Time } from './shared.ts'

export const conditionRules = ruleSet(rule => {
  // An adjective can stand before a noun ("open deals"), other conditions only after it ("deals in Berlin").
  rule('Adjective = *Value', 0)
  rule('Adjective = *State', 0, ({ date: _, ...state }) => state)
  rule('Adjective = *Value Suffix', 0.2)
  rule('Adjective = *Values', 0)
  rule('Adjective = Not *Adjective', 0.4, negated)
  // "customers in France or prospects in Spain" are two sets, not customers in one of two cases
  rule('Adjective = *Adjective Or *Adjective', 0.4, (a, b) => union(a, b) ?? new Costly(both('or', a, b), 1))
  rule('Adjective = *Adjective *Adjective Or *Adjective', 0.4, (a, b, c) => {
    // "won, lost or open": values of one field, else the second would be lost
    const first = union(a, b)
    return first && union(first, c)
  })
  rule('Adjective = Either *Adjective Or *Adjective', 0.3, (a, b) => both('or', a, b))
  rule('Adjective = Neither *Adjective Or|Nor *Adjective', 0, neither)
  rule('Condition = *Adjective', 0)
  rule('Values = *Value Or Article? *Value', -0.5, union)
  rule('Values = Either Article? *Values', -0.1)
  // "Germany, Austria and Switzerland"
  rule('Values = *Value *Values', -0.3, union)
  // "in Germany and France": a record has one country, so a list of values means any of them
  rule('Values = *Value And *Value', -0.3, listed)
  rule('Values = *Values And *Value', -0.3, listed)
  rule('Values = *Value Or Preposition *Value', -0.4, union)

  rule('Condition = *Preposition Article? *Condition', 0.2, placed)
  rule('Condition = OwnedBy *Value', 0, about => (isOwner(about) && !isMe(about) ? about : undefined))
  rule('Condition = OwnedBy *Values', 0, about => (isOwner(about) ? about : undefined))
  rule('Condition = *Condition Suffix', 0.2)
  // A record with the choice "bouldering" can have other choices, too: those are not "bouldering only".
  rule('Condition = *State|Value Only', 0.3, ({ date: _, ...about }) =>
    canHaveOthers(about.where) ? undefined : about,
  )
  rule('Condition = Have Article? *Condition', 0.5)
  rule('Condition = Be Article? *Condition', 0.1)
  rule('Condition = That *Condition', 0.1)
  rule('Condition = We *Condition', 0.2)
  // "are we in negotiation with"
  rule('Condition = Be We *Condition Preposition', 0.2, about =>
    about.entity === 'deal' ? about : undefined,
  )
  rule('Condition = Not Article? *Condition', 0.4, about => {
    if (about.isLasting) return undefined
    // "not in Germany and in Energy": the negation is of the first alone
    return 'and' in about.where ? new Costly(negated(about), 1) : negated(about)
  })
  rule('Condition = Neither *Condition Or|Nor *Condition', 0, neither)
  rule('Condition = Not *Condition Or *Condition', 0.5, neither)
  rule('Condition = Either *Condition Or *Condition', 0.3, (a, b) => both('or', a, b))
  rule('Condition = Both *Condition And *Condition', 0.3, (a, b) => both('and', a, b))
  rule('Condition = *Condition Or *Condition', 1.2, (a, b) => both('or', a, b))
  rule('Condition = *Condition And|But *Condition', 1.2, (a, b) => both('and', a, b))

  rule('Condition = *State|Dated|Happened TimePreposition? *Time', 0, dated)
  // "in August or September"
  rule('Condition = *State|Dated|Happened TimePreposition? *Time Or|And *Time|Month', 0, (about, a, b) => {
    const [one, other] = [dated(about, a), dated(about, b)]
    return one && other && { ...one, where: { or: [one.where, other.where] } }
  })
  rule('Condition = *Dated', 0.5, ({ date: _, ...about }) =>
    'and' in about.where && about.where.and.length === 0 ? undefined : about,
  )
  rule('For = LostTo *Reason', 0)
  rule('For = *Because', 0)
  rule('LostFor = That? Be? *State|Happened *For', 0, (lost, reason) =>
    says(lost, 'lost') ? { ...reason, where: { and: [lost.where, reason.where] }, isState: true } : undefined,
  )
  // how long it has been so: "open for more than 90 days", "in Proposal for three weeks"
  rule('Condition = *State *Time', 0.1, (state, time) =>
    isLasting(state, time, 'open') ? lasting(state, 'created_at', time) : undefined,
  )
  rule('Condition = Be? Preposition *Value *Time', 0.1, (stage, time) =>
    isLasting(stage, time, 'stage.name') ? lasting(stage, 'stage_entered_at', time) : undefined,
  )
  rule('Condition = That? Entered *Value *Time', 0, (stage, time) =>
    says(stage, 'stage.name') ? dated({ ...stage, date: 'stage_entered_at' }, time) : undefined,
  )
  rule('Condition = *Happened', 0.1, ({ date: _, ...about }) => about)
  rule('Condition = *Time', 0.6, time => ({
    entity: 'activity',
    where: { and: [{ field: 'status', op: 'ne', value: 'cancelled' }, ...boundsOf('when', time.future)] },
  }))

  // who does something: "did we win", "has Tomasz lost", "closed by Mia"
  rule('Verb = *Verb Or *Verb', 0, (a, b) => {
    const either = a.date === b.date ? union(a, b) : undefined
    return either && { ...either, ...(a.date === undefined ? {} : { date: a.date }) }
  })
  rule('Subject = We', 0, () => ({ entity: ANY_ENTITY, where: { and: [] } }))
  rule('Subject = *Value|Values', 0, about => (isOwner(about) ? about : undefined))
  rule('Happened = Do|Have|Be? *Subject Have? *Verb', 0.1, byOne)
  rule('Happened = That *Subject Have? *Verb', 0.1, byOne)
  // "which calls did we have with Acme": those that took place
  rule('Happened = Did *Subject Have', -0.4, subject => byOne(subject, TOOK_PLACE))
  rule('Happened = Not *Happened', 0.4, about => ({ ...negated(about), isState: true }))

  // German ends a clause with its verb: "Deals, die wir gewonnen haben", "haben wir im Oktober gewonnen"
  rule('Happened = That *Subject *Verb HaveVerb', 0, byOne)
  rule('Condition = That *Condition Be', 0.1)
  rule('Condition = HaveVerb *Subject TimePreposition? *Time *Verb', 0, byOneThen)
  rule('Condition = That *Subject TimePreposition? *Time *Verb HaveVerb', 0, byOneThen)
  rule('Condition = Be TimePreposition? *Time *State|Dated', 0, (time, about) => dated(about, time))
})

const TOOK_PLACE: About = { entity: 'activity', where: DONE, date: 'happened_at' }

const isLasting = (about: About, time: Time, said: string): boolean =>
  time.isLasting === true && about.entity === 'deal' && says(about, said)

function lasting({ where, ...about }: About, field: string, { past }: Time): About {
  const since: Condition = { field, op: 'lt', value: past.from ?? past.to ?? '' }
  return { ...about, where: { and: [where, since] }, isLasting: true }
}

function byOneThen(subject: About, time: Time, action: About): About | undefined {
  const done = byOne(subject, action)
  return done && dated(done, time)
}

/** An action with who did it: the owner of the deal, the assignee of the activity. */
export function byOne(subject: About, { isState: _, ...action }: About): About | undefined {
  const all: About = { ...action, isState: true }
  if (subject.entity === ANY_ENTITY) return all
  if (action.date === 'created_at' && action.entity === ANY_ENTITY) return createdBy(subject, all)
  if (subject.entity !== action.entity) return undefined
  return { ...all, where: { and: [action.where, subject.where] } }
}

/** Who added a record: "the contacts I added". */
function createdBy({ entity, where }: About, action: About): About | undefined {
  if (entity !== 'contact') return undefined
  const by: Condition = JSON.parse(
    JSON.stringify('or' in where ? where.or[0] : where)
      .replace('owner_id', 'created_by')
      .replace('owner.', 'creator.'),
  )
  return { ...action, where: { and: [action.where, by] } }
}

const PLACES = ['country', 'city', 'state']

/** One is in a country or from it; "the CFO of Germany" is not a CFO in Germany. */
function placed(word: string, about: About): About | undefined {
  const isPlace = 'field' in about.where && PLACES.includes(about.where.field)
  return isPlace && /^(?:of|for|by|to)$/.test(word) ? undefined : about
}

function listed(a: About, b: About): About | undefined {
  // a record can have several tags: "tagged VIP and urgent" means both
  return canHaveOthers(a.where) ? undefined : union(a, b)
}
