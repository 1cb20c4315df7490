import type { Readable } from 'node:stream'

/** What a handler may return instead of a JSON value. */
export class Reply {
  status = 200
  headers: Record<string, string> = {}
  body: string | Buffer | Readable = ''

  static file(body: string | Buffer | Readable, type: string, fileName?: string): Reply {
    const reply = new Reply()
    reply.body = body
    reply.headers['content-type'] = type
    if (fileName !== undefined) {
      const ascii = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_')
      reply.headers['content-disposition'] =
        `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`
    }
    return reply
  }
}
