/** The single address and the list stay consistent, whichever was written. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'

const at = '/api/contacts'

/** `a` is an entry, `*a` the primary one. */
const entries = (marks: string) =>
  marks
    .split(' ')
    .filter(mark => mark !== '')
    .map(mark => ({ email: `${mark.replace('*', '')}@x.test`, is_primary: mark.startsWith('*') }))

interface State {
  email?: string | null
  emails?: string | null
}

const written = ({ email, emails }: State) => ({
  ...(email === undefined ? {} : { email: email === null ? null : `${email}@x.test` }),
  ...(emails === undefined ? {} : { emails: emails === null ? null : entries(emails) }),
})

const created: [given: State, then: State][] = [
  [{ email: 'a' }, { email: 'a', emails: null }],
  [{ emails: 'a b' }, { email: 'a', emails: '*a b' }],
  [{ emails: 'a *b' }, { email: 'b', emails: 'a *b' }],
  [
    { email: null, emails: 'a b' },
    { email: 'a', emails: '*a b' },
  ],
  [
    { email: 'b', emails: '*a b' },
    { email: 'b', emails: 'a *b' },
  ],
  [
    { email: 'c', emails: '*a b' },
    { email: 'c', emails: '*c a b' },
  ],
  [
    { email: 'a', emails: '' },
    { email: 'a', emails: '' },
  ],
  [
    { email: 'a', emails: null },
    { email: 'a', emails: null },
  ],
]

const updated: [before: State, given: State, then: State][] = [
  [{ email: 'a' }, { email: 'b' }, { email: 'b', emails: null }],
  [{ email: 'a' }, { emails: 'b c' }, { email: 'b', emails: '*b c' }],
  [{ email: 'a' }, { emails: 'b a' }, { email: 'a', emails: 'b *a' }],
  [{ email: 'a' }, { emails: null }, { email: 'a', emails: null }],
  [{ email: 'a' }, { emails: '' }, { email: 'a', emails: '' }],
  [{ emails: '*a b' }, { email: 'b' }, { email: 'b', emails: 'a *b' }],
  [{ emails: '*a b' }, { email: 'B' }, { email: 'B', emails: 'a *B' }],
  [{ emails: 'b *a' }, { email: 'c' }, { email: 'c', emails: 'b *c' }],
  [{ emails: '*a b' }, { email: null }, { email: null, emails: 'b' }],
  [{ emails: '*a' }, { emails: null }, { email: null, emails: null }],
  [{ emails: '*a b' }, { emails: '' }, { email: null, emails: '' }],
  [{ emails: '*a b' }, { emails: 'b c' }, { email: 'b', emails: '*b c' }],
  [{ emails: '*a b' }, { emails: 'b a c' }, { email: 'a', emails: 'b *a c' }],
  [{ emails: '*a b' }, { email: 'c', emails: null }, { email: 'c', emails: null }],
  [{ emails: '*a b' }, {}, { email: 'a', emails: '*a b' }],
]

onAnyEngine('addresses of a contact', account => {
  it('of a new contact are consistent: email and emails, phone and phones', async () => {
    const { create } = await account()
    for (const [given, then] of created) {
      const made = await create(at, { first_name: 'Ada', ...written(given) })
      expect.soft(summary(made), JSON.stringify(given)).toEqual(written(then))
    }
  })

  it('of an updated contact are consistent and searchable', async () => {
    const { create, put, get, delete: remove } = await account()
    for (const [before, given, then] of updated) {
      const row = `${JSON.stringify(before)} given ${JSON.stringify(given)}`
      const { id } = await create(at, { first_name: 'Ada', ...written(before) })
      const answer = await put(`${at}/${id}`, written(given))
      expect.soft(summary(answer.body), row).toEqual(written(then))
      const held = [then.email, ...(then.emails ?? '').replaceAll('*', '').split(' ')].map(m =>
        m?.toLowerCase(),
      )
      for (const mark of ['a', 'b', 'c']) {
        const { total } = (await get(`${at}?email=${mark}@x.test`)).body
        expect.soft(total, `${row}: ${mark}`).toBe(held.includes(mark) ? 1 : 0)
      }
      await remove(`${at}/${id}`)
    }
  })

  it('has a new primary one after the primary one was removed', async () => {
    const { create, put } = await account()
    const { id } = await create(at, { first_name: 'Ada', ...written({ emails: '*a b' }) })
    await put(`${at}/${id}`, { email: null })
    const answer = await put(`${at}/${id}`, { email: 'c@x.test' })
    expect(summary(answer.body)).toEqual(written({ email: 'c', emails: '*c b' }))
  })

  it('treats phones the same way, and recognises a number in any notation', async () => {
    const { create, put } = await account()
    const phones = [{ phone: '+1 555 0100' }, { phone: '+1 555 0101', type: 'mobile' }]
    const made = await create(at, { first_name: 'Ada', phones })
    expect(made.phone).toBe('+1 555 0100')
    const { body } = await put(`${at}/${made.id}`, { phone: '+1 (555) 01-01' })
    expect(body.phones).toEqual([
      { phone: '+1 555 0100', type: 'work', is_primary: false },
      { phone: '+1 (555) 01-01', type: 'mobile', is_primary: true },
    ])
    expect((await put(`${at}/${made.id}`, { phone: 'ask the desk' })).body.phones[1]).toEqual({
      phone: 'ask the desk',
      type: 'mobile',
      is_primary: true,
    })
  })
})

const summary = ({
  email,
  emails,
}: {
  email: string
  emails: { email: string; is_primary: boolean }[] | null
}) => ({
  email,
  emails: emails?.map(entry => ({ email: entry.email, is_primary: entry.is_primary })) ?? null,
})
