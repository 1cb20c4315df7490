/** The settings that bound requests, responses and stored data. */
import { bytes, int } from './setting.ts'

const MB = 1024 ** 2
const GB = 1024 ** 3
const MILLION = 1_000_000

export const limits = {
  bodyBytes: bytes('KITH_BODY_LIMIT', 10 * MB, GB, 'bytes of a JSON body'),
  requestTimeoutMs: int(
    'KITH_REQUEST_TIMEOUT_MS',
    60_000,
    [100, 3_600_000],
    'how long the body of a request may take to arrive; for an upload, the time over which its rate is measured; for a response, how long the client may read nothing of it',
  ),
  uploadBytesPerSecond: int(
    'KITH_UPLOAD_RATE',
    8192,
    [0, GB],
    'bytes a second at which an upload must arrive, on average over that time',
  ),
  connections: int(
    'KITH_MAX_CONNECTIONS',
    5000,
    [0, MILLION],
    'connections at a time, further ones are closed; `0` for no limit',
  ),
  requestsPerMinute: int(
    'KITH_RATE_LIMIT',
    60_000,
    [0, 100 * MILLION],
    'requests a minute for each key or person, ten times as many for an account; `0` for no limit',
  ),
  loginsPerMinute: int('KITH_LOGIN_RATE_LIMIT', 20, [1, 100_000], 'sign-in attempts a minute'),
  statementTimeoutMs: int(
    'KITH_STATEMENT_TIMEOUT_MS',
    30_000,
    [100, 3_600_000],
    'how long a database statement may take',
  ),
  poolSize: int('KITH_POOL_SIZE', 10, [1, 1000], 'connections to a PostgreSQL server'),
  trashDays: int('KITH_TRASH_DAYS', 30, [1, 36_500], 'how long deleted records can be restored'),
  restoreBytes: bytes(
    'KITH_RESTORE_LIMIT',
    20 * GB,
    1024 ** 5,
    'bytes that an archive may unpack to in `kith restore`',
  ),
  storageBytes: bytes(
    'KITH_STORAGE_LIMIT',
    10 * GB,
    1024 ** 5,
    'bytes of an account’s files together (uploads, recordings, attachments, exports); `0` for no limit',
    0,
  ),
  mailRecipientsPerDay: int(
    'KITH_MAIL_DAILY_RECIPIENTS',
    200,
    [0, 100 * MILLION],
    'people that an account may write to within 24 hours; `0` for no limit',
  ),
  drainMs: int(
    'KITH_DRAIN_MS',
    0,
    [0, 600_000],
    'how long a stopping service still accepts connections while `/ready` fails; `0`: until `/ready` has failed once, if it was requested within the last minute',
  ),
  stopTimeoutMs: int(
    'KITH_STOP_TIMEOUT_MS',
    10_000,
    [100, 600_000],
    'how long a stop waits for requests in flight',
  ),
}
