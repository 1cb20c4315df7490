/**
 * Secrets that the service must read again, encrypted at rest (AES-256-GCM). The key comes from KITH_ENCRYPTION_KEY.
 * Without it, the service generates a key once and stores it in the database. The role that serves requests cannot read
 * that key, and an account's takeout does not include it; but a dump of the whole database has both the key and the
 * secrets.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { SYSTEM } from '../db/engine.ts'

export interface Encryption {
  /** `subject` is the owner of the secret. A secret encrypted for one subject cannot be decrypted for another. */
  encrypt(subject: string, secret: string): string
  /** Undefined: the encryption key is no longer available, or the secret belongs to another subject. */
  decrypt(subject: string, encrypted: string): string | undefined
}

/**
 * Encrypts with the configured key where there is one. Secrets encrypted with the stored key can still be decrypted.
 */
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

/** `id` is written into each encrypted secret to identify its key. */
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
  // Another process inserted the key at the same moment: its row was not yet visible to this statement.
  return row ? row.value : storedSecret(engine)
}
