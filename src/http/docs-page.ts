/** The reference page. It may load from and call this service only. */
export const pageSecurity = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // the page's components insert inline styles
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

const icon = encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2563eb"/>` +
    `<path d="M10 7v18M22 7 10.5 17M14 14l8 11" stroke="#fff" stroke-width="3.4" stroke-linecap="round" fill="none"/></svg>`,
)

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kith API reference</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. The same as plain text: <a href="/llms.txt">/llms.txt</a>; for programs: <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Everything that would call another host is off: fonts, telemetry, assistants, the hosted client and its proxy. */
const settings = {
  url: '/docs/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  authentication: { preferredSecurityScheme: 'ApiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenFirstTag: true,
  customCss: `:root {
    --scalar-font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
    --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  }`,
}

export const pageScript = `Scalar.createApiReference('#app', ${JSON.stringify(settings)})\n`
