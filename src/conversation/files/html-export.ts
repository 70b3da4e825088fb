/** Exports a session as one HTML file for reading. */
import type { Source } from '../../gateway/media/sources.ts';
import { formatBytes } from '../../lib/format.ts';
import { buildReportPage } from '../../lib/report/report-page.ts';
import {
  buildLetterTile,
  buildQuietLine,
  buildReportBar,
  buildReportTable,
  getLetterClass,
} from '../../lib/report/report-parts.ts';
import { escapeHtml } from '../../lib/text/safe-text.ts';
import {
  summarizeSession,
  buildLaneTable,
  buildTurnTable,
  countLaneWins,
  type SessionSummary,
  type SummaryOptions,
} from '../comparison/summary.ts';
import type { Run, RunId, SessionData } from '../session/types.ts';
import { describeTrace } from '../trace/describe-trace.ts';
import { buildTraceSvg } from '../trace/trace-svg.ts';
import { getRecordedMs, getTraceEnd, getTraceRangeMs, type Tick } from '../trace/trace.ts';
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
  /** Returns the data URL for an image or file of a message, `undefined` if it is not stored here. */
  getImageDataUrl: (url: string) => string | undefined;
  /** Returns the trace of a run; empty if its recording is missing. */
  getTicks?: (runId: RunId) => readonly Tick[];
  /** `@font-face` rules with data URLs. */
  fontFaces?: string;
}

export function buildSessionHtml(data: SessionData, options: HtmlExportOptions): string {
  const { title, variables, day, turns } = buildReadableExport(data, options);
  const hasSummary = data.session.laneIds.length > 1 && turns.length > 0;
  return buildReportPage({
    title,
    intro: [
      buildQuietLine(`Bench session${day === '' ? '' : ` of ${day}`}`),
      ...(hasDemoAnswers(data) ? [buildQuietLine(demoNote)] : []),
      ...(variables.length === 0 ? [] : [buildQuietLine(`Variables: ${variables.join(', ')}`)]),
    ],
    main: [
      ...(hasSummary ? [buildSummaryHtml(summarizeSession(data, options))] : []),
      ...turns.map((turn) => buildTurnHtml(turn, options)),
    ].join('\n'),
    style: sessionStyle,
    ...(options.fontFaces === undefined ? {} : { fontFaces: options.fontFaces }),
  });
}

function buildSummaryHtml(summary: SessionSummary): string {
  const laneTable = buildLaneTable(summary);
  const winsIndex = laneTable.header.indexOf('Better in');
  const rows = laneTable.rows.map((cells, rowIndex) => {
    const lane = summary.lanes[rowIndex];
    return cells.map((cell, index) => {
      if (!lane) return cell;
      if (index === 0) return { html: buildLaneName(lane) };
      if (index !== winsIndex || summary.namesHidden || summary.comparedCount === 0) return cell;
      const share = countLaneWins(lane) / summary.comparedCount;
      return { html: `${buildReportBar(share, lane.letter)}${escapeHtml(cell)}` };
    });
  });
  const turnTable = buildTurnTable(summary);
  return `<section aria-label="Summary">
<h2>Summary</h2>
${buildReportTable('Summary', laneTable.header, rows)}
${summary.notes.length === 0 ? '' : buildQuietLine(summary.notes.join(' '))}
${buildReportTable('By turn', turnTable.header, turnTable.rows)}
</section>`;
}

function buildLaneName({ letter, headline, model, name, chips }: SessionSummary['lanes'][number]): string {
  const setup = [model, ...(name === undefined ? [] : chips)].join(', ');
  const modelHtml = headline === setup ? '' : ` <small>${escapeHtml(setup)}</small>`;
  return `<div class="name">${buildLetterTile(letter)}<span>${escapeHtml(headline)}${modelHtml}</span></div>`;
}

function buildTurnHtml(turn: ReadableTurn, options: HtmlExportOptions): string {
  const version = turn.version === undefined ? '' : ` <small>version ${turn.version}</small>`;
  const durations = turn.answers.flatMap(({ run }) => (run ? [getRecordedMs(run)] : []));
  const rangeMs = getTraceRangeMs(Math.max(0, ...durations));
  return `<section class="band" aria-label="Turn ${turn.number}"><h2>Turn ${turn.number}${version}</h2>
${turn.messages.map((message) => buildMessageHtml(message, options)).join('\n')}
</section>
<div class="answers">
${turn.answers.map((answer) => buildAnswerHtml(answer, rangeMs, options)).join('\n')}
</div>`;
}

