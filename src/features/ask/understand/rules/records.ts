/** Sets of records: a noun with what is said of it. */
import { Costly } from '../chart.ts'
import {
  type About,
  both,
  clauseOn,
  isRelated,
  liftCost,
  narrowed,
  negated,
  on,
  type Records,
  relationTo,
  union,
  whole,
} from '../meaning.ts'
import { ruleSet } from './build.ts'
import { counted } from './clauses.ts'
import {
  allOf,
  alsoOf,
  DEALS,
  dated,
  described,
  endedIn,
  isOwner,
  modified,
  PEOPLE,
  says,
  such,
  suchThat,
  WON,
  without,
} from './shared.ts'

export const recordRules = ruleSet(rule => {
  rule('Records = *Noun', 0)
  rule('Records = Article *Records', 0.1)
  rule('Records = *Adjective *Records', 0.5, (about, records) => {
    // before a noun only what the company is can stand for the record: "German deals", not "CFO companies"
    if (about.entity !== 'company' && liftCost(records.entity, about) > 0) return undefined
    const meaning = modified(records, about)
    // "open deals in Germany or lost deals": what comes first is said of the first alone
    const [only] = records.where
    return meaning && only && 'or' in only ? new Costly(meaning.meaning, meaning.extra + 0.8) : meaning
  })
  // "vip customers", "German leads": two names for the same records
  rule('Records = *Noun *Noun', 0.3, (a, b) => alsoOf(b, a))
  rule('Records = *Records That? Be Article? *Noun', 0.3, alsoOf)
  rule('Records = *Records That? Be? Not Article? *Noun', 0.3, without)
  rule('Records = *Records *Condition', 0.6, modified)
  rule('Records = *Records And *Condition', 1.1, (records, about) => {
    // "except won and lost ones": the exception goes on
    const last = records.where.at(-1)
    const isExcepted = last && 'not' in last && union({ entity: about.entity, where: last.not }, about)
    return records.where.length > 0 && !isExcepted ? modified(records, about) : undefined
  })
  rule('Records = *Records Except *Adjective And *Adjective Suffix?', 0.2, (records, a, b) => {
    const both = union(a, b)
    return both && modified(records, negated(both))
  })
  rule('Records = *Records Or *Condition', 1, (records, about) => {
    const meaning = alternative(records, on(records.entity, about))
    return meaning && new Costly(meaning, liftCost(records.entity, about))
  })
  rule('Records = *Records Or *Clause', 1.1, (records, clause) =>
    alternative(records, clauseOn(records.entity, clause)),
  )
  // "customers with contacts and open deals"
  rule('Records = *Records And Article? *Records', 1.1, (a, b) =>
    a.entity !== b.entity && a.where.length > 0 ? suchThat(a, { kind: 'some', of: b }) : undefined,
  )
  rule('Records = *Records Or *Records', 1, (a, b) => {
    const [left, right] = [whole(a.where), whole(b.where)]
    return a.entity === b.entity && left && right
      ? { entity: a.entity, where: [{ or: [left, right] }] }
      : undefined
  })
  rule('Records = *Records *Clause', 0.6, described)
  // "contacts at key accounts have no phone": a verb is said of the first noun, not of the one beside it
  rule('Records = *Records *Ending', 0, (records, about) => {
    const meaning = isRelated(records.where.at(-1)) ? such(records, about) : undefined
    return meaning && new Costly(meaning, liftCost(records.entity, about))
  })
  rule('Records = *Records *EndingClause', 0.1, (records, clause) =>
    isRelated(records.where.at(-1)) ? suchThat(records, clause) : undefined,
  )
  rule('Records = *Noun Called *RecordPhrase', 0, (noun, about) =>
    noun.entity === about.entity ? modified(noun, about) : undefined,
  )
  rule('Records = *Records Be? Either *Noun Or *Noun', 0.1, (of, a, b) => ofBoth('or', of, a, b))
  rule('Records = *Records Be? Neither *Noun Or|Nor *Noun', 0.1, (of, a, b) => {
    const either = ofBoth('or', allOf(of.entity), a, b)
    return either && without(of, either)
  })
  rule('Records = *Records Be? Both *Noun And *Noun', 0.1, (of, a, b) => ofBoth('and', of, a, b))
  rule('Records = *Records *LostFor', 0.2, modified)
  rule('Records = What *LostFor', 0.2, about => ({ ...DEALS, where: [about.where] }))
  rule('Records = *Records ThereAre', 0.1)
  // "with whom do we have a meeting planned"
  rule('Records = Preposition? Who Exists *Records Preposition?', 0.2, of =>
    of.entity === 'activity' ? suchThat(PEOPLE, { kind: 'some', of }) : undefined,
  )
  // "with fewer than 50 employees and more than one deal"
  rule('Records = *Records And *Comparison *Records', 0.6, (a, compare, b) =>
    a.where.length > 0 ? suchThat(a, counted(compare, b)) : undefined,
  )
  rule('Records = *Records Exists', 0.1, records =>
    // "which tasks do we have": those that are not done
    records.entity === 'activity' ? undefined : records,
  )
  rule('Records = *Records And|But *Clause', 1.1, (records, clause) => {
    const all = suchThat(records, clause)
    // "companies with an open deal but no task": the companies have none, as the clause before is theirs, too
    const last = records.where.at(-1)
    const isSame = last && 'some' in last && last.some === relationTo(records.entity, clause.of.entity)
    return all && new Costly(all, isSame ? -0.4 : isRelated(last) ? 0 : 0.5)
  })
  // "calls and meetings": each of them
  rule('Noun = *Noun And *Noun', 0, (a, b) => {
    const [left, right] = [aboutOf(a), aboutOf(b)]
    const either = left && right && union(left, right)
    return either && { entity: a.entity, where: [either.where], isMany: true, isListed: true }
  })
  // "won deals in 2026", "completed calls this month": when it came to that
  rule('Records = *State *Records TimePreposition? *Time|Month', 0.2, (state, of, time) => {
    const about = dated(state, time)
    return about && on(of.entity, about) ? modified(of, about) : undefined
  })
  // "did we lose on price in 2026": the time is when they came to that, although it stands apart
  rule('Records = *Records TimePreposition? *Time', 1.2, (of, time) =>
    of.entity === 'deal' ? endedIn(of, time) : undefined,
  )
  // what a pronoun stands for
  rule('Records = *These', 0, ({ entity, where }) =>
    entity === '*' ? undefined : { entity, where: 'and' in where && where.and.length === 0 ? [] : [where] },
  )
  rule('Condition = Do|Have *These Own|Have', 0)
  rule('Records = WhoWorks Preposition? *These', 0, about =>
    about.entity === 'company' ? such(PEOPLE, about) : undefined,
  )
  rule('Except = Except Pronoun', 0, () => true)
  rule('Records = *Records Except Article? *Condition', 0.4, (records, about) =>
    modified(records, negated(about)),
  )
  rule('Records = *Records Except *Records', 0.4, without)
  rule('Records = Only *Records', 0.4, records =>
    records.where.length > 0 ? { ...records, isOnly: true } : undefined,
  )

  // people without a noun: "who opted out", "everyone in procurement", "who do we know at Acme"
  rule('Records = Everyone That? *Condition', 0.4, about => ofPerson(about))
  rule('Records = Everyone That? *Clause', 0.4, clause => suchThat(PEOPLE, clause))
  rule('Records = Who *Condition', 0.5, ofPerson)
  rule('Records = Who *Clause', 0.7, clause =>
    clause.of.entity === 'company' || clause.isTouch ? suchThat(PEOPLE, clause) : undefined,
  )
  rule('Records = PeopleAt *Condition', 0, about =>
    about.entity === 'company'
      ? suchThat(PEOPLE, { kind: 'some', of: { ...allOf('company'), where: [about.where] } })
      : undefined,
  )
  rule('Records = PeopleAt *Records', 0.2, of =>
    of.entity === 'company' ? suchThat(PEOPLE, { kind: 'some', of }) : undefined,
  )
  // deals and activities without a noun: "what did we lose", "what is overdue"
  rule('Records = What *Condition', 0.9, about =>
    about.entity === 'deal' && (about.isState || says(about, 'expected_close_date') || isStage(about))
      ? { ...DEALS, where: [about.where] }
      : undefined,
  )
  // "what did Acme buy"
  rule('Records = What Do|Have *RecordPhrase Bought', 0, boughtBy)
  // "the value of everything in negotiation"
  rule('Records = Everything That? *Condition', 0.3, about =>
    // "anything due today" asks for activities first
    about.entity === 'deal' && !says(about, 'expected_close_date')
      ? { ...DEALS, where: [about.where], isMany: true }
      : undefined,
  )
  rule('Records = What *Condition', 0.4, about =>
    about.entity === 'activity' && !isNamed(about) ? { entity: 'activity', where: [about.where] } : undefined,
  )
})

