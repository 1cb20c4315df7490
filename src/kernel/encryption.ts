/**
 * Secrets that the service must read again, encrypted at rest (AES-256-GCM). The key comes from KITH_ENCRYPTION_KEY.
 * Without it one is made once and kept in the database, outside the reach of the role that serves requests and of
 * archives of an account; a dump of the whole database then has both.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { SYSTEM } from '../db/engine.ts'

export interface Encryption {
  /** `subject` says whose secret it is: what was encrypted for one is not readable as that of another. */
  encrypt(subject: string, secret: string): string
  /** Undefined: the key that encrypted it is not known any more, or it belongs to another subject. */
  decrypt(subject: string, encrypted: string): string | undefined
}

/** The key of the configuration encrypts where there is one; what the stored one has encrypted stays readable. */
export async function openEncryption(engine: Engine, configured: string | undefined): Promise<Encryption> {
  const stored = keyFrom(await storedSecret(engine))
  const current = configured === undefined ? stored : keyFrom(configured)
  const keys = [current, stored]
  return {
    encrypt(subject, secret) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv).setAAD(Buffer.from(subject))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return ['v1', current.id, iv.toString('base64url'), text.toString('base64url')].join('.')
    },
    decrypt(subject, encrypted) {
      const [version, id, iv = '', text = ''] = encrypted.split('.')
      const key = keys.find(one => one.id === id)
      if (version !== 'v1' || !key) return undefined
      const bytes = Buffer.from(text, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64url'))
        decipher.setAAD(Buffer.from(subject)).setAuthTag(bytes.subarray(-16))
        return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/** `id` names the key in what it has encrypted. */
function keyFrom(secret: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'kith encryption', 32))
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

async function storedSecret(engine: Engine): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    with made as (
      insert into service_secrets (name, value) values ('encryption', ${randomBytes(48).toString('base64url')})
      on conflict do nothing returning value
    )
    select value from made union all select value from service_secrets where name = 'encryption'`.execute(
    engine.as(SYSTEM),
  )
  const [row] = rows
  // Another process made it at this moment: its row was not visible to this statement yet.
  return row ? row.value : storedSecret(engine)
}
