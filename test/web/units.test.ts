/** Parts of the web client that need no browser. */
import { describe, expect, it } from 'vitest'
import { addressChanges, addressesIn } from '../../web/src/data/addresses.ts'
import { dueChanges, dueFrom, dueInputs, dueOf } from '../../web/src/data/due.ts'
import { ChangedMeanwhile, inOrder, isSameValue, writeEdit } from '../../web/src/data/field-edit.ts'
import type { Field } from '../../web/src/data/field-types.ts'
import type { Methods } from '../../web/src/data/groups.ts'
import { csvFor, usualDelimiter } from '../../web/src/lib/csv.ts'
import { localFigures } from '../../web/src/lib/figures.ts'
import { formatCompactMoney, formatMoney } from '../../web/src/lib/format.ts'
import { parseMoney } from '../../web/src/lib/money.ts'
import { numberText, parseNumber } from '../../web/src/lib/numbers.ts'
import { problemsIn, textOf, withoutRequests } from '../../web/src/lib/problems.ts'
import { valueText } from '../../web/src/lib/value-text.ts'
import { DEFAULT_RULES } from '../../web/src/screens/imports/missing.ts'
import { worded } from '../../web/src/screens/imports/warnings.ts'
import { renamed } from '../../web/src/screens/knowledge/address.ts'
import { diffLines, linesOf } from '../../web/src/screens/knowledge/diff.ts'
import {
  type Content,
  type Draft,
  PageSaver,
  type PageStore,
  type Version,
} from '../../web/src/screens/knowledge/page-saver.ts'
import { lastOfSittings } from '../../web/src/screens/knowledge/sittings.ts'
import { scrollLeftFor } from '../../web/src/screens/lists/columns.ts'
import { boundOf, dayOfBound, filtersOf, whereOf } from '../../web/src/screens/lists/filters.ts'
import { actionText, fieldText } from '../../web/src/screens/settings/audit-text.ts'

describe('numbers that people write', () => {
  it.each([
    ['1234.5', 'en-GB', 1234.5],
    ['1,234.5', 'en-GB', 1234.5],
    ['1,234', 'en-GB', 1234],
    ['1,5', 'en-GB', 1.5],
    ['1.234', 'en-GB', 1.234],
    ['1.234,5', 'de-DE', 1234.5],
    ['1.234', 'de-DE', 1234],
    ['1,234', 'de-DE', 1.234],
    ['1.5', 'de-DE', 1.5],
    ['1.234.567', 'de-DE', 1_234_567],
    ['1’234.50', 'de-CH', 1234.5],
    ['1 234,50 €', 'fr-FR', 1234.5],
    ['−12 %', 'de-DE', -12],
    ['.5', 'en-GB', 0.5],
  ])('reads %s in %s', (text, locale, value) => {
    expect(parseNumber(text, locale)).toBe(value)
  })

  it.each(['', 'twelve', '1-2', '12 apples', '1.2,3.4'])('refuses "%s"', text => {
    expect(parseNumber(text, 'en-GB')).toBeUndefined()
  })

  it.each([0, -3, 1.234, 1234.567, 1_000_000, 0.000_001])('reads %d again as it is shown', value => {
    for (const locale of ['en-GB', 'de-DE', 'fr-FR'])
      expect(parseNumber(numberText(value, locale), locale)).toBe(value)
  })
})

