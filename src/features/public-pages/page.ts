/** The HTML document of a public page: its style is inline, and only images are loaded. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../resources/email-templates/entities.ts'

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--line:#e0e1e6;--paper:#fff;--tint:#f5f6f8;--link:#1d4ed8;--mark:#fef08a}
@media(prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#a0a6b0;--line:#363a3f;--paper:#15171a;--tint:#1e2125;--link:#93b4ff;--mark:#6b5d0b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
main,header,footer{max-width:44rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.5rem;font-size:.9375rem}header a{color:var(--soft);text-decoration:none}header a:hover{text-decoration:underline}
main{padding-top:1rem;padding-bottom:2rem}
footer{padding-bottom:3rem;color:var(--soft);font-size:.875rem}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:2em 0 .6em}h1{font-size:2rem;margin-top:.5em}h2{font-size:1.5rem}h3{font-size:1.2rem}h4,h5,h6{font-size:1rem}
p,ul,ol,pre,table,blockquote,aside{margin:0 0 1em}
a{color:var(--link)}mark{background:var(--mark);color:inherit}
img{max-width:100%;height:auto;border-radius:.375rem}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--tint);border-radius:.25rem;padding:.1em .3em}
pre{background:var(--tint);border-radius:.5rem;padding:1em;overflow-x:auto;line-height:1.5}pre code{background:none;padding:0}
blockquote{border-left:.2rem solid var(--line);padding-left:1em;color:var(--soft)}
aside{background:var(--tint);border-left:.2rem solid var(--link);border-radius:.25rem;padding:.8em 1em}aside>:last-child,blockquote>:last-child{margin-bottom:0}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid var(--line);padding:.4em .7em;text-align:left;vertical-align:top}th{background:var(--tint)}
[align=center]{text-align:center}[align=right]{text-align:right}
hr{border:0;border-top:1px solid var(--line);margin:2em 0}
li>ul,li>ol{margin-bottom:0}
.said{border-top:1px solid var(--line);padding:1em 0 0}.who{color:var(--soft);font-size:.875rem;margin:0 0 .4em}.plain{white-space:pre-wrap}
.pages{list-style:none;padding:0}.pages li{padding:.5em 0;border-bottom:1px solid var(--line)}
`

const styleHash = createHash('sha256').update(STYLE).digest('base64')

const headersWith = (images: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
})

export const pageHeaders = headersWith("'self' https: http: data:")

/** Headers of an unlisted page: search engines must not index it, and requests for images must not reveal its URL. */
export const unlistedHeaders = {
  ...headersWith('data:'),
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
}
export const UNLISTED = `<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="referrer" content="no-referrer">
`

export const html = (title: string, body: string, head = ''): string => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`

export interface PublicPage {
  account_name: string
  account_slug: string
  title: string
  updated_at: string
  html: string
}

const indexAddress = (accountSlug: string) => `/kb/${encodeURIComponent(accountSlug)}`

export const pageOf = (page: PublicPage): string =>
  html(
    `${page.title} · ${page.account_name}`,
    `<header><a href="${escapeHtml(indexAddress(page.account_slug))}">${escapeHtml(page.account_name)}</a></header>
<main>
<h1>${escapeHtml(page.title)}</h1>
${page.html}
</main>
<footer>Last changed <time datetime="${page.updated_at}">${page.updated_at.slice(0, 10)}</time></footer>`,
  )

interface Listed {
  account_slug: string
  title: string
  slug: string
}

export function indexPage(account: { account_name: string }, pages: readonly Listed[]): string {
  const lines = pages.map(({ account_slug, title, slug }) => {
    const address = `${indexAddress(account_slug)}/${encodeURIComponent(slug)}`
    return `<li><a href="${escapeHtml(address)}">${escapeHtml(title)}</a></li>`
  })
  const name = escapeHtml(account.account_name)
  return html(
    account.account_name,
    `<main>\n<h1>${name}</h1>\n<ul class="pages">\n${lines.join('\n')}\n</ul>\n</main>`,
  )
}

export const missingPage = html(
  'Page not found',
  '<main>\n<h1>Page not found</h1>\n<p>There is no page at this address.</p>\n</main>',
)
