import {
  hasSchema,
  type SchemaValidator,
  type SummaryOptions,
} from '../../conversation/comparison/summary.ts';
import { buildSessionMarkdown } from '../../conversation/files/markdown-export.ts';
import { countMessages, toFileName } from '../../conversation/files/session-export.ts';
import { getPriceLookup } from '../../conversation/reply/cost.ts';
import { withoutHosts } from '../../conversation/reply/run-gateway.ts';
import { hasLiveRun } from '../../conversation/reply/run.ts';
import { buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import type { RunId, SessionData } from '../../conversation/session/types.ts';
import { buildTapeTicks, getTurnRuns, type Tick } from '../../conversation/trace/trace.ts';
import { formatError } from '../../lib/format-error.ts';
import { formatBytes, pluralize } from '../../lib/format.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { showToast } from '../../state/notices.ts';
import type { Library } from '../../state/sessions/library.ts';
import { saveFile } from '../../ui/display/save-file.ts';
import type { SessionFileServices } from './session-file-actions.ts';

export type SessionFormat = 'json' | 'md' | 'html';

const mimeTypes: Record<SessionFormat, string> = {
  json: 'application/json',
  md: 'text/markdown',
  html: 'text/html',
};

/** Loads the validator that checks answers against their schema; without it, the summary omits schema results. */
export async function loadSchemaValidator(): Promise<SchemaValidator | undefined> {
  const checker = await import('../../conversation/reply/json-check-schema.ts').catch(() => undefined);
  return checker && ((value, schema) => checker.validateValue(value, schema).state === 'fits');
}

const loadHtmlRenderer = createPreloadableImport(() => import('./render-session-html.ts'));

/** Saves one session: as a JSON record, or for reading as Markdown or a single HTML page. */
export async function saveSession(
  services: SessionFileServices,
  sessionId: string,
  format: SessionFormat,
): Promise<void> {
  try {
    await save(services, sessionId, format);
  } catch (error) {
    services.notices.setState({
      notice: { severity: 'problem', text: `Could not create the file: ${formatError(error)}` },
    });
  }
}

async function save(
  { sessionFiles, library, recorder, notices, gateways, view }: SessionFileServices,
  sessionId: string,
  format: SessionFormat,
): Promise<void> {
  const { exporter } = sessionFiles;
  const snapshot = await exporter.readSnapshot(sessionId);
  if (!snapshot) return;
  const { data } = snapshot;
  // A record is always complete; a file for reading follows the page.
  const namesHidden = format !== 'json' && view.getState().namesHidden;

  const buildPieces = async (): Promise<string[]> => {
    if (format === 'json') return (await exporter.buildJson(sessionId))?.pieces ?? [];
    const validateSchema = hasSchema(data) ? await loadSchemaValidator() : undefined;
    const options: SummaryOptions = {
      getModelPrice: getPriceLookup(gateways.priceSources.getState()),
      gateways: withoutHosts(gateways.statuses.getState()),
      namesHidden,
      ...(validateSchema ? { validateSchema } : {}),
    };
    if (format === 'md') return [buildSessionMarkdown(data, options)];
    const { renderSessionHtml } = await loadHtmlRenderer();
    const images = await exporter.readImageDataUrls(data);
    await recorder.flush();
    const ticks = await readShownTicks(library, data);
    return [renderSessionHtml(data, images, { ...options, getTicks: (runId) => ticks.get(runId) ?? [] })];
  };

  const name = toFileName(data.session.title, format);
  const bytes = saveFile(await buildPieces(), name, mimeTypes[format]);
  const description = describeSavedFile(name, bytes, countMessages(data), hasLiveRun(data));
  showToast(notices, namesHidden ? `${description} Names are hidden in it.` : description);
}

/** Reads the traces of the answers on the shown paths, one recording at a time. */
async function readShownTicks(library: Library, data: SessionData): Promise<Map<RunId, Tick[]>> {
  const ticks = new Map<RunId, Tick[]>();
  const turnIds = buildPromptRows(data).flatMap(({ cells }) => cells.map(({ turnId }) => turnId));
  for (const { id } of getTurnRuns(data, turnIds)) ticks.set(id, buildTapeTicks(await library.readTape(id)));
  return ticks;
}

/** Describes the saved file and what it does not contain. */
export function describeSavedFile(
  name: string,
  bytes: number,
  { prompts, answers }: { prompts: number; answers: number },
  isLive: boolean,
): string {
  const liveNote = isLive ? ' An answer was still streaming, so it is incomplete.' : '';
  const contents = `${pluralize(prompts, 'message')} and ${pluralize(answers, 'answer')}, ${formatBytes(bytes)}`;
  return `Saved ${name}: ${contents}.${liveNote} No key is included.`;
}
