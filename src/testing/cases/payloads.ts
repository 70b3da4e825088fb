/**
 * Injection payloads that a model, a gateway or a file could contain. RUN stands for code that records
 * its execution, OUT for a host that records requests. Every entry is tested.
 */

/** Markup and scripts in many variants. */
const markup = [
  '<script>RUN</script>',
  '<ScRiPt>RUN</sCrIpT>',
  '<script src="OUT/a.js"></script>',
  '<script type="module">RUN</script>',
  '<scr<script>ipt>RUN</scr</script>ipt>',
  '<img src=x onerror="RUN">',
  '<img src=x onerror=RUN>',
  '<IMG """><SCRIPT>RUN</SCRIPT>">',
  '<img/src=x/onerror=RUN>',
  '<img src="x` `<script>RUN</script>"` `>',
  '<svg onload=RUN>',
  '<svg><script>RUN</script></svg>',
  '<svg><animate onbegin=RUN attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:RUN"><text x="20" y="20">X</text></a></svg>',
  '<svg><use href="data:image/svg+xml;base64,PHN2Zy8+#x"/></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=RUN>',
  '<math href="javascript:RUN">X</math>',
  '<iframe srcdoc="<script>parent.RUN</script>"></iframe>',
  '<iframe src="javascript:parent.RUN"></iframe>',
  '<iframe src="OUT/frame"></iframe>',
  '<object data="javascript:RUN"></object>',
  '<embed src="javascript:RUN">',
  '<details open ontoggle=RUN><summary>X</summary></details>',
  '<video><source onerror=RUN></video>',
  '<audio src=x onerror=RUN>',
  '<body onload=RUN>',
  '<input autofocus onfocus=RUN>',
  '<select autofocus onfocus=RUN></select>',
  '<marquee onstart=RUN>X</marquee>',
  '<button popovertarget=x onbeforetoggle=RUN>X</button>',
  '<xss id=x tabindex=1 onfocus=RUN></xss>',
  '<style>@keyframes x{}</style><xss style="animation-name:x" onanimationstart=RUN></xss>',
  '<noscript><p title="</noscript><img src=x onerror=RUN>">',
  '<template><script>RUN</script></template>',
  '</textarea><script>RUN</script>',
  '</title><script>RUN</script>',
  '</article></main><script>RUN</script>',
  '--><script>RUN</script>',
  '<!--<img src="--><img src=x onerror=RUN//">',
  '<![CDATA[<script>RUN</script>]]>',
  '<?xml-stylesheet href="javascript:RUN"?>',
  '"><script>RUN</script>',
  "'-RUN-'",
  '${RUN}',
  '{{constructor.constructor("RUN")()}}',
  '<form action="OUT/form"><button>X</button></form>',
  '<form id=x></form><button form=x formaction="javascript:RUN">X</button>',
  '<a id=defaultView><a id=defaultView name=location href="javascript:RUN">',
  '&lt;script&gt;RUN&lt;/script&gt;',
  '\\u003cscript\\u003eRUN\\u003c/script\\u003e',
  '`<img src=x onerror=RUN>`',
  '<b onmouseover=RUN>**X**</b>',
];

/** Links to code, documents or other programs. */
const links = [
  '[x](javascript:RUN)',
  '[x](JaVaScRiPt:RUN)',
  '[x](&#106;avascript:RUN)',
  '[x](&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;RUN)',
  '[x](java\tscript:RUN)',
  '[x](<java\nscript:RUN>)',
  '[x](\u0001javascript:RUN)',
  '[x](%6Aavascript:RUN)',
  '[x](javascript&colon;RUN)',
  '[x](javascript://example.com/%0ARUN)',
  '[x](vbscript:RUN)',
  '[x](data:text/html,<script>RUN</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD48L3NjcmlwdD4=)',
  '[x](blob:https://example.com/x)',
  '[x](file:///etc/passwd)',
  '[x](filesystem:https://example.com/x)',
  '[x](view-source:https://example.com)',
  '[x](intent://x#Intent;scheme=x;end)',
  '[x](//example.com)',
  '[x](/gateway/v1/models)',
  '[x](ms-msdt:/id)',
  '<javascript:RUN>',
  '[x][r]\n\n[r]: javascript:RUN',
  '[x](https://example.com "onmouseover=RUN")',
  '[x](https://example.com" onmouseover="RUN)',
  '[x](https://example.com@evil.test/)',
  '[x](https://xn--80ak6aa92e.com)',
  '[x](https://аррӏе.com)',
  '[x](  javascript:RUN  )',
  '![x](javascript:RUN)',
];

/** External resources whose loading would reveal to another host that the text was displayed. */
const externalResources = [
  '![x](OUT/image.png)',
  '![x](OUT/image.png "title")',
  '![x][r]\n\n[r]: OUT/reference.png',
  '[![x](OUT/linked.png)](OUT/link)',
  '<img src="OUT/html.png">',
  '<img srcset="OUT/set.png 2x">',
  '<picture><source srcset="OUT/picture.png"></picture>',
  '<link rel=stylesheet href="OUT/style.css">',
  '<link rel=prefetch href="OUT/prefetch">',
  '<link rel=dns-prefetch href="OUT">',
  '<style>@import "OUT/import.css"; body{background:url(OUT/background)}</style>',
  '<div style="background:url(OUT/inline)">x</div>',
  '<meta http-equiv=refresh content="0;url=OUT/refresh">',
  '<base href="OUT/">',
  '<video poster="OUT/poster" src="OUT/video"></video>',
  '<audio src="OUT/audio" autoplay></audio>',
  '<table background="OUT/table"><tr><td>x</td></tr></table>',
  '<input type=image src="OUT/input">',
  '<svg><image href="OUT/svg.png"/></svg>',
  '<svg><feImage href="OUT/fe.png"/></svg>',
  '![x](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjwvc3ZnPg==)',
  'OUT/bare',
  '<OUT/auto>',
];

/** Formulas and diagrams that could affect the page outside their own element. */
const formulas = [
  '$\\href{javascript:RUN}{x}$',
  '$\\url{javascript:RUN}$',
  '$\\includegraphics{OUT/formula.png}$',
  '$\\htmlData{x=1}{y}$',
  '$\\htmlStyle{background:url(OUT/formula)}{x}$',
  '$\\class{x" onclick="RUN}{y}$',
  '$\\def\\a{\\a\\a}\\a$',
  '$\\rule{1000000em}{1000000em}$',
  '$$\\text{<img src=x onerror=RUN>}$$',
  '```mermaid\ngraph TD; A["<img src=x onerror=RUN>"] --> B; click A "javascript:RUN"\n```',
  '```html\n<script>RUN</script>\n```',
  '```"><img src=x onerror=RUN>\nx\n```',
];

/** Returns every payload with its placeholders filled in. `outOrigin` is an origin that records the requests it receives. */
export function createPayloads(outOrigin: string): string[] {
  return [...markup, ...links, ...externalResources, ...formulas].map((payload) =>
    payload.replaceAll('RUN', 'globalThis.ranPayload=1').replaceAll('OUT', outOrigin),
  );
}

/** Groups payloads into messages, each payload in its own block. */
export function groupPayloads(payloads: readonly string[], perMessage = 8): string[] {
  return Array.from({ length: Math.ceil(payloads.length / perMessage) }, (_, index) =>
    payloads.slice(index * perMessage, (index + 1) * perMessage).join('\n\n---\n\n'),
  );
}
