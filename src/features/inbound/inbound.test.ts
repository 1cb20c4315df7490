import { expect, it } from 'vitest'
import { type Account, anotherMember, onAnyEngine, onBothEngines } from '../../../test/support/service.ts'

const TYPE = { 'content-type': 'message/rfc822' }
const send = (account: Account, mail: string | Uint8Array) =>
  account.post('/api/inbound/mail', typeof mail === 'string' ? Buffer.from(mail) : mail, TYPE)

const mailOf = (headers: Record<string, string>, body: string) =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${body}`

const HEADERS = {
  From: 'Ada Reyes <Ada@Customer.example>',
  To: 'crm@ours.example',
  Subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?= aus Wien',
  Date: 'Mon, 02 Mar 2026 09:00:00 +0100',
  'Message-ID': '<one@customer.example>',
}

const WITH_FILE = mailOf(
  {
    ...HEADERS,
    'Message-ID': '<two@customer.example>',
    'In-Reply-To': '<one@customer.example>',
    References: '<one@customer.example>',
    'MIME-Version': '1.0',
    'Content-Type': 'multipart/mixed; boundary="b"',
  },
  [
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>See <b>the plan</b>.</p><script>alert(1)</script>',
    '--b',
    'Content-Type: text/plain; name="../plan.txt"',
    'Content-Disposition: attachment; filename="../plan.txt"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('Step 1').toString('base64'),
    '--b--',
    '',
  ].join('\r\n'),
)

onBothEngines('inbound mail', newAccount => {
  it('is logged on the contacts that it is from and to, once, with threads and attachments', async () => {
    const account = await newAccount()
    const ada = await account.create('/api/contacts', { first_name: 'Ada', email: 'ada@customer.example' })
    const bob = await account.create('/api/contacts', { first_name: 'Bob', email: 'bob@customer.example' })
    const first = await send(account, mailOf({ ...HEADERS, Cc: 'bob@customer.example' }, 'Hello\r\nthere'))
    expect(first).toMatchObject({ status: 200, body: { status: 'logged', files: 0, skipped: [] } })
    expect(first.body.contact_ids.sort()).toEqual([ada.id, bob.id].sort())
    const activity = (await account.get(`/api/activities/${first.body.activity_id}`)).body
    expect(activity).toMatchObject({
      type: 'email',
      subject: 'Grüße aus Wien',
      description: 'Hello\nthere',
      status: 'completed',
      direction: 'inbound',
      start_at: '2026-03-02T08:00:00.000Z',
      metadata: { mail_thread: '<one@customer.example>', mail_from: 'ada@customer.example' },
    })
    const twice = await Promise.all([send(account, WITH_FILE), send(account, WITH_FILE)])
    expect(twice.map(({ body }) => body.status).sort()).toEqual(['duplicate', 'logged'])
    const id = twice[0].body.activity_id
    expect(twice[1].body.activity_id).toBe(id)
    const answer = (await account.get(`/api/activities/${id}`)).body
    expect(answer).toMatchObject({
      description: 'See the plan.',
      metadata: { mail_thread: '<one@customer.example>' },
    })
    const { items } = (await account.get(`/api/files?entity_type=activity&entity_id=${id}`)).body
    expect(items).toMatchObject([{ name: 'plan.txt', file_size: 6 }])
    expect((await account.get(`/api/files/${items[0].id}/content`)).text).toBe('Step 1')
    const sent = mailOf(
      { ...HEADERS, From: 'me@ours.example', To: 'ada@customer.example', 'Message-ID': '<3@x>' },
      'Hi',
    )
    const out = await send(account, sent)
    expect((await account.get(`/api/activities/${out.body.activity_id}`)).body.direction).toBe('outbound')
  })
})

onAnyEngine('inbound mail', newAccount => {
  it('of strangers is ignored, also of contacts of another account', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    await other.create('/api/contacts', { first_name: 'Ada', email: 'ada@customer.example' })
    const answer = await send(account, mailOf(HEADERS, 'Hello'))
    expect(answer).toMatchObject({ status: 200, body: { status: 'ignored', activity_id: null } })
    expect((await account.get('/api/activities')).body.total).toBe(0)
  })

  it('needs the scopes of what it reads and writes', async () => {
    const account = await newAccount()
    await account.create('/api/contacts', { first_name: 'Ada', email: 'ada@customer.example' })
    const without = await anotherMember(account, { scopes: ['activities:write'] })
    expect(await send(without, WITH_FILE)).toMatchObject({
      status: 403,
      text: expect.stringContaining('contacts:read'),
    })
    const scopes = ['activities:write', 'activities:read', 'contacts:read']
    const unfiled = await anotherMember(account, { scopes })
    expect(await send(unfiled, WITH_FILE)).toMatchObject({
      status: 403,
      text: expect.stringContaining('files:write'),
    })
    expect((await account.get('/api/activities')).body.total).toBe(0)
    expect((await send(await anotherMember(account, { role: 'viewer' }), WITH_FILE)).status).toBe(403)
  })

  it('that is hostile does no harm', async () => {
    const account = await newAccount()
    await account.create('/api/contacts', { first_name: 'Ada', email: 'ada@customer.example' })
    const nested = Array.from(
      { length: 300 },
      (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`,
    )
    const hostile: (string | Uint8Array)[] = [
      'no mail at all',
      Buffer.from([0, 255, 254, 10, 13, 0]),
      mailOf(
        { ...HEADERS, 'Message-ID': `<${'x'.repeat(5000)}@x>`, Subject: '\u0000\u001b[31mred' },
        'a\u0000b',
      ),
      mailOf({ ...HEADERS, 'Message-ID': '<4@x>', Date: 'yesterday' }, '\ud83d'.repeat(10)),
      mailOf({ ...HEADERS, 'Message-ID': '<5@x>', To: 'a@b.example, '.repeat(20_000) }, 'many'),
      mailOf({ ...HEADERS, 'Message-ID': '<6@x>' }, 'x'.repeat(300_000)),
      `${mailOf({ ...HEADERS, 'Message-ID': '<7@x>' }, '').trimEnd()}\r\n${nested.join('')}`,
    ]
    for (const mail of hostile) expect([200, 422]).toContain((await send(account, mail)).status)
    expect((await send(account, '')).status).toBe(422)
    expect((await account.get('/api/activities')).status).toBe(200)
  })
})
