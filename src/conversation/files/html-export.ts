/**
 * Exports a session as one HTML file for reading. The file works offline and contains no scripts; its content security
 * policy allows only its stylesheet and embedded images.
 */
import type { Source } from '../../gateway/media/sources.ts';
import { formatBytes } from '../../lib/format.ts';
import { escapeHtml } from '../../lib/text/safe-text.ts';
import {
  summarizeSession,
  buildLaneTable,
  buildTurnTable,
  type SessionSummary,
  type SummaryOptions,
  type SummaryTableData,
} from '../comparison/summary.ts';
import type { SessionData } from '../session/types.ts';
import {
  buildReadableExport,
  type ReadableAnswer,
  type ReadableTurn,
  type ReadableMessage,
} from './readable-export.ts';
import { demoNote, hasDemoAnswers } from './session-export.ts';
import { toWebAddress } from './web-address.ts';

export interface HtmlExportOptions extends SummaryOptions {
  /** Returns Markdown as safe HTML. */
  renderMarkdown: (text: string) => string;
  /** Returns the data URL for an image URL in a message, `undefined` if the image is not stored here. */
  getImageDataUrl: (url: string) => string | undefined;
}

export function buildSessionHtml(data: SessionData, options: HtmlExportOptions): string {
  const { title, variables, day, turns } = buildReadableExport(data, options);
  const note = hasDemoAnswers(data) ? `<p class="quiet">${escapeHtml(demoNote)}</p>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Bench</title>
<style>${exportStyle}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="quiet">Bench session${day === '' ? '' : ` of ${day}`}</p>
${note}
${buildVariablesHtml(variables)}
</header>
<main>
${data.session.laneIds.length > 1 && turns.length > 0 ? buildSummaryHtml(summarizeSession(data, options)) : ''}
${turns.map((turn) => buildTurnHtml(turn, options)).join('\n')}
</main>
</body>
</html>
`;
}

function buildVariablesHtml(variables: readonly string[]): string {
  return variables.length === 0
    ? ''
    : `<p class="quiet" dir="auto">Variables: ${escapeHtml(variables.join(', '))}</p>`;
}

function buildSummaryHtml(summary: SessionSummary): string {
  const notes =
    summary.notes.length === 0 ? '' : `<p class="quiet">${escapeHtml(summary.notes.join(' '))}</p>`;
  return `<section class="summary" aria-label="Summary">
<h2>Summary</h2>
${buildTableHtml('Summary', buildLaneTable(summary))}
${notes}
${buildTableHtml('By turn', buildTurnTable(summary))}
</section>`;
}

