import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  boolean,
  date,
  datetime,
  dict,
  email,
  type Infer,
  type Issue,
  int,
  json,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  partial,
  rule,
  text,
  union,
  uuid,
  withDefault,
} from './index.ts'
import { fault, run } from './testing.ts'

const company = object(
  {
    name: text({ min: 1, max: 255 }),
    domains: optional(nullable(union({ str: text(), 'list[str]': list(text()) }))),
    employee_count: optional(nullable(int({ min: 0 }))),
    annual_revenue: optional(nullable(number({ min: 0 }))),
    email: optional(nullable(email())),
    categories: optional(nullable(list(text()))),
    team_ids: optional(nullable(list(uuid()))),
    metadata: withDefault(dict(), {}),
    is_pinned: withDefault(boolean(), false),
  },
  { title: 'CompanyCreate' },
)

describe('object', () => {
  test('the inferred type', () => {
    expectTypeOf<Infer<typeof company>>().toEqualTypeOf<{
      name: string
      domains?: string | string[] | null
      employee_count?: number | null
      annual_revenue?: number | null
      email?: string | null
      categories?: string[] | null
      team_ids?: string[] | null
      metadata: Record<string, unknown>
      is_pinned: boolean
    }>()
    const change = partial(company)
    expectTypeOf<Infer<typeof change>['name']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Infer<typeof change>['is_pinned']>().toEqualTypeOf<boolean | undefined>()
    const order = object({ a: nullable(optional(text())), b: nullable(withDefault(text(), '')) })
    expectTypeOf<Infer<typeof order>>().toEqualTypeOf<{ a?: string | null; b: string | null }>()
  })

  test('absent keys stay absent, defaults are filled in, unknown keys are dropped', () =>
    expect(run(company, { name: 'a', zzz: 1 })).toStrictEqual({ name: 'a', metadata: {}, is_pinned: false }))

  test('values are coerced and null is kept', () =>
    expect(
      run(company, { name: 'a', employee_count: '5', email: 'B <b@Y.com>', domains: null }),
    ).toStrictEqual({
      name: 'a',
      domains: null,
      employee_count: 5,
      email: 'b@y.com',
      metadata: {},
      is_pinned: false,
    }))

  test('a default is not shared between requests', () => {
    const first = run(company, { name: 'a' }) as { metadata: Record<string, unknown> }
    first.metadata.x = 1
    expect(run(company, { name: 'a' })).toMatchObject({ metadata: {} })
  })

  const attributes = 'Input should be a valid dictionary or object to extract fields from'

  test.each([
    [{}, [{ type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} }]],
    [[], [{ type: 'model_attributes_type', loc: ['body'], msg: attributes, input: [] }]],
    ['x', [{ type: 'model_attributes_type', loc: ['body'], msg: attributes, input: 'x' }]],
    [null, [{ type: 'model_attributes_type', loc: ['body'], msg: attributes, input: null }]],
    [
      { name: null },
      [{ type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string', input: null }],
    ],
    [
      { name: 'a', metadata: null },
      [
        {
          type: 'dict_type',
          loc: ['body', 'metadata'],
          msg: 'Input should be a valid dictionary',
          input: null,
        },
      ],
    ],
    [
      { name: 'a', domains: [3] },
      [
        {
          type: 'string_type',
          loc: ['body', 'domains', 'str'],
          msg: 'Input should be a valid string',
          input: [3],
        },
        {
          type: 'string_type',
          loc: ['body', 'domains', 'list[str]', 0],
          msg: 'Input should be a valid string',
          input: 3,
        },
      ],
    ],
    [
      { name: 'a', team_ids: [1] },
      [
        {
          type: 'uuid_type',
          loc: ['body', 'team_ids', 0],
          msg: 'UUID input should be a string, bytes or UUID object',
          input: 1,
        },
      ],
    ],
  ])('refuses %j', (input, issues) => expect(run(company, input)).toEqual(issues))

  test('reports all problems at once, in the order of the declaration', () => {
    const input = { categories: ['ok', 1], annual_revenue: -1, employee_count: 1.5, name: '' }
    const issues = run(company, input) as Issue[]
    expect(issues.map(issue => [issue.type, issue.loc])).toEqual([
      ['string_too_short', ['body', 'name']],
      ['int_from_float', ['body', 'employee_count']],
      ['greater_than_equal', ['body', 'annual_revenue']],
      ['string_type', ['body', 'categories', 1]],
    ])
  })

  test('the keys of an issue keep their order', () => {
    const issues = run(company, { name: '' }) as Issue[]
    expect(JSON.stringify(issues[0])).toBe(
      '{"type":"string_too_short","loc":["body","name"],"msg":"String should have at least 1 character","input":"","ctx":{"min_length":1}}',
    )
  })

  test('nested objects and lists report their own path', () => {
    const deal = object({ stages: list(object({ title: text() })), owner: optional(object({ id: uuid() })) })
    const issues = run(deal, { stages: [{ title: 'x' }, {}, 5], owner: 'x' }) as Issue[]
    expect(issues.map(issue => [issue.type, issue.loc])).toEqual([
      ['missing', ['body', 'stages', 1, 'title']],
      ['model_attributes_type', ['body', 'stages', 2]],
      ['model_attributes_type', ['body', 'owner']],
    ])
  })

  test('properties of Object.prototype are not input', () => {
    const schema = object({ constructor: text(), toString: optional(text()) })
    expect(fault(schema, {}).type).toBe('missing')
    expect(run(schema, { constructor: 'x' })).toEqual({ constructor: 'x' })
    expect(() => object(JSON.parse('{"__proto__": {}}'))).toThrow('__proto__')
  })

  test('a __proto__ key in the input has no effect', () => {
    const value = run(company, JSON.parse('{"name": "a", "__proto__": {"email": "x"}}'))
    expect(value).toStrictEqual({ name: 'a', metadata: {}, is_pinned: false })
  })

  test('is published', () => {
    expect(company.json).toMatchObject({ type: 'object', title: 'CompanyCreate', required: ['name'] })
    expect(company.json.properties).toMatchObject({
      domains: {
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }],
      },
      employee_count: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
      is_pinned: { type: 'boolean', default: false },
    })
  })
})