function ofBoth(kind: 'and' | 'or', of: Records, a: Records, b: Records): Records | undefined {
  const [left, right] = [aboutOf(a), aboutOf(b)]
  const about = left && right && both(kind, left, right)
  return about?.entity === of.entity ? narrowed(of, about.where) : undefined
}

/** What a noun says of its records. */
function aboutOf({ entity, where }: Records): About | undefined {
  const said = whole(where)
  return said && { entity, where: said }
}

/** The deals that a company or a contact said yes to. */
export function boughtBy(about: About): Records | undefined {
  return about.entity === 'deal' ? undefined : such({ ...DEALS, where: [WON], isMany: true }, about)
}

const isStage = ({ where }: About): boolean => 'field' in where && where.field === 'stage.name'

const isNamed = ({ where }: About): boolean => 'field' in where && where.field !== 'is_overdue'

/** A contact, or the company where only companies have such a value: "who is on the Gold plan". */
function ofPerson(about: About): Records | Costly | undefined {
  if (about.entity === 'company') {
    const isOwn = 'field' in about.where && about.where.field.startsWith('cf.')
    return isOwn ? { entity: 'company', where: [about.where] } : modified(PEOPLE, about)
  }
  // "who is Mia" does not ask for the contacts she owns
  if (isOwner(about)) return undefined
  return about.entity === 'contact' ? { ...PEOPLE, where: [about.where] } : undefined
}

/** "deals in Proposal or over 10k": the alternative is to the last thing said. */
function alternative(records: Records, where: ReturnType<typeof whole>): Records | undefined {
  const last = records.where.at(-1)
  // with several conditions before it, it cannot be told which one it is an alternative to
  if (!where || !last || records.where.length !== 1) return undefined
  // "not owned by Mia or in France": neither
  return { ...records, where: ['not' in last ? { not: { or: [last.not, where] } } : { or: [last, where] }] }
}
