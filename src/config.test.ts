import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withTable } from '../tools/settings.ts'
import { ConfigError, loadConfig } from './config.ts'

describe('settings', () => {
  it('have defaults when nothing is set', () => {
    const config = loadConfig({})
    expect(config).toMatchObject({
      port: 8000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      apiKey: undefined,
      logLevel: 'info',
      trustProxy: 0,
      registration: 'invited',
      corsOrigins: [],
      limits: { trashDays: 30, drainMs: 0, stopTimeoutMs: 10_000 },
    })
    expect(config.dataDir).toMatch(/\/data$/)
  })

  it('describe a mailbox by its address, with the standard port and folder', () => {
    const read = (url: string) => loadConfig({ KITH_IMAP_URL: url }).imap
    expect(read('imaps://crm%40a.example:p%2Fw@mail.example')).toMatchObject({
      ...{ host: 'mail.example', port: 993, isSecure: true, isLocal: false, mailbox: 'INBOX' },
      ...{ user: 'crm@a.example', password: 'p/w', account: undefined, everyMs: 60_000 },
      name: 'crm@a.example at mail.example:993, INBOX',
    })
    expect(read('imap://u:p@[::1]:1143/Sales%20mail')).toMatchObject({
      ...{ host: '::1', port: 1143, isSecure: false, isLocal: true, mailbox: 'Sales mail' },
    })
    for (const url of ['pop://u:secret@h', 'imaps://u@h', 'imaps://u:sec%ret@h', 'imaps://:secret@h']) {
      expect(() => read(url)).toThrow('KITH_IMAP_URL')
      expect(() => read(url)).not.toThrow('secret')
    }
  })

  it.each([
    ['crm@example.com', { from: 'crm@example.com' }],
    ['Kith <crm@example.com>', { from: 'crm@example.com', fromName: 'Kith' }],
    ['"Müller, Sales" <crm@example.com>', { from: 'crm@example.com', fromName: 'Müller, Sales' }],
    ['<crm@example.com>', { from: 'crm@example.com' }],
  ])('take %s as the sender of mail', (from, expected) => {
    const smtpUrl = 'smtp://mail.example'
    expect(loadConfig({ KITH_SMTP_URL: smtpUrl, KITH_MAIL_FROM: from }).mail).toEqual({
      smtpUrl,
      ...expected,
    })
  })

  it('are unset when they are empty', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', KITH_API_KEY: '', KITH_CORS_ORIGINS: ' , ' })).toEqual(
      loadConfig({}),
    )
  })

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', ' 9000 ', { port: 9000 }],
    ['HOST', '::1', { host: '::1' }],
    ['DATABASE_URL', 'postgresql://a@b/c', { databaseUrl: 'postgresql://a@b/c' }],
    ['KITH_DATA_DIR', '/var/lib/kith', { dataDir: '/var/lib/kith' }],
    ['KITH_API_KEY', 'sk_0123456789abcdef', { apiKey: 'sk_0123456789abcdef' }],
    ['KITH_JWT_SECRET', 'x'.repeat(32), { jwt: { secret: 'x'.repeat(32) } }],
    ['KITH_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['KITH_TRUST_PROXY', 'Yes', { trustProxy: 1 }],
    ['KITH_TRUST_PROXY', '2', { trustProxy: 2 }],
    ['KITH_TRUST_PROXY', 'off', { trustProxy: 0 }],
    ['KITH_TRUST_PROXY', '10.0.0.0/8, ::1,Loopback', { trustProxy: ['10.0.0.0/8', '::1', 'loopback'] }],
    ['KITH_PUBLIC_URL', 'https://crm.example.com/', { publicUrl: 'https://crm.example.com' }],
    [
      'KITH_CORS_ORIGINS',
      'https://a.example, http://localhost:3000',
      { corsOrigins: ['https://a.example', 'http://localhost:3000'] },
    ],
    ['KITH_CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
    ['KITH_RATE_LIMIT', '0', { limits: { requestsPerMinute: 0 } }],
    ['KITH_REGISTRATION', 'closed', { registration: 'closed' }],
    ['KITH_REQUEST_TIMEOUT_MS', '1000', { limits: { requestTimeoutMs: 1000 } }],
    ['KITH_DRAIN_MS', '5000', { limits: { drainMs: 5000 } }],
  ])('accept %s=%s', (name, value, expected) => {
    expect(loadConfig({ [name]: value })).toMatchObject(expected)
  })

  it.each([
    ['PORT', '1e9'],
    ['PORT', 'eighty'],
    ['DATABASE_URL', 'localhost/kith'],
    ['KITH_API_KEY', 'sk_short'],
    ['KITH_API_KEY', 'sk_aaaaaaaaaaaaaaaaaaaa'],
    ['KITH_METRICS_TOKEN', 'short'],
    ['KITH_API_KEY', 'sk_with a space in the middle'],
    ['KITH_JWT_SECRET', 'x'.repeat(31)],
    ['KITH_JWKS_URL', 'https://issuer.example/keys'],
    ['KITH_LOG_LEVEL', 'Info'],
    ['KITH_TRUST_PROXY', '-1'],
    ['KITH_TRUST_PROXY', '10.0.0.0/33'],
    ['KITH_TRUST_PROXY', 'proxy.example'],
    ['KITH_REGISTRATION', 'anybody'],
    ['KITH_CORS_ORIGINS', 'a.example'],
    ['KITH_CORS_ORIGINS', 'https://a.example/'],
    ['KITH_LOGO_SERVICES', 'https://logos.example/'],
    ['KITH_TRASH_DAYS', '0'],
    ['KITH_STATEMENT_TIMEOUT_MS', '0.5'],
  ])('refuse %s=%s with a message that names the setting', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^${name} .*\\.$`))
  })

  it('that may be secret are not repeated in errors', () => {
    for (const env of [
      { DATABASE_URL: 'http://me:hunter2@db' },
      { KITH_API_KEY: 'hunter2' },
      { KITH_JWT_SECRET: 'hunter2' },
    ]) {
      expect(() => loadConfig(env as Record<string, string>)).toThrow(/^((?!hunter2).)*$/)
    }
  })
})

describe('a setting of the wrong form', () => {
  const whole = (name: string, range: string, value: string) =>
    `${name} must be a whole number from ${range}, not "${value}".`
  it.each<[string, Record<string, string>, string | RegExp]>([
    ['PORT', { PORT: '65536' }, whole('PORT', '0 to 65535', '65536')],
    ['PORT', { PORT: '80.5' }, whole('PORT', '0 to 65535', '80.5')],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'mysql://a:secret@b/c' },
      'DATABASE_URL must be an address that starts with postgres: or postgresql://.',
    ],
    [
      'KITH_API_KEY',
      { KITH_API_KEY: 'secret' },
      'KITH_API_KEY must start with sk_ and go on with 16 to 200 letters, digits, "-" or "_", at least eight of them different.',
    ],
    ['KITH_JWT_SECRET', { KITH_JWT_SECRET: 'short' }, 'KITH_JWT_SECRET must be at least 32 bytes long.'],
    [
      'KITH_JWKS_URL',
      { KITH_JWKS_URL: 'ftp://keys' },
      'KITH_JWKS_URL must be an address that starts with https: or http://.',
    ],
    [
      'KITH_JWKS_URL',
      { KITH_JWKS_URL: 'https://issuer/keys' },
      'KITH_JWKS_URL needs KITH_JWT_ISSUER and KITH_JWT_AUDIENCE too.',
    ],
    [
      'DATABASE_READ_URL',
      { DATABASE_READ_URL: 'postgres://replica/kith' },
      'DATABASE_READ_URL names a replica of the server at DATABASE_URL; set both.',
    ],
    [
      'KITH_LOG_LEVEL',
      { KITH_LOG_LEVEL: 'loud' },
      'KITH_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
    ],
    [
      'KITH_PUBLIC_URL',
      { KITH_PUBLIC_URL: 'crm.example.com' },
      'KITH_PUBLIC_URL must be an address that starts with https: or http://.',
    ],
    [
      'KITH_CORS_ORIGINS',
      { KITH_CORS_ORIGINS: 'https://a.example/app' },
      /^KITH_CORS_ORIGINS must be \* or a comma-separated list of origins/,
    ],
    [
      'KITH_TRUST_PROXY',
      { KITH_TRUST_PROXY: 'perhaps' },
      /^KITH_TRUST_PROXY must be false, the number of proxies/,
    ],
    [
      'KITH_LOGO_SERVICES',
      { KITH_LOGO_SERVICES: 'https://logos' },
      /^KITH_LOGO_SERVICES must be a comma-separated list of addresses/,
    ],
    ['KITH_BODY_LIMIT', { KITH_BODY_LIMIT: '10MB' }, whole('KITH_BODY_LIMIT', '1024 to 1073741824', '10MB')],
    [
      'KITH_MAIL_FROM',
      { KITH_SMTP_URL: 'smtp://mail.example' },
      'KITH_SMTP_URL needs KITH_MAIL_FROM too, an address such as crm@example.com.',
    ],
    [
      'KITH_MAIL_FROM',
      { KITH_SMTP_URL: 'smtp://mail.example', KITH_MAIL_FROM: 'Kith crm@example.com' },
      'KITH_MAIL_FROM must be an address such as crm@example.com or Kith <crm@example.com>, not "Kith crm@example.com".',
    ],
    [
      'KITH_MAIL_FROM',
      { KITH_SMTP_URL: 'smtp://mail.example', KITH_MAIL_FROM: 'Kith <a@x.example> <b@x.example>' },
      /^KITH_MAIL_FROM must be an address/,
    ],
    ['KITH_POOL_SIZE', { KITH_POOL_SIZE: '0' }, whole('KITH_POOL_SIZE', '1 to 1000', '0')],
    [
      'KITH_STOP_TIMEOUT_MS',
      { KITH_STOP_TIMEOUT_MS: '-1' },
      whole('KITH_STOP_TIMEOUT_MS', '100 to 600000', '-1'),
    ],
  ])('%s %o is refused with a message', (_name, env, sentence) => {
    expect(() => loadConfig(env)).toThrow(ConfigError)
    expect(() => loadConfig(env)).toThrow(
      typeof sentence === 'string' ? expect.objectContaining({ message: sentence }) : sentence,
    )
    expect(() => loadConfig(env)).toThrow(/^[^\n]+$/)
  })
})

it('are listed in the README (npm run settings)', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toBe(withTable(readme))
  expect(readme).toContain('`KITH_LOGO_SERVICES`')
})