describe('amounts that people write', () => {
  it.each([
    ['500', 'USD', { amount: 500 }],
    ['€ 500', 'USD', { amount: 500, currency: 'EUR' }],
    ['500 eur', 'USD', { amount: 500, currency: 'EUR' }],
    ['-€1,234.50', 'USD', { amount: -1234.5, currency: 'EUR' }],
    ['CHF 1’000', 'EUR', { amount: 1000, currency: 'CHF' }],
    ['Fr. 500', 'EUR', { amount: 500, currency: 'CHF' }],
    ['500 zł', undefined, { amount: 500, currency: 'PLN' }],
    ['$500', 'EUR', { amount: 500, currency: 'USD' }],
    ['$500', 'AUD', { amount: 500, currency: 'AUD' }],
    ['kr 500', 'NOK', { amount: 500, currency: 'NOK' }],
  ])('reads %s beside %s', (text, own, money) => {
    expect(parseMoney(text, own, 'en-GB')).toEqual(money)
  })

  it.each([
    ['12 apples', 'apples'],
    ['kr 500', 'kr'],
    ['€500 USD', 'one currency'],
    ['euro', 'a number'],
    ['5 € 00', 'a number'],
  ])('says why "%s" is none', (text, reason) => {
    expect(parseMoney(text, 'EUR', 'en-GB')).toContain(reason)
  })

  it.each(['euro', '€', '', 'XXXX'])('are shown, also with the currency "%s"', currency => {
    expect(formatMoney(1500, currency)).toMatch(new RegExp(`^1[,.]?500[.,]00 ${currency}$`))
    expect(formatCompactMoney(1500, currency)).toMatch(new RegExp(`^1[.,]5.* ${currency}$`))
  })
})

describe('when an activity is due', () => {
  const time = new Date('2026-03-05T09:30').toISOString()
  it.each([
    ['', '', null],
    ['2026-03-05', '', '2026-03-05'],
    ['2026-03-05', '09:30', time],
  ])('is read from a day "%s" and a time "%s"', (day, hour, due) => {
    expect(dueFrom(day, hour)).toBe(due)
    expect(dueInputs(due)).toEqual({ day, time: hour })
  })

  it('never has a day beside a time', () => {
    expect(dueChanges('2026-03-05')).toEqual({ due_at: null, due_date: '2026-03-05' })
    expect(dueChanges(time)).toEqual({ due_at: time, due_date: null })
    expect(dueChanges(null)).toEqual({ due_at: null, due_date: null })
    expect(dueOf({ due_at: null, due_date: '2026-03-05' })).toBe('2026-03-05')
  })
})

describe('addresses of a contact', () => {
  it('are a list, also where the contact has only one', () => {
    const list = [{ email: 'a@a.test', type: 'work', is_primary: true }]
    expect(addressesIn({ email: 'a@a.test', emails: null }, 'emails')).toEqual(list)
    expect(addressesIn({ email: null, emails: null }, 'emails')).toBeNull()
  })

  it('have one primary entry, and none is empty', () => {
    const entry = (value: string, is_primary = false) => ({ value, type: 'work', is_primary })
    expect(addressChanges('phones', [entry(' '), entry('1'), entry('2')])).toEqual({
      value: [
        { phone: '1', type: 'work', is_primary: true },
        { phone: '2', type: 'work', is_primary: false },
      ],
      also: { phone: '1' },
    })
    expect(addressChanges('emails', [])).toEqual({ value: [], also: { email: null } })
  })
})

describe('files for spreadsheets', () => {
  it.each([
    [',', 'a,b\r\n1,2\r\n', 'a,b\r\n1,2\r\n'],
    [';', 'a,"b, ""c"""\r\nMüller,2;3\r\n,\r\n', 'a;"b, ""c"""\r\nMüller;"2;3"\r\n;\r\n'],
    [';', 'a,"two\nlines",\n', 'a;"two\nlines";\n'],
    ['\t', 'a,b', 'a\tb'],
  ])('have a mark and the delimiter "%s"', (delimiter, text, file) => {
    expect(csvFor(delimiter, text)).toBe(`\uFEFF${file}`)
    expect(csvFor(delimiter, `\uFEFF${text}`)).toBe(`\uFEFF${file}`)
  })

  it('have the delimiter of the country', () => {
    expect(['de-DE', 'fr-FR', 'en-GB', 'de-CH'].map(usualDelimiter)).toEqual([';', ';', ',', ','])
  })
})

