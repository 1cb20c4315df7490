/** Payloads that try to make a browser run a script: each known form with each way of calling a function. */

const calls = [
  'alert(1)',
  'alert`1`',
  'window.fired=1',
  'top["al"+"ert"](1)',
  '(alert)(1)',
  'eval(atob("YWxlcnQoMSk="))',
]

const shapes: ((call: string) => string)[] = [
  ...[
    'script',
    'SCRIPT',
    'scr\0ipt',
    'script/x',
    'script src=data:text/javascript,alert(1)',
    'script type=module',
  ].map(tag => (call: string) => `<${tag}>${call}</script>`),
  ...[
    'onerror',
    'onload',
    'onfocus',
    'onmouseover',
    'ontoggle',
    'onanimationstart',
    'onbegin',
    'onpointerenter',
  ].flatMap(handler => [
    (call: string) => `<img src=x ${handler}=${call}>`,
    (call: string) => `<img src="x"${handler}="${call.replaceAll('"', "'")}">`,
    (call: string) => `<svg ${handler}=${call}>`,
    (call: string) => `<details open ${handler}=${call}>x</details>`,
    (call: string) => `<input autofocus ${handler}=${call}>`,
    (call: string) => `<p style="animation:x" ${handler}=${call}>x</p>`,
  ]),
  ...[
    'javascript:',
    'JaVaScRiPt:',
    ' javascript:',
    'java\tscript:',
    'java\nscript:',
    '\u0001javascript:',
    'javascript&colon;',
  ].flatMap(scheme => [
    (call: string) => `<a href="${scheme}${call.replaceAll('"', "'")}">x</a>`,
    (call: string) => `[x](${scheme}${call})`,
    (call: string) => `[x](<${scheme}${call}>)`,
    (call: string) => `<${scheme}${call}>`,
    (call: string) => `![x](${scheme}${call})`,
    (call: string) => `[x][r]\n\n[r]: ${scheme}${call}`,
  ]),
  ...[
    'vbscript:',
    'data:text/html,',
    'data:text/html;base64,',
    'data:image/svg+xml,',
    'file:///',
    'blob:',
    'view-source:javascript:',
  ].flatMap(scheme => [
    (call: string) => `<a href='${scheme}<script>${call}</script>'>x</a>`,
    (call: string) => `[x](${scheme}<script>${call}</script>)`,
    (call: string) => `<iframe src="${scheme}<script>${call.replaceAll('"', "'")}</script>"></iframe>`,
  ]),
  call => `<svg><script>${call}</script></svg>`,
  call => `<svg><animate onbegin=${call} attributeName=x dur=1s>`,
  call => `<svg><a xlink:href="javascript:${call.replaceAll('"', "'")}"><text y=20>x</text></a></svg>`,
  call =>
    `<svg><foreignObject><iframe srcdoc="<script>${call.replaceAll('"', "'")}</script>"></foreignObject></svg>`,
  call =>
    `<math><mtext><table><mglyph><style><img src=x onerror=${call}></style></mglyph></table></mtext></math>`,
  call => `<math href="javascript:${call.replaceAll('"', "'")}">x</math>`,
  call => `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${call}>`,
  call => `<noscript><p title="</noscript><img src=x onerror=${call.replaceAll('"', "'")}>">`,
  call => `<template><img src=x onerror=${call}></template>`,
  call => `<style>@import "javascript:${call}";</style><style>*{x:expression(${call})}</style>`,
  call => `<div style="background:url(javascript:${call.replaceAll('"', "'")})">x</div>`,
  call => `<iframe srcdoc="&lt;script&gt;${call.replaceAll('"', "'")}&lt;/script&gt;"></iframe>`,
  call =>
    `<object data="javascript:${call.replaceAll('"', "'")}"></object><embed src="javascript:${call.replaceAll('"', "'")}">`,
  call => `<meta http-equiv=refresh content="0;url=javascript:${call.replaceAll('"', "'")}">`,
  call => `<base href="javascript:${call.replaceAll('"', "'")}//"><a href="x">x</a>`,
  call => `<form action="javascript:${call.replaceAll('"', "'")}"><button autofocus>x</button></form>`,
  call => `<button formaction="javascript:${call.replaceAll('"', "'")}">x</button>`,
  call => `<img src="x\`><script>${call}</script>"\`>`,
  call => `<<script>${call}//<</script>`,
  call => `<img """><script>${call}</script>">`,
  call => `<a\thref="x"\tonmouseover\n=\n"${call.replaceAll('"', "'")}">x`,
  call => `<!--><img src=x onerror=${call}>-->`,
  call => `<!--[if gte IE 4]><script>${call}</script><![endif]-->`,
  call => `<![CDATA[><script>${call}</script>]]>`,
  call => `<?xml ?><script>${call}</script>`,
  call => `<title><script>${call}</script></title></title><script>${call}</script>`,
  call => `<textarea></textarea><script>${call}</script></textarea>`,
  call => `<select><option></select><script>${call}</script>`,
  call => `<table><td background="javascript:${call.replaceAll('"', "'")}">x</td></table>`,
  call =>
    `<link rel=stylesheet href="javascript:${call.replaceAll('"', "'")}"><link rel=import href="data:text/html,<script>${call}</script>">`,
  call => `<video><source onerror="${call.replaceAll('"', "'")}"></video><audio src onloadstart=${call}>`,
  call => `<x-y onclick=${call} contenteditable autofocus onfocus=${call}>x</x-y>`,
  call => `&lt;script&gt;${call}&lt;/script&gt;`,
  call => `&#60;img src=x onerror=${call}&#62;`,
  call => `\\<script\\>${call}\\</script\\>`,
  call => `\`<script>${call}</script>\``,
  call => `\`\`\`"><script>${call}</script>\n</code></pre><script>${call}</script>\n\`\`\``,
  call => `![" onerror="${call.replaceAll('"', "'")}](x)`,
  call => `![x](x "\\" onerror=\\"${call.replaceAll('"', "'")}")`,
  call => `[x](https://a.b/"onmouseover="${call.replaceAll('"', "'")})`,
  call => `[x](https://a.b 'x" onmouseover="${call.replaceAll('"', '')}')`,
  call => `> [!NOTE"><script>${call}</script>]\n> x`,
  call =>
    `| <script>${call}</script> | [x](javascript:${call}) |\n|---|---|\n| <img src=x onerror=${call}> | x |`,
  call =>
    `{{constructor.constructor('${call.replaceAll("'", '"')}')()}} \${${call}} <%= ${call} %> #{${call}}`,
  call => `<div ng-app ng-csp>{{$eval.constructor('${call.replaceAll("'", '"')}')()}}</div>`,
  call =>
    `<u onclick=${call}>x</u><mark/onmouseover=${call}>x</mark><br onload=${call}><strong style=x:y>x</strong>`,
  call => `</main></body></html><script>${call}</script>`,
  call => `\u003cscript\u003e${call}\u003c/script\u003e\u2028<img src=x onerror\u000b=${call}>`,
]