function buildTableHtml(name: string, { header, rows }: SummaryTableData): string {
  const buildRow = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag} dir="auto">${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<table aria-label="${name}"><thead>${buildRow('th', header)}</thead>
<tbody>${rows.map((cells) => buildRow('td', cells)).join('\n')}</tbody></table>`;
}

function buildTurnHtml(turn: ReadableTurn, options: HtmlExportOptions): string {
  const version = turn.version === undefined ? '' : ` <small>version ${turn.version}</small>`;
  return `<section aria-label="Turn ${turn.number}">
<div class="band"><h2>Turn ${turn.number}${version}</h2>
${turn.messages.map((message) => buildMessageHtml(message, options)).join('\n')}
</div>
<div class="answers">
${turn.answers.map((answer) => buildAnswerHtml(answer, options)).join('\n')}
</div>
</section>`;
}

function buildMessageHtml(
  { author, text, files, images }: ReadableMessage,
  { getImageDataUrl }: HtmlExportOptions,
): string {
  const imagesHtml = images.map((url) => buildImageHtml(url, 'Attached image', getImageDataUrl));
  const textHtml = text === '' ? '' : `<p class="said" dir="auto">${escapeHtml(text)}</p>`;
  const filesHtml = files.map(
    (file) =>
      `<details><summary>${escapeHtml(file.name)}</summary><pre><code>${escapeHtml(file.text)}</code></pre></details>`,
  );
  return `<article><h3>${escapeHtml(author)}</h3>${textHtml}${filesHtml.join('')}${imagesHtml.join('')}</article>`;
}

function buildImageHtml(
  url: string,
  alt: string,
  getImageDataUrl: HtmlExportOptions['getImageDataUrl'],
): string {
  const dataUrl = getImageDataUrl(url);
  if (dataUrl !== undefined && isImageData(dataUrl)) return `<img src="${escapeHtml(dataUrl)}" alt="${alt}">`;
  return `<p class="quiet">Image: ${escapeHtml(url.startsWith('data:') ? 'in an unsupported format' : url)}</p>`;
}

function buildSourceHtml({ url, title }: Source): string {
  const href = toWebAddress(url);
  const label = escapeHtml(title ?? url);
  if (href === undefined)
    return `<li dir="auto">${title === undefined ? label : `${label}, ${escapeHtml(url)}`}</li>`;
  return `<li dir="auto"><a href="${escapeHtml(href)}" rel="noopener noreferrer">${label}</a></li>`;
}

function isImageData(url: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=]+$/.test(url);
}

function buildAnswerHtml(
  answer: ReadableAnswer,
  { renderMarkdown, getImageDataUrl }: HtmlExportOptions,
): string {
  const lane = answer.lane === '' ? '' : `<span class="lane">${escapeHtml(answer.lane)}</span> `;
  const version = answer.version === undefined ? '' : ` <small>version ${answer.version}</small>`;
  const pieces = [
    `<h3>${lane}<code>${escapeHtml(answer.model)}</code>${version}</h3>`,
    answer.parameters.length === 0
      ? ''
      : `<p class="quiet mono">${escapeHtml(answer.parameters.join(', '))}</p>`,
    answer.system === undefined ? '' : buildSystemHtml(answer.system),
    answer.reasoning === ''
      ? ''
      : `<details><summary>Reasoning</summary>${renderMarkdown(answer.reasoning)}</details>`,
    answer.text === '' ? '' : `<div class="text" dir="auto">${renderMarkdown(answer.text)}</div>`,
    ...answer.images.map((url) => buildImageHtml(url, 'Image of the answer', getImageDataUrl)),
    answer.speechBytes === undefined
      ? ''
      : `<p class="quiet">Speech: ${formatBytes(answer.speechBytes)}, not included in this file.</p>`,
    answer.sources.length === 0
      ? ''
      : `<p class="quiet">Sources</p><ol aria-label="Sources">${answer.sources.map(buildSourceHtml).join('')}</ol>`,
    ...answer.calls.map(
      (call) =>
        `<p>Tool call <code>${escapeHtml(call.name)}</code></p><pre><code>${escapeHtml(call.arguments)}</code></pre>`,
    ),
    answer.ending === undefined ? '' : `<p class="ending">${escapeHtml(answer.ending)}</p>`,
    answer.remark === undefined ? '' : `<p class="remark" dir="auto">${escapeHtml(answer.remark)}</p>`,
    answer.metrics.length === 0
      ? ''
      : `<p class="quiet numbers">${answer.metrics.map((metric) => `<span>${escapeHtml(metric)}</span>`).join(' ')}</p>`,
  ];
  return `<article>${pieces.filter((piece) => piece !== '').join('\n')}</article>`;
}

function buildSystemHtml(system: string): string {
  if (system === '') return '<p class="quiet">No system prompt</p>';
  return `<details><summary>System prompt</summary><p class="said" dir="auto">${escapeHtml(system)}</p></details>`;
}

/** Stylesheet based on the app's design, for print and screen, light and dark. */
export const exportStyle = `
:root{color-scheme:light dark;--paper:#fbfaf7;--bench:#f0efeb;--line:#dbd9d5;--ink:#191713;--ink-2:#4a4742;--ink-3:#64615c;--warn:#7e5104;--link:#165dc4}
@media (prefers-color-scheme:dark){:root{--paper:#171513;--bench:#100f0d;--line:#2c2b28;--ink:#eeedea;--ink-2:#b9b7b2;--ink-3:#96938e;--warn:#ebc669;--link:#6ea3f7}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/25px system-ui,sans-serif;overflow-wrap:anywhere}
header,.summary,.band,.answers{padding:16px max(16px,calc(50% - 640px))}
h1{margin:8px 0 0;font-size:22px;line-height:30px}
h2,h3{margin:0 0 4px;font-size:13px;line-height:20px;font-weight:600}
h2{color:var(--ink-3)}
small,.quiet{color:var(--ink-3);font-size:12px;line-height:18px;font-weight:400}
p{margin:0 0 10px}
.band{background:var(--bench);border-block:1px solid var(--line)}
.answers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:24px}
.answers article{min-width:0;max-width:760px}
details{margin-bottom:10px}
.said{white-space:pre-wrap;margin:0}
.lane{margin-right:4px}
code,pre,.mono{font:13px/20px ui-monospace,monospace}
pre{padding:10px 12px;border:1px solid var(--line);border-radius:5px;background:var(--bench);overflow-x:auto;overflow-wrap:normal}
blockquote{margin:0 0 10px;padding-left:12px;border-left:2px solid var(--line);color:var(--ink-2)}
table{border-collapse:collapse;display:block;overflow-x:auto;margin-bottom:10px}
th,td{padding:4px 10px;border:1px solid var(--line);text-align:left}
.right{text-align:right}.center{text-align:center}
a{color:var(--link)}
img{max-width:min(100%,480px);height:auto;border:1px solid var(--line)}
summary{cursor:pointer;color:var(--ink-3);font-size:13px}
.ending{color:var(--warn)}
.remark{padding-left:12px;border-left:2px solid var(--ink-3)}
.numbers span{display:inline-block;margin-right:12px;font-variant-numeric:tabular-nums}
@media print{details{display:block}.answers article{break-inside:avoid-page}}
`;

/** Hash that allows the stylesheet in the policy; a test keeps both in sync. */
export const exportStyleHash = 'sha256-SMtqS8HthZAfR6nPSikxzGRgUWHLjBbgXqjqXCCqtzo=';

const policy = `default-src 'none'; style-src '${exportStyleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;