describe('messages of an import', () => {
  it.each([
    [
      '“1.234” is read as 1234: set options.decimal_separator if that is wrong',
      '“1.234” is read as 1234; choose “Numbers” if that is wrong',
    ],
    [
      '“31.31.2026” is not a date: use DD.MM.YYYY; options.date_format sets another order',
      '“31.31.2026” is not a date: use DD.MM.YYYY; choose another order in “Dates”',
    ],
    [
      'name the pipeline in a column, or in options.pipeline',
      'name the pipeline in a column, or in “Go into”',
    ],
    ['their rows fail (options.on_missing.owner, or value_mapping)', 'their rows fail'],
  ])('name the fields of the screen', (message, text) => {
    expect(worded(message)).toBe(text)
  })
})

describe('values of the journal', () => {
  it.each([
    [
      [
        { phone: '+43 1', type: 'work', is_primary: true },
        { phone: '+43 2', type: 'home' },
      ],
      '+43 1 (work, primary), +43 2 (home)',
    ],
    [[{ id: '1', name: 'Acme' }], 'Acme'],
    [['a', 'b'], 'a, b'],
    [{ web_site: 'x', empty: null }, 'web site x'],
    [[], undefined],
    [false, 'no'],
  ])('are read by people: %j', (value, text) => {
    expect(valueText(value)).toBe(text)
  })
})

