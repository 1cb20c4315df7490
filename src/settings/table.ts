/** All settings, each with its path in `Config`, default, bounds and README text. */
import { isNetwork } from '../lib/addresses.ts'
import { limits } from './limits.ts'
import { assistant, embeddings, speech } from './models.ts'
import {
  bool,
  bytes,
  int,
  mailbox,
  modelEndpoint,
  oneOf,
  proxies,
  secret,
  text,
  textList,
  url,
  webUrl,
} from './setting.ts'

const MB = 1024 ** 2
const GB = 1024 ** 3

const LOGO_SERVICES = [
  'https://logo.clearbit.com/{domain}',
  'https://www.google.com/s2/favicons?domain={domain}&sz=128',
  'https://icons.duckduckgo.com/ip3/{domain}.ico',
]

export const settings = {
  port: int('PORT', 8000, [0, 65535], 'the port to listen on; `0` picks a free one'),
  host: text('HOST', '127.0.0.1', 'the address to listen on; `0.0.0.0` for every one'),
  databaseUrl: url(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'a PostgreSQL 15+ server, `postgres://…`; unset means the embedded engine',
  ),
  databaseReadUrl: url(
    'DATABASE_READ_URL',
    ['postgres:', 'postgresql:'],
    'a streaming replica of that server, which serves lists, searches and exports while it is up to date (docs/scaling.md)',
  ),
  dataDir: text('KITH_DATA_DIR', './data', 'the folder of the embedded database and of all files'),
  fsync: bool(
    'KITH_FSYNC',
    true,
    'embedded engine: acknowledge a write when it is on the disk; with `false` a power failure can lose the last writes, or the database',
  ),
  apiKey: secret(
    'KITH_API_KEY',
    key => /^sk_[A-Za-z0-9_-]{16,200}$/.test(key) && new Set(key).size >= 8,
    'start with sk_ and go on with 16 to 200 letters, digits, "-" or "_", at least eight of them different',
    'the first account’s key, for automation: `sk_` and 16 or more characters; for commands that call the service, the key they use',
  ),
  serviceUrl: webUrl(
    'KITH_URL',
    'the running service, for commands that call it (`kith import`, `kith mcp`); unset, `HOST` and `PORT` of this machine',
  ),
  demo: bool('KITH_DEMO', false, 'fill the account of the first start with demo data (`kith demo`)'),
  registration: oneOf(
    'KITH_REGISTRATION',
    ['open', 'invited', 'closed'],
    'invited',
    'who may register: `open`: everyone; `invited`: the first user of a new service, then only people with an invitation; `closed`: no new users',
  ),
  jwt: {
    secret: secret(
      'KITH_JWT_SECRET',
      key => Buffer.byteLength(key) >= 32,
      'be at least 32 bytes long',
      'signs access tokens',
      'generated once and stored in the database',
    ),
    jwksUrl: url(
      'KITH_JWKS_URL',
      ['https:', 'http:'],
      'accept the tokens of an outside issuer; needs the next two settings',
    ),
    issuer: text('KITH_JWT_ISSUER', undefined, 'the issuer that those tokens must name'),
    audience: text('KITH_JWT_AUDIENCE', undefined, 'the audience that those tokens must name'),
  },
  encryptionKey: secret(
    'KITH_ENCRYPTION_KEY',
    key => Buffer.byteLength(key) >= 32,
    'be at least 32 bytes long',
    'encrypts secrets that the service must read again, such as those of webhooks; secrets encrypted with the key in the database remain readable',
    'generated once and stored in the database',
  ),
  publicUrl: webUrl('KITH_PUBLIC_URL', 'the public URL of the service, for links in mails and responses'),
  corsOrigins: textList(
    'KITH_CORS_ORIGINS',
    [],
    origin => origin === '*' || URL.parse(origin)?.origin === origin,
    '* or a comma-separated list of origins such as https://app.example.com',
    'comma-separated origins of browsers that may call, or `*`',
  ),
  trustProxy: proxies(
    'KITH_TRUST_PROXY',
    'which proxies’ `X-Forwarded-For` is trusted: the number of proxies in front of the service (`true` is one), or their addresses (`10.0.0.0/8, loopback`)',
  ),
  metricsToken: secret(
    'KITH_METRICS_TOKEN',
    token => /^[\x21-\x7e]{16,200}$/.test(token),
    'be 16 to 200 printable characters without spaces',
    'the token that `/metrics` requires as `Authorization: Bearer …`; unset: no credentials needed',
  ),
  logLevel: oneOf(
    'KITH_LOG_LEVEL',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    '`trace` to `fatal`, or `silent`',
  ),
  limits,
  jobs: {
    inServer: bool(
      'KITH_WORKER',
      true,
      'run background jobs in this process; `node bin/kith.mjs worker` runs them in a separate process',
    ),
    leaseMs: int(
      'KITH_JOB_HOLD_SECONDS',
      10,
      [1, 3600],
      'how long the lease of a job lasts after its worker stopped responding',
      { scale: 1000 },
    ),
  },
  files: {
    importBytes: bytes('KITH_IMPORT_LIMIT', 100 * MB, 1024 ** 4, 'bytes of a file to import'),
    exportHours: int('KITH_EXPORT_HOURS', 72, [1, 87_600], 'how long the file of an export is stored'),
    audioBytes: bytes('KITH_AUDIO_LIMIT', 100 * MB, GB, 'bytes of a recording'),
    fileBytes: bytes('KITH_FILE_LIMIT', 100 * MB, 1024 ** 4, 'bytes of a file on a record'),
    attachmentBytes: bytes('KITH_ATTACHMENT_LIMIT', 25 * MB, GB, 'bytes of a file that is added to a chat'),
  },
  backup: {
    dir: text(
      'KITH_BACKUP_DIR',
      undefined,
      'the folder of scheduled backups of the embedded engine; unset: no scheduled backups',
    ),
    everyMs: int('KITH_BACKUP_EVERY', 24, [1, 8760], 'hours between scheduled backups', { scale: 3_600_000 }),
    keep: int(
      'KITH_BACKUP_KEEP',
      7,
      [1, 10_000],
      'number of scheduled backups to retain; older ones are deleted',
    ),
  },
  webhooks: {
    allow: textList(
      'KITH_WEBHOOK_ALLOW',
      [],
      isNetwork,
      'a comma-separated list of networks such as 10.1.0.0/16 or fd00::/8',
      'networks that webhooks may be sent into although they are not on the public internet, also over `http`: `10.1.0.0/16, 127.0.0.1`',
    ),
    timeoutMs: int(
      'KITH_WEBHOOK_TIMEOUT_SECONDS',
      15,
      [1, 120],
      'how long the receiver of a webhook may take to answer',
      { scale: 1000 },
    ),
    retryMs: int(
      'KITH_WEBHOOK_RETRY_SECONDS',
      5,
      [1, 3600],
      'the pause before a failed delivery is tried again; it doubles each time, up to four hours',
      { scale: 1000 },
    ),
    giveUpMs: int(
      'KITH_WEBHOOK_GIVE_UP_HOURS',
      72,
      [1, 720],
      'how long a delivery is tried, and how long a webhook may fail until it is disabled',
      { scale: 3_600_000 },
    ),
  },
  search: {
    indexer: bool(
      'KITH_INDEXER',
      true,
      'update the search index in this process; turn it off if another process on the same database does it',
    ),
  },
  embeddings,
  languageModel: modelEndpoint(
    'KITH_LLM',
    'an OpenAI-compatible language model, to word answers, mails and summaries of recordings, and for the assistant in chats',
  ),
  assistant,
  speech,
  mail: {
    smtpUrl: url(
      'KITH_SMTP_URL',
      ['smtp:', 'smtps:'],
      'the server that sends mail; without it, requests to send mail fail with 409, and passwords cannot be reset',
    ),
    from: text(
      'KITH_MAIL_FROM',
      undefined,
      'the address mail is sent from, with or without a name: `crm@example.com`, `Kith <crm@example.com>`; needed with `KITH_SMTP_URL`',
    ),
  },
  imap: {
    address: mailbox(
      'KITH_IMAP_URL',
      'a mailbox whose mails are logged (docs/inbound-mail.md): `imaps://user:password@host/INBOX`, with the special characters of user and password percent-encoded',
    ),
    account: text(
      'KITH_IMAP_ACCOUNT',
      undefined,
      'the id or slug of the account that those mails are logged in; unset, the first account',
    ),
    everyMs: int('KITH_IMAP_SECONDS', 60, [1, 86_400], 'seconds between two polls of that mailbox', {
      scale: 1000,
    }),
  },
  logoServices: textList(
    'KITH_LOGO_SERVICES',
    LOGO_SERVICES,
    one => one.includes('{domain}') && URL.canParse(one.replace('{domain}', 'example.com')),
    'a comma-separated list of addresses with {domain} in each',
    'addresses with `{domain}`, offered as logos and never called',
    'three public ones',
  ),
}
