/** The only reader of the environment. All other code gets a `Config`. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { codeOf, messageOf } from './lib/thrown.ts'
import { ConfigError, type ConfigOf, type Env, type Mailbox, readSettings } from './settings/setting.ts'
import { settings } from './settings/table.ts'

export { ConfigError, type ModelEndpoint } from './settings/setting.ts'

type Settings = ConfigOf<typeof settings>

/** The settings of the table, and values derived from several of them. */
export interface Config extends Omit<Settings, 'files' | 'speech' | 'mail' | 'imap'> {
  /** processes that share a database must share these folders */
  files: Settings['files'] & {
    /** uploads and exports */
    dir: string
    /** recordings */
    audioDir: string
    /** files that people add to chats */
    attachmentDir: string
    /** files on records */
    recordFileDir: string
  }
  speech: Settings['speech'] & { model: (typeof SPEECH_MODELS)[number] }
  /** how mail is sent; undefined: mail is off */
  mail: { smtpUrl: string; from: string; fromName?: string } | undefined
  /** the mailbox whose mails are logged; undefined: none */
  imap: MailboxAddress | undefined
}

export interface MailboxAddress extends Mailbox {
  /** the id or slug of the account that gets the mails; undefined: the first account */
  account: string | undefined
  everyMs: number
}

/** The first is part of the service, the others are installed separately. */
const SPEECH_MODELS = ['moonshine-tiny', 'whisper-base', 'whisper-small'] as const

export function loadConfig(env: Env = { ...readDotEnv('.env'), ...process.env }): Config {
  const read = readSettings(settings, env)
  const dataDir = resolve(read.dataDir)
  const { jwksUrl, issuer, audience } = read.jwt
  if (jwksUrl !== undefined && (issuer === undefined || audience === undefined)) {
    throw new ConfigError('KITH_JWKS_URL needs KITH_JWT_ISSUER and KITH_JWT_AUDIENCE too.')
  }
  if (read.databaseReadUrl !== undefined && read.databaseUrl === undefined) {
    throw new ConfigError('DATABASE_READ_URL names a replica of the server at DATABASE_URL; set both.')
  }
  if (read.backup.dir !== undefined && read.databaseUrl !== undefined) {
    throw new ConfigError(
      'KITH_BACKUP_DIR is for the embedded engine. With DATABASE_URL, let the database server make backups, or run kith backup at intervals.',
    )
  }
  return {
    ...read,
    dataDir,
    files: {
      ...read.files,
      dir: join(dataDir, 'files'),
      audioDir: join(dataDir, 'audio'),
      attachmentDir: join(dataDir, 'attachments'),
      recordFileDir: join(dataDir, 'record-files'),
    },
    speech: { ...read.speech, model: speechModel(read.speech.remote !== undefined, env) },
    mail: mailOf(read.mail),
    imap: read.imap.address && {
      ...read.imap.address,
      account: read.imap.account,
      everyMs: read.imap.everyMs,
    },
  }
}

/** The environment of a program that the service starts. */
export const environmentWith = (added: Env): Env => ({ ...process.env, ...added })

/**
 * The runtime of the local models would store a device id in the home folder and send usage data to its vendor. It reads
 * this variable from the process, whose environment a worker thread cannot change: call it before a thread is started.
 */
export function turnOffTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1'
}

/** `KITH_SPEECH_MODEL` is the model of the remote endpoint if one is configured, else the local model. */
function speechModel(isRemote: boolean, env: Env): Config['speech']['model'] {
  const [bundled] = SPEECH_MODELS
  const name = isRemote ? bundled : env.KITH_SPEECH_MODEL?.trim() || bundled
  const model = SPEECH_MODELS.find(one => one === name)
  if (model === undefined) {
    throw new ConfigError(
      `KITH_SPEECH_MODEL must be one of ${SPEECH_MODELS.join(', ')} unless KITH_SPEECH_URL is set, not "${name}".`,
    )
  }
  return model
}

function mailOf({ smtpUrl, from }: Settings['mail']): Config['mail'] {
  if (smtpUrl === undefined) return undefined
  if (from === undefined) {
    throw new ConfigError('KITH_SMTP_URL needs KITH_MAIL_FROM too, an address such as crm@example.com.')
  }
  const [, name, inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(from) ?? []
  const address = (inBrackets ?? from).trim()
  const fromName = name?.trim().replace(/^"(.*)"$/, '$1')
  if (!/^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/.test(address) || /\p{Cc}/u.test(from)) {
    throw new ConfigError(
      `KITH_MAIL_FROM must be an address such as crm@example.com or Kith <crm@example.com>, not ${JSON.stringify(from)}.`,
    )
  }
  return { smtpUrl, from: address, ...(fromName ? { fromName } : {}) }
}

/** Settings from a file; environment variables take precedence. */
function readDotEnv(path: string): Env {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw new ConfigError(`The settings in ${resolve(path)} cannot be read: ${messageOf(error)}.`)
  }
}
