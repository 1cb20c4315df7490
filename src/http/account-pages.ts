/**
 * The pages that links in mails lead to: confirming an address, setting a password, accepting an invitation. The token
 * is in the fragment, which browsers do not send to the server; the page sends it to the API.
 */
import type { FastifyInstance } from 'fastify'
import { type StaticFile, sendFile, textFile } from './static-file.ts'
import type { WebClient } from './web/client.ts'

const security = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-robots-tag': 'noindex',
}

interface Page {
  title: string
  /** the fields of the form, by their names in the body */
  fields: readonly ('name' | 'password')[]
  button: string
  done: string
}

const PAGES: Record<string, Page> = {
  'confirm-email': {
    title: 'Confirm your email address',
    fields: [],
    button: 'Confirm',
    done: 'Your email address is confirmed. You can close this page.',
  },
  'reset-password': {
    title: 'Set a new password',
    fields: ['password'],
    button: 'Set password',
    done: 'Your password is set. Sign in with it from now on.',
  },
  'accept-invitation': {
    title: 'Accept the invitation',
    fields: ['name', 'password'],
    button: 'Accept',
    done: 'You are a member of the account now. Sign in with your email address and password.',
  },
}

const FIELDS = {
  name: '<label>Your name <input name="name" autocomplete="name" maxlength="255" required></label>',
  password:
    '<label>Password, 8 characters or more ' +
    '<input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="200" required></label>',
}

const html = (path: string, { title, fields, button, done }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="page.css">
</head>
<body>
<main>
<h1>${title}</h1>
<form data-endpoint="../api/auth/${path}" data-done="${done}">
${fields.map(field => FIELDS[field]).join('\n')}
<button>${button}</button>
</form>
<p role="status"></p>
<noscript>This page needs JavaScript. Without it, send the token behind the # of the address to POST /api/auth/${path}.</noscript>
</main>
<script src="page.js"></script>
</body>
</html>
`

const CSS = `body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 24rem; margin: 15vh auto; padding: 0 1rem; }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
input, button { padding: 0.5rem; margin: 0.25rem 0 1rem; }
`

const SCRIPT = `const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const token = location.hash.slice(1)
// Remove the token from the browser history.
history.replaceState(null, '', location.pathname)
form.addEventListener('submit', async event => {
  event.preventDefault()
  status.textContent = ''
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(form.dataset.endpoint, { method: 'POST', headers, body }).catch(() => undefined)
  if (response?.ok) {
    form.remove()
    status.textContent = form.dataset.done
    return
  }
  const { detail } = (await response?.json().catch(() => undefined)) ?? { detail: 'The service cannot be reached.' }
  status.textContent = Array.isArray(detail) ? detail.map(({ msg }) => msg).join('; ') : detail
})
`

/** The web client has its own pages for these. On a redirect browsers keep the fragment, which has the token. */
const IN_CLIENT: Readonly<Record<string, string>> = {
  'confirm-email': '/confirm-email',
  'reset-password': '/reset-password',
  'accept-invitation': '/invitation',
}

export function accountPages(app: FastifyInstance, client: WebClient): void {
  const serve = (path: string, file: Promise<StaticFile>) =>
    app.get(`/account/${path}`, async (request, reply) => {
      const inClient = IN_CLIENT[path]
      if (inClient !== undefined && !(await client.problem()))
        return reply.header('cache-control', 'no-store').redirect(inClient)
      reply.headers(security)
      return sendFile(request, reply, await file)
    })
  for (const [path, page] of Object.entries(PAGES)) serve(path, textFile('text/html', html(path, page)))
  serve('page.css', textFile('text/css', CSS))
  serve('page.js', textFile('text/javascript', SCRIPT))
}
