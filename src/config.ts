/** The only reader of the environment. Everything else is handed a `Config`. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'

export interface Config {
  port: number
  host: string
  databaseUrl: string | undefined
  dataDir: string
  apiKey: string | undefined
  jwt: {
    secret: string | undefined
    jwksUrl: string | undefined
    issuer: string | undefined
    audience: string | undefined
  }
  logLevel: (typeof LOG_LEVELS)[number]
  publicUrl: string | undefined
  /** who may register: `open` every caller, `invited` the first caller and then invited people, `closed` no one */
  registration: (typeof REGISTRATIONS)[number]
  limits: {
    bodyBytes: number
    /** how long a body may take to arrive; for an upload, the time over which its rate is measured */
    requestTimeoutMs: number
    /** bytes a second at which an upload must arrive */
    uploadBytesPerSecond: number
    /** connections at a time; 0: any number */
    connections: number
    requestsPerMinute: number
    loginsPerMinute: number
    statementTimeoutMs: number
    poolSize: number
    trashDays: number
    /** bytes that an archive may unpack to when it is restored */
    restoreBytes: number
    /** people that an account may write to within 24 hours; 0: any number */
    mailRecipientsPerDay: number
    /** how long a stop waits, with readiness off, before it takes no more connections */
    drainMs: number
    /** how long a stop waits for requests in flight */
    stopTimeoutMs: number
  }
  jobs: {
    /** run them in the server's own process; `kith worker` runs them apart */
    inServer: boolean
    /** how long a worker that is not heard of keeps its jobs */
    holdMs: number
  }
  files: {
    /** uploads and exports; processes that share a database must share this folder */
    dir: string
    importBytes: number
    exportHours: number
    /** recordings; to be shared likewise */
    audioDir: string
    audioBytes: number
    /** files that people add to chats; to be shared likewise */
    attachmentDir: string
    attachmentBytes: number
  }
  search: {
    /** keep the index in step in this process; one that shares its database with others may leave it to them */
    indexer: boolean
  }
  embeddings: {
    /** the model that comes with the service */
    local: boolean
    /** where its files are, when not in the package */
    dir: string | undefined
    remote: ModelEndpoint | undefined
  }
  speech: {
    /** the first comes with the service, the others are installed beside it */
    model: (typeof SPEECH_MODELS)[number]
    /** where the files of a Whisper model are, when not in its package */
    dir: string | undefined
    /** instead of a model that runs here */
    remote: ModelEndpoint | undefined
    /** let ffmpeg decode where it is installed */
    ffmpeg: boolean
  }
  /** words the answers; without one they are put together from the records' own words */
  languageModel: ModelEndpoint | undefined
  assistant: {
    /** how long a language model may be silent in the middle of an answer in a chat */
    patienceMs: number
    /** how often a stream without news says that it is still there */
    signOfLifeMs: number
    /** how long an answer goes on that nobody follows any more */
    graceMs: number
    /** 0: as many as they like */
    requestsPerMinute: { caller: number; account: number }
    tokensPerDay: { caller: number; account: number }
  }
  /** how mail is sent; undefined: it is not */
  mail: { smtpUrl: string; from: string } | undefined
  corsOrigins: string[]
  trustProxy: boolean
  logoServices: string[]
}

/** An OpenAI-compatible service, e.g. https://api.example.com/v1. */
export interface ModelEndpoint {
  url: string
  model: string
  key: string | undefined
}

