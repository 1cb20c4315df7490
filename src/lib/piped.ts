/** Pipes an upload into `meter`; the upload remains readable when a later stream fails. */
import type { Readable, Transform } from 'node:stream'

/**
 * `pipeline` would destroy `upload` with `meter`; the rest of it must be read, so that the client gets the answer. The
 * multipart parser destroys a truncated file without an error, and `pipe` alone would wait for its end forever.
 */
export function piped(upload: Readable, meter: Transform): Transform {
  const cutShort = () => {
    if (!upload.readableEnded) meter.destroy(new Error('Unexpected end of multipart data'))
  }
  upload.once('error', error => meter.destroy(error))
  if (upload.closed) cutShort()
  else upload.once('close', cutShort)
  return upload.pipe(meter)
}