describe('partial', () => {
  const change = partial(company, { title: 'CompanyUpdate' })
  test('an absent key stays absent', () => expect(run(change, {})).toStrictEqual({}))
  test('null is accepted only for nullable fields', () => {
    expect(run(change, { email: null })).toStrictEqual({ email: null })
    expect(fault(change, { name: null }).type).toBe('string_type')
  })
  test('is published without defaults', () => {
    expect(change.json.required).toBeUndefined()
    expect(change.json.properties!.is_pinned).toEqual({ type: 'boolean' })
    expect(change.json.title).toBe('CompanyUpdate')
  })
})

describe('list', () => {
  const numbers = list(int(), { min: 1, max: 2 })
  test('coerces its items', () => expect(run(numbers, ['1', 2])).toEqual([1, 2]))
  test.each([{}, 'ab', null, 5])('refuses %j', input =>
    expect(fault(numbers, input)).toEqual({ type: 'list_type', msg: 'Input should be a valid list' }),
  )
  test('is checked for its length before its items', () => {
    expect(fault(numbers, ['x', 'y', 'z'])).toEqual({
      type: 'too_long',
      msg: 'List should have at most 2 items after validation, not 3',
      ctx: { field_type: 'List', max_length: 2, actual_length: 3 },
    })
    expect(fault(numbers, [])).toEqual({
      type: 'too_short',
      msg: 'List should have at least 1 item after validation, not 0',
      ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
    })
  })
})

describe('wrappers', () => {
  test('a union prefers the branch that changes nothing', () => {
    const schema = union({ int: int(), str: text() })
    expect(run(schema, '5')).toBe('5')
    expect(run(schema, 5)).toBe(5)
    expect(run(schema, true)).toBe(1)
  })

  test('nullable keeps description and default', () =>
    expect(nullable(withDefault(text({ description: 'd' }), 'x')).json).toEqual({
      anyOf: [{ type: 'string' }, { type: 'null' }],
      default: 'x',
      description: 'd',
    }))

  test('a rule is called only with valid values', () => {
    const even = rule(int(), value => (value % 2 ? 'must be even' : undefined))
    expect(run(even, '4')).toBe(4)
    expect(fault(even, 3)).toEqual({
      type: 'value_error',
      msg: 'Value error, must be even',
      ctx: { error: {} },
    })
    expect(fault(even, 'x').type).toBe('int_parsing')
  })

  test('a rule does not change whether a key is optional', () => {
    const schema = object({
      a: rule(optional(int()), () => 'never'),
      b: rule(withDefault(int(), 7), () => 'never'),
    })
    expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{ a?: number; b: number }>()
    expect(run(schema, {})).toStrictEqual({ b: 7 })
  })
})

test('no input ever throws, and an accepted value is accepted again', () => {
  const schemas = [
    text({ min: 1, max: 5, singleLine: true }),
    int({ min: 0 }),
    number(),
    boolean(),
    uuid(),
    email(),
    datetime(),
    date(),
    oneOf(['a', 'b']),
    list(text(), { max: 2 }),
    dict(),
    json(),
    company,
    partial(company),
    union({ str: text(), int: int() }),
    nullable(email()),
    object({ when: datetime(), at: list(object({ day: date(), who: email() })) }),
  ]
  const hint = fc.constantFrom(
    '2024-01-31',
    'T12:00',
    '@',
    'a@b.com',
    '<',
    '"',
    '-',
    '1',
    'xn--',
    '.',
    '\0',
    'é',
  )
  const value = fc.oneof(
    fc.anything(),
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(hint, fc.string({ maxLength: 3 })), { maxLength: 6 }).map(parts => parts.join('')),
    fc.record({ name: fc.anything(), email: fc.string(), when: fc.string(), metadata: fc.jsonValue() }),
  )
  fc.assert(
    fc.property(value, input => {
      for (const schema of schemas) {
        const issues: Issue[] = []
        const once = schema.check(input, ['body'], issues)
        for (const issue of issues) expect(issue.loc[0]).toBe('body')
        if (issues.length > 0) continue
        expect(schema.check(once, ['body'], issues)).toEqual(once)
        expect(issues).toEqual([])
      }
    }),
    { numRuns: 2000 },
  )
})