const SPEECH_MODELS = ['moonshine-tiny', 'whisper-base', 'whisper-small'] as const
const REGISTRATIONS = ['open', 'invited', 'closed'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** What is wrong with a setting, in one sentence for the person who set it. */
export class ConfigError extends Error {}

type Env = Record<string, string | undefined>

export function loadConfig(env: Env = { ...readDotEnv('.env'), ...process.env }): Config {
  const value = (name: string): string | undefined => env[name]?.trim() || undefined

  const int = (name: string, fallback: number, min: number, max: number): number => {
    const raw = value(name)
    if (raw === undefined) return fallback
    const n = Number(raw)
    if (!Number.isInteger(n) || n < min || n > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}".`)
    }
    return n
  }

  const bool = (name: string, fallback: boolean): boolean => {
    const raw = value(name)?.toLowerCase()
    if (raw === undefined) return fallback
    if (['true', '1', 'yes', 'on'].includes(raw)) return true
    if (['false', '0', 'no', 'off'].includes(raw)) return false
    throw new ConfigError(`${name} must be true or false, not "${raw}".`)
  }

  const url = (name: string, protocols: string[]): string | undefined => {
    const raw = value(name)
    if (raw === undefined) return undefined
    const parsed = URL.parse(raw)
    if (!parsed || !protocols.includes(parsed.protocol)) {
      // The value itself may hold a password, so it is not repeated.
      throw new ConfigError(`${name} must be an address that starts with ${protocols.join(' or ')}//.`)
    }
    return raw
  }

  const apiKey = value('KITH_API_KEY')
  if (apiKey !== undefined && !/^sk_[A-Za-z0-9_-]{16,200}$/.test(apiKey)) {
    throw new ConfigError(
      'KITH_API_KEY must start with sk_ and go on with 16 to 200 letters, digits, "-" or "_".',
    )
  }

  const secret = value('KITH_JWT_SECRET')
  if (secret !== undefined && Buffer.byteLength(secret) < 32) {
    throw new ConfigError('KITH_JWT_SECRET must be at least 32 bytes long.')
  }
  const jwksUrl = url('KITH_JWKS_URL', ['https:', 'http:'])
  const issuer = value('KITH_JWT_ISSUER')
  const audience = value('KITH_JWT_AUDIENCE')
  if (jwksUrl !== undefined && (issuer === undefined || audience === undefined)) {
    throw new ConfigError('KITH_JWKS_URL needs KITH_JWT_ISSUER and KITH_JWT_AUDIENCE beside it.')
  }

  const registration = REGISTRATIONS.find(one => one === (value('KITH_REGISTRATION') ?? 'invited'))
  if (registration === undefined) {
    throw new ConfigError(
      `KITH_REGISTRATION must be one of ${REGISTRATIONS.join(', ')}, not "${value('KITH_REGISTRATION')}".`,
    )
  }

  const logLevel = value('KITH_LOG_LEVEL') ?? 'info'
  if (!LOG_LEVELS.includes(logLevel as Config['logLevel'])) {
    throw new ConfigError(`KITH_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`)
  }

  const logoServices = (
    value('KITH_LOGO_SERVICES') ??
    'https://logo.clearbit.com/{domain},https://www.google.com/s2/favicons?domain={domain}&sz=128,https://icons.duckduckgo.com/ip3/{domain}.ico'
  )
    .split(',')
    .map(s => s.trim())
  if (
    logoServices.some(s => !s.includes('{domain}') || !URL.canParse(s.replace('{domain}', 'example.com')))
  ) {
    throw new ConfigError(
      'KITH_LOGO_SERVICES must be a comma-separated list of addresses with {domain} in each.',
    )
  }

  const modelEndpoint = (prefix: string): ModelEndpoint | undefined => {
    const address = url(`${prefix}_URL`, ['https:', 'http:'])?.replace(/\/+$/, '')
    const model = value(`${prefix}_MODEL`)
    if (address === undefined) return undefined
    if (model === undefined) throw new ConfigError(`${prefix}_URL needs ${prefix}_MODEL beside it.`)
    return { url: address, model, key: value(`${prefix}_KEY`) }
  }

  const speech = modelEndpoint('KITH_SPEECH')
  const speechModel = (speech ? undefined : value('KITH_SPEECH_MODEL')) ?? SPEECH_MODELS[0]
  if (!SPEECH_MODELS.includes(speechModel as Config['speech']['model'])) {
    throw new ConfigError(
      `KITH_SPEECH_MODEL must be one of ${SPEECH_MODELS.join(', ')} unless KITH_SPEECH_URL is set, not "${speechModel}".`,
    )
  }

  const smtpUrl = url('KITH_SMTP_URL', ['smtp:', 'smtps:'])
  const mailFrom = value('KITH_MAIL_FROM')
  if (smtpUrl !== undefined && !/^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/.test(mailFrom ?? '')) {
    throw new ConfigError('KITH_SMTP_URL needs KITH_MAIL_FROM beside it, an address such as crm@example.com.')
  }

  const dataDir = resolve(value('KITH_DATA_DIR') ?? './data')
  const corsOrigins = (value('KITH_CORS_ORIGINS') ?? '')
    .split(',')
    .map(s => s.trim())
    .filter(s => s !== '')
  if (corsOrigins.some(origin => origin !== '*' && URL.parse(origin)?.origin !== origin)) {
    throw new ConfigError(
      'KITH_CORS_ORIGINS must be * or a comma-separated list of origins such as https://app.example.com.',
    )
  }

  return {
    port: int('PORT', 8000, 0, 65535),
    host: value('HOST') ?? '127.0.0.1',
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    dataDir,
    apiKey,
    jwt: { secret, jwksUrl, issuer, audience },
    logLevel: logLevel as Config['logLevel'],
    publicUrl: url('KITH_PUBLIC_URL', ['https:', 'http:'])?.replace(/\/+$/, ''),
    registration,
    limits: {
      bodyBytes: int('KITH_BODY_LIMIT', 10 * 1024 * 1024, 1024, 1024 ** 3),
      requestTimeoutMs: int('KITH_REQUEST_TIMEOUT_MS', 60_000, 100, 3_600_000),
      uploadBytesPerSecond: int('KITH_UPLOAD_RATE', 8192, 0, 1024 ** 3),
      connections: int('KITH_MAX_CONNECTIONS', 5000, 0, 1_000_000),
      requestsPerMinute: int('KITH_RATE_LIMIT', 60_000, 0, 100_000_000),
      loginsPerMinute: int('KITH_LOGIN_RATE_LIMIT', 20, 1, 100_000),
      statementTimeoutMs: int('KITH_STATEMENT_TIMEOUT_MS', 30_000, 100, 3_600_000),
      poolSize: int('KITH_POOL_SIZE', 10, 1, 1000),
      trashDays: int('KITH_TRASH_DAYS', 30, 1, 36_500),
      restoreBytes: int('KITH_RESTORE_LIMIT', 20 * 1024 ** 3, 1024, 1024 ** 5),
      mailRecipientsPerDay: int('KITH_MAIL_DAILY_RECIPIENTS', 200, 0, 100_000_000),
      drainMs: int('KITH_DRAIN_MS', 0, 0, 600_000),
      stopTimeoutMs: int('KITH_STOP_TIMEOUT_MS', 10_000, 100, 600_000),
    },
    jobs: {
      inServer: bool('KITH_WORKER', true),
      holdMs: int('KITH_JOB_HOLD_SECONDS', 10, 1, 3600) * 1000,
    },
    files: {
      dir: join(dataDir, 'files'),
      importBytes: int('KITH_IMPORT_LIMIT', 100 * 1024 * 1024, 1024, 1024 ** 4),
      exportHours: int('KITH_EXPORT_HOURS', 72, 1, 87_600),
      audioDir: join(dataDir, 'audio'),
      audioBytes: int('KITH_AUDIO_LIMIT', 100 * 1024 * 1024, 1024, 1024 ** 3),
      attachmentDir: join(dataDir, 'attachments'),
      attachmentBytes: int('KITH_ATTACHMENT_LIMIT', 25 * 1024 * 1024, 1024, 1024 ** 3),
    },
    search: { indexer: bool('KITH_INDEXER', true) },
    embeddings: {
      local: bool('KITH_EMBEDDINGS_LOCAL', true),
      dir: value('KITH_EMBEDDINGS_DIR'),
      remote: modelEndpoint('KITH_EMBEDDINGS'),
    },
    speech: {
      model: speechModel as Config['speech']['model'],
      dir: value('KITH_SPEECH_DIR'),
      remote: speech,
      ffmpeg: bool('KITH_FFMPEG', true),
    },
    languageModel: modelEndpoint('KITH_LLM'),
    assistant: {
      patienceMs: int('KITH_LLM_TIMEOUT_SECONDS', 60, 1, 3600) * 1000,
      signOfLifeMs: int('KITH_CHAT_HEARTBEAT_SECONDS', 15, 1, 300) * 1000,
      graceMs: int('KITH_CHAT_GRACE_SECONDS', 15, 0, 3600) * 1000,
      requestsPerMinute: {
        caller: int('KITH_CHAT_KEY_REQUESTS', 120, 0, 1_000_000),
        account: int('KITH_CHAT_ACCOUNT_REQUESTS', 1200, 0, 10_000_000),
      },
      tokensPerDay: {
        caller: int('KITH_CHAT_KEY_TOKENS', 2_000_000, 0, 1_000_000_000_000),
        account: int('KITH_CHAT_ACCOUNT_TOKENS', 20_000_000, 0, 1_000_000_000_000),
      },
    },
    mail: smtpUrl === undefined ? undefined : { smtpUrl, from: mailFrom! },
    corsOrigins,
    trustProxy: bool('KITH_TRUST_PROXY', false),
    logoServices,
  }
}

/** Settings beside the environment's, which win. */
function readDotEnv(path: string): Env {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError(`The settings in ${resolve(path)} cannot be read: ${(error as Error).message}.`)
  }
}