export const payloads: string[] = shapes
  .flatMap(shape => calls.map(shape))
  .map(payload => payload.replaceAll('\0', '%00'))

/** The payload in every position of a block that takes text. */
export const asBlocks = (payload: string): object[] => [
  {
    type: 'paragraph',
    content: [
      { type: 'text', text: payload },
      { type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: payload, title: payload } }] },
      { type: 'text', text: 'x', marks: [{ type: payload }, { type: 'code' }] },
    ],
  },
  { type: 'heading', attrs: { level: payload }, content: [{ type: 'text', text: payload }] },
  { type: 'image', attrs: { src: payload, alt: payload, title: payload } },
  { type: 'image', attrs: { src: `https://a.b/${payload}`, alt: payload } },
  { type: 'codeBlock', attrs: { language: payload }, content: [{ type: 'text', text: payload }] },
  { type: 'callout', attrs: { type: payload }, content: [{ type: 'text', text: payload }] },
  { type: payload, content: [{ type: payload, text: payload }] },
  {
    type: 'orderedList',
    attrs: { start: payload },
    content: [{ type: 'listItem', content: [{ type: 'text', text: payload }] }],
  },
  {
    type: 'table',
    content: [
      {
        type: 'tableRow',
        content: [
          { type: 'tableCell', attrs: { align: payload }, content: [{ type: 'text', text: payload }] },
        ],
      },
    ],
  },
]

/** The same for the editor's blocks, whose texts are HTML. */
export const asEditorBlocks = (payload: string): object[] => [
  { type: 'paragraph', data: { text: payload } },
  { type: 'header', data: { text: payload, level: payload } },
  { type: 'raw', data: { html: payload } },
  { type: 'image', data: { file: { url: payload }, caption: payload } },
  { type: 'embed', data: { source: payload, caption: payload } },
  { type: 'table', data: { content: [[payload]] } },
  { type: 'code', data: { code: payload, language: payload } },
  { type: 'list', data: { style: payload, items: [payload, { content: payload }] } },
  {
    type: 'paragraph',
    content: [{ type: 'link', href: payload, content: [{ type: 'text', text: payload }] }],
  },
  { type: 'file', props: { url: payload, name: payload } },
]