describe('values that the service refuses', () => {
  it.each([
    ['missing', ['name'], 'Field required', {}, 'Name: This is required'],
    ['string_too_short', ['password'], '', { min_length: 8 }, 'Password: Enter 8 characters or more'],
    ['string_too_short', ['name'], '', { min_length: 1 }, 'Name: This cannot be empty'],
    ['less_than_equal', ['probability'], '', { le: 100 }, 'Probability: Enter 100 or less'],
    ['literal_error', ['type'], '', { expected: "'task' or 'call'" }, 'Type: Choose task or call'],
    [
      'value_error',
      ['current_password'],
      'Value error, this is not your current password',
      {},
      'Current password: This is not your current password',
    ],
    [
      'value_error',
      [],
      'Value error, end_at must not be before start_at',
      {},
      'End must not be before start',
    ],
    [
      'value_error',
      ['email'],
      'value is not a valid email address: An email address must have an @-sign.',
      {},
      'Email: This is not an email address: An email address must have an @-sign',
    ],
    [
      'string_pattern_mismatch',
      ['slug'],
      "String should match pattern '^[a-z0-9]+(?:-[a-z0-9]+)*$'",
      { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      'Slug: Use small letters, digits and single hyphens between them, such as rill-sensors',
    ],
    [
      'value_error',
      ['token'],
      'Value error, this token never existed',
      {},
      'This link was used before or has expired. Ask for a new one',
    ],
  ])('are explained to people: %s at %j', (type, names, msg, ctx, text) => {
    expect(textOf(problemsIn([{ type, loc: ['body', ...names], msg, ctx }]))).toBe(text)
  })

  it('are explained without the requests of programs', () => {
    const detail =
      'Confirm your email address before you send mail: POST /api/auth/send-confirmation sends you a token'
    expect(withoutRequests(detail)).toBe('Confirm your email address before you send mail')
    expect(withoutRequests('Invalid email or password')).toBe('Invalid email or password')
  })

  it('are put at their fields, those of lists and custom fields too', () => {
    const fields = [['scopes', 0], ['metadata', 'colour'], ['name'], []]
    const issues = fields.map(path => ({ type: 'missing', loc: ['body', ...path], msg: '' }))
    expect(problemsIn(issues).map(({ field }) => field)).toEqual(['scopes', 'cf.colour', 'name', ''])
  })
})

it.each([
  ['The sum is 2400000 EUR.', 'en-GB', 'The sum is €2,400,000.'],
  ['Weir: 1234.5 EUR, Gate: -70000 USD', 'de-DE', 'Weir: 1.234,50 €, Gate: -70.000 $'],
  ['There are 12345 contacts.', 'de-DE', 'There are 12.345 contacts.'],
  ['It closes on 2026-03-05.', 'en-GB', 'It closes on 5 Mar 2026.'],
  ['In 2026 deals, 20095 Hamburg, +49 170 5550199, order 1234567', 'en-GB', undefined],
  ['Recording 2026-03-05T10:30, 2026-03-05-plan.pdf, 12 ABC, v2.400000 EUR', 'en-GB', undefined],
])('writes the figures of "%s" in %s', (text, locale, expected) => {
  expect(localFigures(text, locale).replaceAll('\u00a0', ' ')).toBe(expected ?? text)
})

describe('the audit', () => {
  it.each([
    ['deal.contact_linked', 'linked a contact to the deal … '],
    ['contact.activity_link_changed', 'changed how an activity belongs to the contact … '],
    ['deal.contact_unlinked', 'removed a contact from the deal … '],
    ['document.updated', 'changed the page … '],
    ['company.deleted', 'moved the company … to the trash'],
    ['deal.stage_changed', 'moved the deal … to another stage'],
    ['custom_field.created', 'created the custom field … '],
  ])('says %s as "%s"', (type, text) => {
    const [kind = '', action = ''] = type.split('.')
    const { before, after } = actionText(action, kind)
    expect(`${before} … ${after}`).toBe(text)
  })

  it('names fields as people do', () => {
    const fields = ['owner_id', 'expected_close_date', 'metadata', 'is_required', 'due_at', 'linkedin_url']
    expect(fields.map(fieldText).join(', ')).toBe(
      'owner, expected close date, custom fields, required, due, linkedin',
    )
  })
})

describe('filters by day', () => {
  it('include the whole last day, and are the same chips when they are read again', () => {
    for (const [filter, condition] of [
      [
        { field: 'due_at', op: 'lte', value: 'today' },
        { field: 'due_at', op: 'lt', value: 'today+1' },
      ],
      [
        { field: 'due_at', op: 'lte', value: 'today-1' },
        { field: 'due_at', op: 'lt', value: 'today' },
      ],
      [
        { field: 'due_at', op: 'gte', value: 'today-7' },
        { field: 'due_at', op: 'gte', value: 'today-7' },
      ],
      [
        { field: 'due_at', op: 'lte', value: 'month' },
        { field: 'due_at', op: 'lte', value: 'month' },
      ],
    ] as const) {
      expect(whereOf([filter])).toEqual(condition)
      expect(filtersOf(condition)).toEqual([filter])
    }
  })

  it('begin and end with the day of the reader', () => {
    expect(Date.parse(boundOf('2026-03-05', true)) - Date.parse(boundOf('2026-03-05', false))).toBe(
      86_399_999,
    )
    for (const isEnd of [false, true]) expect(dayOfBound(boundOf('2026-03-05', isEnd))).toBe('2026-03-05')
    expect(dayOfBound('2026-03-31T23:59:59.999Z')).toBe('2026-03-31')
  })
})

it('scrolls a table sideways until a column is beside the frozen one', () => {
  // 36 pixels of checkboxes, 200 frozen, and 300 in which the others are shown
  const columns = [200, 150, 150, 150, 400].map(width => ({ width }))
  const scroll = (column: number, scrollLeft: number) =>
    scrollLeftFor(columns, column, { scrollLeft, clientWidth: 536 })
  expect(scroll(1, 120)).toBe(0)
  expect(scroll(2, 200)).toBe(150)
  expect(scroll(2, 100)).toBe(100)
  expect(scroll(3, 0)).toBe(150)
  expect(scroll(4, 0)).toBe(450)
  expect(scroll(0, 77)).toBe(77)
})

it('shows the rules of an import that the service applies', async () => {
  // by a variable, because the sources of the service are checked with other types
  const source = new URL('../../src/features/transfer/imports/options.ts', import.meta.url).href
  const { DEFAULTS } = await import(source)
  expect(DEFAULT_RULES).toEqual(DEFAULTS)
})

describe('the address of a knowledge page', () => {
  const page = { title: 'Untitled', slug: 'untitled-2', visibility: 'private' }

  it.each([
    [page],
    [{ ...page, title: 'Übersicht & Pläne', slug: 'ubersicht-plane' }],
    [{ ...page, title: 'Plan 2', slug: 'plan-2' }],
    [{ ...page, title: '目录', slug: '目录' }],
  ])('follows the title of %o', before => {
    expect(renamed(before, 'Prices')).toEqual({ title: 'Prices', slug: null })
  })

  it.each([[{ ...page, visibility: 'public' }], [{ ...page, slug: 'my-own' }]])('stays for %o', before => {
    expect(renamed(before, 'Prices')).toEqual({ title: 'Prices' })
  })
})

describe('a page that is written in two tabs', () => {
  const contentOf = (text: string) => ({
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  })
  const textOf = ({ content }: Pick<Version, 'content'>) => linesOf(content)
  const reversed = (content: Content | null): Content =>
    Object.fromEntries(Object.entries(content ?? {}).reverse())

  /** A service with one page, and a tab that has read it. */
  function openPage() {
    const history: Version[] = []
    const store = (text: string): Version => {
      const updated_at = new Date(history.length * 1000).toISOString()
      history.unshift({ content: contentOf(text), content_markdown: text, updated_at })
      return history[0] as Version
    }
    const errors: unknown[] = []
    let isAway = false
    let draft: Draft | undefined
    const pageStore: PageStore = {
      read: async () => history[0] as Version,
      write: async (content, version) => {
        if (isAway) throw new Error('away')
        return version === history[0] ? store(linesOf(content)) : undefined
      },
      keep: kept => {
        draft = kept
      },
      onSaved: async () => {},
      onError: error => errors.push(error),
    }
    const tab = new PageSaver(store('first'), pageStore)
    /** The service returns other objects, with their keys in another order. */
    const reopened = () => {
      const { content, ...rest } = history[0] as Version
      return new PageSaver({ ...rest, content: reversed(content) }, pageStore, draft)
    }
    const setAway = (next: boolean) => {
      isAway = next
    }
    const texts = () => history.map(textOf)
    return { tab, history, errors, setAway, reopened, writeElsewhere: store, texts, draft: () => draft }
  }

  it('is saved in order, the second save based on the first', async () => {
    const { tab, texts } = openPage()
    tab.change(contentOf('one'))
    const saving = tab.save()
    tab.change(contentOf('two'))
    await Promise.all([saving, tab.save()])
    expect(texts()).toEqual(['two', 'one', 'first'])
    expect(tab.snapshot()).toMatchObject({ state: 'saved' })
  })

  it('is saved after a change that left the text as it was', async () => {
    const { tab, texts, writeElsewhere } = openPage()
    tab.change(contentOf('one'))
    await tab.save()
    writeElsewhere('one')
    tab.change(contentOf('two'))
    await tab.save()
    expect(texts()[0]).toBe('two')
  })

  it.each([
    ['mine', ['mine and more', 'theirs', 'first']],
    ['theirs', ['theirs', 'mine and more', 'theirs', 'first']],
  ] as const)(
    'shows both texts, and %s is chosen with both among the revisions',
    async (choice, revisions) => {
      const { tab, texts, writeElsewhere } = openPage()
      tab.change(contentOf('mine'))
      writeElsewhere('theirs')
      await tab.save()
      tab.change(contentOf('mine and more'))
      await tab.save()
      expect(texts()).toEqual(['theirs', 'first'])
      const { conflict } = tab.snapshot()
      expect([conflict && textOf(conflict.theirs), linesOf(conflict?.mine)]).toEqual([
        'theirs',
        'mine and more',
      ])
      await tab.decide(choice)
      expect(texts()).toEqual(revisions)
      expect(tab.snapshot()).toMatchObject({ state: 'saved' })
      expect(tab.snapshot().conflict).toBeUndefined()
      if (choice === 'theirs') expect(textOf(tab.snapshot().shown)).toBe('theirs')
    },
  )

  it('has both texts after the person has left without a choice', async () => {
    const { tab, texts, writeElsewhere } = openPage()
    tab.change(contentOf('mine'))
    writeElsewhere('theirs')
    expect(await tab.leave()).toBe(true)
    expect(texts()).toEqual(['theirs', 'mine', 'theirs', 'first'])
    expect(await tab.leave()).toBe(false)
  })

  it('has what was written when it was closed before the save', async () => {
    const { tab, reopened, draft, texts } = openPage()
    tab.change(contentOf('one'))
    const again = reopened()
    expect([textOf(again.snapshot().shown), again.hasUnsaved]).toEqual(['one', true])
    await again.save()
    expect([texts(), draft()]).toEqual([['one', 'first'], undefined])
    expect(reopened().hasUnsaved).toBe(false)
  })

  it('has what was written while the save before was on its way, without a conflict', async () => {
    const { tab, reopened, texts } = openPage()
    tab.change(contentOf('one'))
    const saving = tab.save()
    tab.change(contentOf('one and two'))
    await saving
    const again = reopened()
    await again.save()
    expect([texts(), again.snapshot().conflict]).toEqual([['one and two', 'one', 'first'], undefined])
  })

  it('forgets a text that was saved although the answer was lost, and asks about one of others', async () => {
    const { tab, reopened, draft, texts, writeElsewhere } = openPage()
    tab.change(contentOf('mine'))
    writeElsewhere('theirs')
    const again = reopened()
    await again.save()
    expect([texts()[0], again.snapshot().conflict?.mine]).toEqual(['theirs', contentOf('mine')])
    writeElsewhere('mine')
    expect([reopened().hasUnsaved, draft()]).toEqual([false, undefined])
  })

  it('has what could not be saved, and shows what others write only while nothing is unsaved', async () => {
    const { tab, history, errors, setAway, texts, writeElsewhere } = openPage()
    tab.change(contentOf('mine'))
    setAway(true)
    await tab.save()
    expect([errors.length, tab.hasUnsaved, tab.snapshot().state]).toEqual([1, true, 'changed'])
    setAway(false)
    await tab.save()
    expect(texts()).toEqual(['mine', 'first'])
    tab.adopt(writeElsewhere('theirs'))
    expect(textOf(tab.snapshot().shown)).toBe('theirs')
    tab.adopt(history[2] as Version)
    tab.change(contentOf('theirs and mine'))
    tab.adopt(writeElsewhere('once more'))
    expect(textOf(tab.snapshot().shown)).toBe('theirs')
  })
})

describe('a field that is edited in two tabs', () => {
  interface Company {
    id: string
    city: string | null
    phone: string | null
  }
  const CITY: Field = { key: 'city', label: 'City', type: 'text' }

  /** A service with one company; `beforeWrite` is what others do between a read and the write after it. */
  function openCompany(beforeWrite: (company: Company) => Company = company => company) {
    let company: Company = { id: 'one', city: 'Graz', phone: null }
    let others = beforeWrite
    const unused = async () => {
      throw new Error('not called')
    }
    const methods: Methods<Company> = {
      ...{ list: unused, create: unused, update: unused, delete: unused, restore: unused },
      ...{ query: unused, bulkUpdate: unused },
      get: async () => company,
      patch: async (_id, changes, options) => {
        company = others(company)
        others = same => same
        if (options && 'ifMatch' in options && options.ifMatch !== company)
          throw Object.assign(new Error('changed'), { status: 412 })
        company = { ...company, ...(changes as object) }
        return company
      },
      timeline: async () => {
        const actor = { kind: 'user', id: null, user_id: 'bo', user_name: 'Bo Berg' }
        const changes = [{ field: 'city', from: 'Graz', to: 'Linz' }]
        const entry = { id: '1', at: '', type: 'updated', changes, related: null, actor, operation_id: null }
        return { items: [entry], total: 1 }
      },
    }
    const write = (city: string, before: string | null) =>
      writeEdit(methods, 'one', { city }, { field: CITY, value: city, before })
    return { write, stored: () => company }
  }

  it('is written while it is as the person saw it, whatever else was changed', async () => {
    const { write, stored } = openCompany(company => ({ ...company, phone: '123' }))
    await write('Wels', 'Graz')
    expect(stored()).toMatchObject({ city: 'Wels', phone: '123' })
  })

  it.each([
    ['before the edit is sent', 'Enns', undefined],
    ['while the edit is sent', 'Graz', (company: Company) => ({ ...company, city: 'Linz' })],
  ] as const)('is not replaced when somebody has changed it %s', async (_when, seen, others) => {
    const { write, stored } = openCompany(others)
    const now = others ? 'Linz' : 'Graz'
    const error = await write('Wels', seen).catch(refusal => refusal)
    expect(error).toBeInstanceOf(ChangedMeanwhile)
    expect(error).toMatchObject({
      message: 'Bo Berg changed city meanwhile, so it stays as it is',
      stored: { city: now },
    })
    expect(stored().city).toBe(now)
  })

  it('has no conflict with the same value', async () => {
    const { write } = openCompany()
    expect(await write('Graz', 'Linz')).toMatchObject({ city: 'Graz' })
  })

  it('compares linked records by their ids, and nothing with nothing', () => {
    expect(isSameValue({ id: 'a', name: 'Oxbow' }, { id: 'a', name: 'Oxbow Lakes' })).toBe(true)
    expect(isSameValue([{ id: 'a', name: '' }], [{ id: 'b', name: '' }])).toBe(false)
    expect(isSameValue([], null)).toBe(true)
    expect(isSameValue(undefined, null)).toBe(true)
    expect(isSameValue(0, null)).toBe(false)
  })

  it('is written in the order of the edits', async () => {
    const { write, stored } = openCompany()
    const edits = [inOrder('one', () => write('Linz', 'Graz')), inOrder('one', () => write('Wels', 'Linz'))]
    await Promise.all(edits)
    expect(stored().city).toBe('Wels')
  })
})

it('lists the last save of each sitting', () => {
  const at = (minute: number, user_id: string | null) => ({
    user_id,
    created_at: new Date(minute * 60_000).toISOString(),
  })
  const saves = [at(62, 'ann'), at(61, 'ann'), at(40, 'ann'), at(39, 'bo'), at(38, 'ann'), at(37, 'ann')]
  expect(lastOfSittings(saves)).toEqual([saves[0], saves[2], saves[3], saves[4]])
  expect(lastOfSittings([at(1, null)])).toHaveLength(1)
})

it('compares pages by their blocks', () => {
  const list = (...items: string[]) => ({
    type: 'bulletList',
    content: items.map(text => ({
      type: 'listItem',
      content: [{ type: 'paragraph', content: [{ type: 'text', text }, { type: 'hardBreak' }] }],
    })),
  })
  const lines = diffLines(linesOf({ type: 'doc', content: [list('a', 'b')] }), linesOf(list('a', 'c')))
  expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'c' },
  ])
  // an empty page has no line that could be removed
  expect(diffLines('', 'a')).toEqual([{ kind: 'added', text: 'a' }])
  expect(diffLines('a', '')).toEqual([{ kind: 'removed', text: 'a' }])
})