function buildMessageHtml(
  { author, text, files, images }: ReadableMessage,
  { getImageDataUrl }: HtmlExportOptions,
): string {
  const imagesHtml = images.map((url) => buildImageHtml(url, 'Attached image', getImageDataUrl));
  const textHtml = text === '' ? '' : `<p class="said" dir="auto">${escapeHtml(text)}</p>`;
  const filesHtml = files.map((file) =>
    'text' in file
      ? `<details><summary>${escapeHtml(file.name)}</summary><pre><code>${escapeHtml(file.text)}</code></pre></details>`
      : buildFileHtml(file.name, getImageDataUrl(file.source)),
  );
  return `<article><h3>${escapeHtml(author)}</h3>${textHtml}${filesHtml.join('')}${imagesHtml.join('')}</article>`;
}

/** Returns a link that saves the file. Its type is removed, so that no browser opens its content as a page. */
function buildFileHtml(name: string, dataUrl = ''): string {
  const [, data] = /^data:[^,]*;base64,([A-Za-z0-9+/=]+)$/.exec(dataUrl) ?? [];
  const safeName = escapeHtml(name);
  if (data === undefined) return `<p class="quiet">File: ${safeName}, not included in this file</p>`;
  return `<p>File: <a download="${safeName}" href="data:application/octet-stream;base64,${data}">${safeName}</a></p>`;
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
  rangeMs: number,
  { renderMarkdown, getImageDataUrl, getTicks = () => [] }: HtmlExportOptions,
): string {
  const { letter, headline, model, run } = answer;
  const version = answer.version === undefined ? '' : ` <small>version ${answer.version}</small>`;
  const settings = [...(model === headline ? [] : [model]), ...answer.parameters];
  const pieces = [
    `<h3>${letter === '' ? '' : buildLetterTile(letter)}${escapeHtml(headline)}${version}</h3>`,
    settings.length === 0 ? '' : `<p class="quiet mono">${escapeHtml(settings.join(', '))}</p>`,
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
    run ? buildTraceHtml(run, getTicks(run.id), rangeMs) : '',
    answer.metrics.length === 0
      ? ''
      : `<p class="quiet numbers">${answer.metrics.map((metric) => `<span>${escapeHtml(metric)}</span>`).join(' ')}</p>`,
  ];
  const color = letter === '' ? 'letter-a' : `compared ${getLetterClass(letter)}`;
  return `<article class="${color}">${pieces.filter((piece) => piece !== '').join('\n')}</article>`;
}

/** Draws the trace on the time axis that all answers of a turn share. */
function buildTraceHtml(run: Run, ticks: readonly Tick[], rangeMs: number): string {
  const endMs = getRecordedMs(run);
  const picture = { ticks, rangeMs, firstMs: run.firstTokenMs, endMs, end: getTraceEnd(run) };
  return endMs === 0 ? '' : buildTraceSvg(picture, describeTrace(run, ticks, endMs));
}

function buildSystemHtml(system: string): string {
  if (system === '') return '<p class="quiet">No system prompt</p>';
  return `<details><summary>System prompt</summary><p class="said" dir="auto">${escapeHtml(system)}</p></details>`;
}

/** Rules of a session, in addition to those of all reports. */
const sessionStyle = `
.band{background:var(--bench);border-block:1px solid var(--line)}
.band article+article{margin-top:12px}
.band h3{margin:0;color:var(--ink-3);font-weight:500}
.answers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:32px}
.answers article{min-width:0;max-width:760px}
.compared{padding-top:10px;border-top:2px solid var(--lane)}
.answers h3{margin-bottom:2px}
details{margin-bottom:10px}
summary{cursor:pointer;color:var(--ink-3);font-size:13px}
.said{white-space:pre-wrap;margin:0}
img{max-width:min(100%,480px);height:auto;border:1px solid var(--line)}
.ending{color:var(--warn-ink)}
.remark{padding-left:12px;border-left:2px solid var(--ink-3)}
.numbers span{display:inline-block;margin-right:12px;font-variant-numeric:tabular-nums}
@media print{details::details-content{block-size:auto;content-visibility:visible}.band{break-after:avoid}}
`;
